/* The variables of a frame. */
#ifndef JS_STACKS_CPYTHON_VARIABLES_H
#define JS_STACKS_CPYTHON_VARIABLES_H

#include "stacks/cpython/interpreter.h"

/* Find what a name means in the frame at this address: a variable of its own, of an outer function, or a name
 * of its module. *address 0: nothing is assigned to it, or that is not known: *reason says why, else it is
 * NULL. JS_ENOTFOUND: it is none of them. */
int js_python_find_variable(js_python *python, uint64_t frame, const char *name, uint64_t *address,
                            const char **reason);

#endif
