/* Workers of a launch that wait for each other, so that a debugger stops once for all. */
#ifndef JITSCOPE_INFERIOR_GATHER_H
#define JITSCOPE_INFERIOR_GATHER_H

#include <stdbool.h>
#include <stdint.h>

#include "jitscope.h"

/* The calling thread is at such a place (JITSCOPE_GATHER_AT_…). Returns when they have met; false: nobody
 * gathers this thread here, and it has not waited. Async-signal-safe. */
bool gather_arrive(uint32_t at);
/* The calling thread has ended rows of a launch. */
void gather_leave(uint64_t launch);

extern jitscope_gather gather_here;
static inline bool gather_is_armed(void)
{
    return __builtin_expect(__atomic_load_n(&gather_here.state, __ATOMIC_RELAXED) != JITSCOPE_GATHER_OFF, 0);
}

#endif
