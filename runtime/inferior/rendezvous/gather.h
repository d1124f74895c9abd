/* Lets the workers of a launch wait for each other, so that a debugger stops once for all (see
 * jitscope_gather). Called by pool.c and by jitscope_breakpoint. */
#ifndef JITSCOPE_INFERIOR_GATHER_H
#define JITSCOPE_INFERIOR_GATHER_H

#include <stdbool.h>
#include <stdint.h>

#include "jitscope_descriptor.h"

/* What a thread does after it has come to a meeting. */
typedef enum gather_end {
    GATHER_NONE,     /* no meeting is asked for here, and the thread has not waited */
    GATHER_RELEASED, /* the thread runs on */
    GATHER_STOP,     /* the workers have met, and this thread stops for all */
} gather_end;

/* Wait until all workers have met, if a meeting is asked for at places of this kind (`at`:
 * JITSCOPE_GATHER_AT_…). `place` is reported to the debugger as the place of the program's code; NULL: not
 * known. Async-signal-safe. */
gather_end gather_arrive(uint32_t at, const jitscope_waiting *place);
/* Wait at JITSCOPE_GATHER_AT_STOP, then stop if this thread stops for all or if no meeting is asked for here.
 * The place is the return address of the caller, which must end in this call (a jump). */
void gather_or_stop(void);
/* Wait at JITSCOPE_GATHER_AT_START, and stop if this thread stops for all. */
void gather_start(void);
/* Let a meeting go on when the calling thread has ended rows of this launch: others may wait for that only.
 */
void gather_leave(uint64_t launch);

/* Let debuggers find the jitscope_gather, or not. They find it until this is called with false. */
void gather_offer(bool is_offered);

/* The jitscope_gather of this process. */
extern jitscope_gather gather_here;
/* True if a debugger has asked for a meeting. */
static inline bool gather_is_armed(void)
{
    return __builtin_expect(__atomic_load_n(&gather_here.state, __ATOMIC_RELAXED) != JITSCOPE_GATHER_OFF, 0);
}

#endif
