/* The handshake with GDB. Async-signal-safe. */
#ifndef JITSCOPE_ATTACH_H
#define JITSCOPE_ATTACH_H

#include "debugger/plan.h"

/* As jitscope_attach; what went wrong, or "", is in `plan->message`. One call a plan at a time. */
int attach_run(attach_plan *plan);
/* Process id of the last debugger that has come by the handshake; 0: none has. */
int attach_debugger(void);

#endif
