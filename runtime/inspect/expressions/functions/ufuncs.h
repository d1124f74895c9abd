/* Functions that are computed for each element. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_UFUNCS_H
#define JS_EXPRESSIONS_FUNCTIONS_UFUNCS_H

#include "expressions/functions/given.h"

struct js_numpy_function;
/* Give the first `count` arguments as arrays of numbers. */
int js_arrays_of(js_evaluation *e, const struct js_numpy_function *f, const js_given *given, size_t count,
                 const js_lazy **out);

/* Compute numpy.maximum or numpy.minimum. */
int js_extreme_of(js_evaluation *e, js_operator op, const js_operand *a, const js_operand *b,
                  js_operand *out);

#endif
