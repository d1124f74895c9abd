/* The function in which the program stops for its debugger. Called by breakpoint.c, gather.c and
 * arrivals.c. */
#ifndef JITSCOPE_INFERIOR_SENTINEL_H
#define JITSCOPE_INFERIOR_SENTINEL_H

#include <stdatomic.h>

#include "jitscope.h"

/* Do nothing: a debugger has its breakpoint on this function. It is exported so that it is found by name in a
 * stripped library. */
JITSCOPE_API void jitscope_stopped(void);
/* Announce jitscope_stopped to the debugger at the first stop, not before: a breakpoint costs GDB time for
 * each object that a JIT registers. */
extern atomic_bool sentinel_is_announced;
void sentinel_announce(void);
static inline void sentinel_announce_once(void)
{
    if (__builtin_expect(!atomic_load_explicit(&sentinel_is_announced, memory_order_relaxed), 0)) {
        sentinel_announce();
    }
}
/* Stop for the debugger like jitscope_breakpoint(), but also when a meeting is asked for. */
void sentinel_stop(void);

#endif
