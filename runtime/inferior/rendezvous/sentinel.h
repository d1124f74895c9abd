/* Where the program stops for its debugger. */
#ifndef JITSCOPE_INFERIOR_SENTINEL_H
#define JITSCOPE_INFERIOR_SENTINEL_H

#include <stdatomic.h>

#include "jitscope.h"

/* What a debugger's breakpoint is set on. Exported, so that it is found by name in a stripped library. */
JITSCOPE_API void jitscope_stopped(void);
/* A breakpoint costs GDB time with each object that a JIT registers: it is set when it is needed first. */
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
