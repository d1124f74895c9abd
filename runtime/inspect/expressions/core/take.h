/* Computes subscripts by arrays of indices. */
#ifndef JS_EXPRESSIONS_CORE_TAKE_H
#define JS_EXPRESSIONS_CORE_TAKE_H

#include "expressions/operands/operand.h"

/* Give the indices of the elements that are not 0: a tuple with an array for each axis. */
int js_nonzero(js_evaluation *e, const js_lazy *array, js_operand *out);
/* Compute a[key], where some of the `count` keys are arrays of indices. */
int js_take(js_evaluation *e, const js_lazy *array, const js_operand *keys, uint64_t count, js_operand *out);

#endif
