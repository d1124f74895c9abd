/* Recognises the native functions of the interpreter. */
#ifndef JS_STACKS_CPYTHON_SYMBOLS_H
#define JS_STACKS_CPYTHON_SYMBOLS_H

#include <stdbool.h>

/* One call of it runs Python frames. */
bool js_cpython_is_evaluation(const char *name);
bool js_cpython_is_interpreter(const char *name);
/* Return what the interpreter does in a function of this name that runs no Python frame; NULL: the name does
 * not say. */
const char *js_cpython_phase(const char *name);
/* What starts a process or a thread, before any Python. */
bool js_cpython_is_start(const char *name);
/* python3.11, libpython3.11.so.1.0, and what carries a call of ctypes: names nothing but the interpreter. */
bool js_cpython_is_interpreter_file(const char *path);
/* A file that may hold the interpreter beside other code: its path speaks of Python. */
bool js_cpython_may_hold_interpreter(const char *path);

#endif
