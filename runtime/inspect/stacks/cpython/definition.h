/* The code of the function that a module's name means now. */
#ifndef JS_STACKS_CPYTHON_DEFINITION_H
#define JS_STACKS_CPYTHON_DEFINITION_H

#include "bytes/text.h"
#include "stacks/cpython/interpreter.h"

/* {"file", "line", …} of its code object, the line of its first decorator; through what Numba and
 * functools.wraps put around it. JS_ENOTFOUND: no such name, or no function that is known here. */
int js_python_definition(js_python *python, const char *module, const char *name, js_text *out);

#endif
