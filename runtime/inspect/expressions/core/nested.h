/* Lists and tuples as arrays. */
#ifndef JS_EXPRESSIONS_CORE_NESTED_H
#define JS_EXPRESSIONS_CORE_NESTED_H

#include "expressions/operands/operand.h"

/* A list or tuple of numbers beside an array is an array. */
int js_lazy_of(js_evaluation *e, const js_operand *operand, const js_lazy **out);

#endif
