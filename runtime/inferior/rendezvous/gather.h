/* Workers of a launch that wait for each other, so that a debugger stops once for all. */
#ifndef JITSCOPE_INFERIOR_GATHER_H
#define JITSCOPE_INFERIOR_GATHER_H

#include <stdbool.h>
#include <stdint.h>

#include "jitscope_descriptor.h"

typedef enum gather_end {
    GATHER_NONE, /* nobody gathers this thread here, and it has not waited */
    GATHER_RELEASED,
    GATHER_STOP, /* they have met: this thread is to stop for all */
} gather_end;

/* The calling thread is at such a place (JITSCOPE_GATHER_AT_…), and waits until all have met. place: of the
 * code that is there; may be NULL. Async-signal-safe. */
gather_end gather_arrive(uint32_t at, const jitscope_waiting *place);
/* At JITSCOPE_GATHER_AT_STOP, for a function that ends in this call: the place is what called that. Stops
 * where nobody gathers. */
void gather_or_stop(void);
/* At JITSCOPE_GATHER_AT_START. */
void gather_start(void);
/* The calling thread has ended rows of a launch. */
void gather_leave(uint64_t launch);

/* To the debugger: true until said otherwise. */
void gather_offer(bool is_offered);

extern jitscope_gather gather_here;
static inline bool gather_is_armed(void)
{
    return __builtin_expect(__atomic_load_n(&gather_here.state, __ATOMIC_RELAXED) != JITSCOPE_GATHER_OFF, 0);
}

#endif
