#include "rendezvous/sentinel.h"

#include "registration/descriptor.h"
#include "system/anchor.h"

atomic_bool sentinel_is_announced;

/* The debugger's breakpoint lies on its first instruction: it must be a place of its own, and never be folded
 * with another empty function. */
ANCHOR void jitscope_stopped(void)
{
    __asm__ volatile("" ::: "memory");
}

/* Not by way of the procedure linkage table. */
extern void stopped(void) __attribute__((alias("jitscope_stopped"), visibility("hidden")));

void sentinel_announce(void)
{
    /* not in the midst of a registration by this very thread, from a signal handler */
    atomic_store(&sentinel_is_announced, announce_stop((uint64_t)(uintptr_t)stopped));
}

void sentinel_stop(void)
{
    sentinel_announce_once();
    stopped();
}
