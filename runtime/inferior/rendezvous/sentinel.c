/* The function in which a program stops, and its announcement to the debugger. */
#include "rendezvous/sentinel.h"

#include "registration/descriptor.h"
#include "system/anchor.h"

atomic_bool sentinel_is_announced;

/* The debugger's breakpoint is on the first instruction, so this must be a function of its own, not folded
 * with another empty one. */
ANCHOR void jitscope_stopped(void)
{
    __asm__ volatile("" ::: "memory");
}

/* An alias, so that it is not called by way of the procedure linkage table. */
extern void stopped(void) __attribute__((alias("jitscope_stopped"), visibility("hidden")));

void sentinel_announce(void)
{
    /* fails while a signal handler runs within a registration of this very thread */
    atomic_store(&sentinel_is_announced, announce_stop((uint64_t)(uintptr_t)stopped));
}

void sentinel_stop(void)
{
    sentinel_announce_once();
    stopped();
}
