/* What the calling thread runs, as it says it to a debugger: no lock, no system call but at a thread's first.
 */
#ifndef JITSCOPE_INFERIOR_WORKERS_H
#define JITSCOPE_INFERIOR_WORKERS_H

#include <stdbool.h>

#include "jitscope_descriptor.h"

/* Begin a launch in this thread, which waits for it. Fills in its number and its parent. Returns the counter
 * of iterations that have ended (jitscope_worker.ended); NULL: they are not counted. */
uint64_t *worker_launch(jitscope_launch *launch);
void worker_launch_end(void);

/* This thread begins rows of a launch, [begin, end) in the first dimension; jitscope_region_leave ends them.
 */
void worker_work(const jitscope_work *work, int64_t begin, int64_t end);

/* Every slot, while the threads write them; that of a thread which has ended says what it did last. */
void workers_each(void (*tell)(void *context, const jitscope_worker *worker), void *context);
/* A launch that some thread waits for; false: none does. */
bool workers_find_launch(uint64_t number, jitscope_launch *out);
/* That of the rows that this thread runs; false: it runs none. */
bool worker_launch_of_work(jitscope_launch *out);
/* Rows that this thread runs, of the outermost loop that it is in; NULL: it runs none. */
const jitscope_work *worker_outermost(void);
/* This thread, which runs rows, waits for the others, for this meeting; 0: no longer. place: may be NULL. */
void worker_gathered(uint32_t meeting, const jitscope_waiting *place);

#endif
