/* The jitscope_gather of this process: what a debugger asks of a meeting, and what is reported to the
 * debugger. */
#include "registration/descriptor.h"
#include "rendezvous/gather.h"

jitscope_gather gather_here = {.version = JITSCOPE_VERSION, .size = sizeof gather_here, .timeout_ms = 10000};

void gather_offer(bool is_offered)
{
    uint64_t address = is_offered ? (uint64_t)(uintptr_t)&gather_here : 0;
    __atomic_store_n(&__jitscope_descriptor.gather, address, __ATOMIC_RELAXED);
}
