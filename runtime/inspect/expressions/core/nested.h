/* Converts lists and tuples to arrays. */
#ifndef JS_EXPRESSIONS_CORE_NESTED_H
#define JS_EXPRESSIONS_CORE_NESTED_H

#include "expressions/operands/operand.h"

/* Give an operand as an array: an array, a number, or a list or tuple of numbers, nested or not. */
int js_lazy_of(js_evaluation *e, const js_operand *operand, const js_lazy **out);

#endif
