/* Assigns the arguments of a call to the function's parameters. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_GIVEN_H
#define JS_EXPRESSIONS_FUNCTIONS_GIVEN_H

#include "expressions/operands/operand.h"

/* The arguments of a call, in order; the name of a positional one is NULL. */
typedef struct js_given {
    const js_operand *arguments;
    size_t count;
    const char *const *names;
} js_given;

/* A call of a method of an array. */
typedef struct js_array_call {
    js_evaluation *e;
    const char *name;
    const js_lazy *array;
    const js_given *given;
} js_array_call;

/* Give each parameter's argument, or NULL. `parameters` ends with NULL. Fails with Python's TypeError. */
int js_bind(js_evaluation *e, const char *function, const char *const *parameters, const js_given *given,
            const js_operand **out);
/* True if an argument was given and is not None. */
bool js_has_argument(const js_operand *operand);
/* Give the axis of this number, from 0; a negative number counts from the end. Fails if there is no such
 * axis. */
int js_axis_of(js_evaluation *e, const js_operand *operand, unsigned ndim, unsigned *out);
/* Give the integers that are the arguments, one by one or as one tuple; at most 32. */
int js_integers_of(const js_array_call *c, int64_t *out, unsigned *count);

#endif
