#include "sentinel.h"

#include <stdatomic.h>

#include "anchor.h"
#include "descriptor.h"
#include "gather.h"

static atomic_bool is_announced;

/* The debugger's breakpoint lies on its first instruction: it must be a place of its own, and never be folded
 * with another empty function. */
ANCHOR void jitscope_stopped(void)
{
    __asm__ volatile("" ::: "memory");
}

/* Not by way of the procedure linkage table. */
extern void stopped(void) __attribute__((alias("jitscope_stopped"), visibility("hidden")));

/* A breakpoint costs GDB time with each object that a JIT registers: it is set when it is needed first. */
static inline void announce_once(void)
{
    if (__builtin_expect(!atomic_load_explicit(&is_announced, memory_order_relaxed), 0)) {
        /* not in the midst of a registration by this very thread, from a signal handler */
        atomic_store(&is_announced, announce_stop((uint64_t)(uintptr_t)stopped));
    }
}

void sentinel_stop(void)
{
    announce_once();
    stopped();
}

/* The calls at the ends are jumps (-foptimize-sibling-calls), so that the caller's frame is the next one. */
ANCHOR void jitscope_breakpoint(void)
{
    announce_once();
    if (gather_is_armed())
        gather_or_stop();
    else
        stopped();
}
