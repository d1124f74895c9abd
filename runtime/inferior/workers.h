/* What the calling thread runs, as it says it to a debugger: no lock, no system call but at a thread's first.
 */
#ifndef JITSCOPE_INFERIOR_WORKERS_H
#define JITSCOPE_INFERIOR_WORKERS_H

#include "jitscope.h"

/* This thread begins a launch, and waits for it. Fills in its number and its parent. */
void worker_launch(jitscope_launch *launch);
void worker_launch_end(void);

/* This thread begins rows of a launch, [begin, end) in the first dimension; jitscope_region_leave ends them.
 */
void worker_work(const jitscope_work *work, int64_t begin, int64_t end);

#endif
