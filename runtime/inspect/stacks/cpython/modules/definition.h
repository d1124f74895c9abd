/* Finds the code of the function that a module has under a name now. */
#ifndef JS_STACKS_CPYTHON_MODULES_DEFINITION_H
#define JS_STACKS_CPYTHON_MODULES_DEFINITION_H

#include "bytes/text.h"
#include "stacks/cpython/interpreter.h"

/* Append the function's {"file", "line", …} as JSON, with the line of its first decorator. Wrappers of Numba
 * and of functools.wraps are passed through. JS_ENOTFOUND: the module has no such name, or it is no function
 * that is known here. */
int js_python_definition(js_python *python, const char *module, const char *name, js_text *out);

#endif
