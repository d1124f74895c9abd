/* Finds the variables of a Python frame by their names. */
#ifndef JS_STACKS_CPYTHON_VARIABLES_H
#define JS_STACKS_CPYTHON_VARIABLES_H

#include "stacks/cpython/interpreter.h"

/* Find what a name means in the frame at this address: a variable of its own, one of an outer function, or a
 * name of its module. *address 0: nothing is assigned to it (*reason NULL), or *reason says why its value is
 * not known. JS_ENOTFOUND: the frame has no such name. */
int js_python_find_variable(js_python *python, uint64_t frame, const char *name, uint64_t *address,
                            const char **reason);

#endif
