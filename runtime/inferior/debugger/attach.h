/* Starts GDB and waits until it has attached. Called by jitscope_attach, by the signal handler of
 * on_signal.c and by presence.c. Everything here is async-signal-safe. */
#ifndef JITSCOPE_ATTACH_H
#define JITSCOPE_ATTACH_H

#include "debugger/plan.h"

/* Attach a debugger by the plan. Returns what jitscope_attach returns; plan->message gets what went wrong, or
 * "". Only one call at a time may use a plan. */
int attach_run(attach_plan *plan);
/* Return the process id of the last debugger that attach_run has attached; 0: none. */
int attach_debugger(void);

#endif
