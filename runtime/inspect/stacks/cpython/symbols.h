/* Recognises the native functions of the interpreter by their names. */
#ifndef JS_STACKS_CPYTHON_SYMBOLS_H
#define JS_STACKS_CPYTHON_SYMBOLS_H

#include <stdbool.h>

/* True if a call of the function runs Python frames; true if it is another function of the interpreter. */
bool js_cpython_is_evaluation(const char *name);
bool js_cpython_is_interpreter(const char *name);
/* Return what the interpreter does in a function of this name that runs no Python frame; NULL: the name does
 * not say. */
const char *js_cpython_phase(const char *name);
/* True for functions that start a process or a thread, before any Python code. */
bool js_cpython_is_start(const char *name);
/* True for files that have only the interpreter's code: python3.11, libpython3.11.so.1.0, and the libraries
 * by which ctypes and asyncio's tasks call. */
bool js_cpython_is_interpreter_file(const char *path);
/* True for files that may have the interpreter beside other code: their name contains "python". */
bool js_cpython_may_hold_interpreter(const char *path);
/* True for Python code of the standard library, and for that which is built into the interpreter. */
bool js_cpython_is_library(const char *path);
/* True for such code, for that of installed packages, and for code without a file. */
bool js_cpython_is_installed(const char *path);

#endif
