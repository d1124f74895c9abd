/* Takes out what a debugger that was killed has left in this process. Called by gather.c. */
#ifndef JITSCOPE_INFERIOR_LEFTOVER_H
#define JITSCOPE_INFERIOR_LEFTOVER_H

/* Take all breakpoint instructions out of the code of libraries and out of registered code, unless a debugger
 * is attached. Async-signal-safe. Does nothing on processors other than x86-64. */
void leftover_restore(void);

#endif
