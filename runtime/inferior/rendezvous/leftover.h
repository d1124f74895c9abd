/* What a debugger that was killed leaves in the process. */
#ifndef JITSCOPE_INFERIOR_LEFTOVER_H
#define JITSCOPE_INFERIOR_LEFTOVER_H

/* Takes all breakpoint instructions out of libraries' and registered code, unless a debugger is attached.
 * Async-signal-safe. Nothing on processors other than x86-64. */
void leftover_restore(void);

#endif
