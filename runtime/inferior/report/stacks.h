/* Stacks for signals, without which the overflow of a thread's own stack cannot be reported. */
#ifndef JITSCOPE_REPORT_STACKS_H
#define JITSCOPE_REPORT_STACKS_H

#include <signal.h>

/* Make a stack with a page below it that no one may access. Async-signal-safe. Returns 0 or -errno. */
int stacks_make(stack_t *out);

#endif
