/* Resets signals in a process that is about to run another program. */
#ifndef JITSCOPE_SIGNALS_H
#define JITSCOPE_SIGNALS_H

/* Give all signals their default actions, and block none: handlers of this program must not run in a process
 * that shares its memory, and the other program must not ignore what this one ignores. */
void signals_reset(void);

#endif
