/* Makes the other threads of this process leave their registers, and hold still. Async-signal-safe. */
#ifndef JITSCOPE_THREADS_H
#define JITSCOPE_THREADS_H

#include <signal.h>
#include <stdint.h>

#include "jitscope_report.h"

/* Return the signal that they get. */
int threads_signal(void);
/* Hold the other threads, by a signal, for at most `wait_ms` milliseconds until all have answered. The
 * calling thread, with the registers of `context`, is the first in `process`; who has not answered is there,
 * too. They run on at `until` (clock_ms()) if nothing lets them before. */
void threads_hold(jitscope_report_process *process, const void *context, int32_t wait_ms, int64_t until);
/* Note that the calling thread has received a signal, too, and waits: its registers are then those of
 * `context`. */
void threads_wait_with(const siginfo_t *info, const void *context);
/* It does not wait any more. */
void threads_wait_over(void);
/* Let them run on. */
void threads_release(void);
/* Give the other threads that are there stacks for signals, unless they have some. `process` is overwritten.
 */
void threads_give_stacks(jitscope_report_process *process, int32_t wait_ms);

#endif
