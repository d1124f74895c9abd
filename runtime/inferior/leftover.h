/* What a debugger that was killed leaves in the process: a SIGTRAP on its way, and breakpoint instructions.
 */
#ifndef JITSCOPE_LEFTOVER_H
#define JITSCOPE_LEFTOVER_H

/* From now on neither ends the process, where it has no SIGTRAP handler of its own. Async-signal-safe. */
void leftover_survive(void);

#endif
