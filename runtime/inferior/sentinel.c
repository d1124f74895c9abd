#include "jitscope.h"

/* The debugger's breakpoint lies on its first instruction: it must be a place of its own, and never be folded
 * with another empty function. */
__attribute__((noinline, noclone)) void jitscope_breakpoint(void)
{
    __asm__ volatile("" ::: "memory");
}
