/* Records what the calling thread runs in its slot of the descriptor's table of workers. Takes no
 * lock and makes no system call, except at a thread's first region. */
#ifndef JITSCOPE_INFERIOR_WORKERS_H
#define JITSCOPE_INFERIOR_WORKERS_H

#include <stdbool.h>

#include "jitscope_descriptor.h"

/* Have each thread call this at its first work; NULL: nothing. */
void workers_set_begin(void (*begin)(void));

/* Record a launch, for which this thread waits, and fill in its number and its parent. Returns the counter of
 * iterations that have ended (jitscope_worker.ended); NULL: they are not counted. */
uint64_t *worker_launch(jitscope_launch *launch);
/* Record that the launch that was begun last has ended. */
void worker_launch_end(void);

/* Record that this thread begins rows of a launch: the iterations [begin, end) of the first dimension.
 * jitscope_region_leave ends them. */
void worker_work(const jitscope_work *work, int64_t begin, int64_t end);

/* Call `tell` for every slot, while the threads write them. The slot of a thread that has ended has what it
 * did last. */
void workers_each(void (*tell)(void *context, const jitscope_worker *worker), void *context);
/* Find a launch that some thread waits for, by its number. False: no thread waits for it. */
bool workers_find_launch(uint64_t number, jitscope_launch *out);
/* Find the launch of the rows that this thread runs. False: it runs none. */
bool worker_launch_of_work(jitscope_launch *out);
/* Return the rows that this thread runs of its outermost loop, valid as long as the thread runs them; NULL:
 * it runs none. */
const jitscope_work *worker_outermost(void);
/* Record that this thread, which runs rows, waits for the others at this meeting; 0: it no longer waits.
 * `place` may be NULL. */
void worker_gathered(uint32_t meeting, const jitscope_waiting *place);

#endif
