/* What keeps a program from noticing that it compiles functions for a debugger in the middle of a call.
 * Called by recompilation.c. */
#ifndef JITSCOPE_SERVING_H
#define JITSCOPE_SERVING_H

#include <stdbool.h>

/* Have Python run the handlers of signals that have come. False: one has raised an exception. */
bool serving_takes_signals(void);

/* Let other threads of Python run for a moment. False: that is not possible. */
bool serving_pause(void);

/* True if the stack of this thread has room for the compiler. */
bool serving_has_room(void);

/* Between these two, signals that Python handles wait, and Python's tracers and profilers see nothing: an
 * exception from a handler would be lost in the compiler. Python's lock is held at both. */
void serving_begin(void);
void serving_end(void);

#endif
