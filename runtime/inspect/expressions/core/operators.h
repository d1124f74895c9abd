/* Computes operators on any operands. */
#ifndef JS_EXPRESSIONS_CORE_OPERATORS_H
#define JS_EXPRESSIONS_CORE_OPERATORS_H

#include "expressions/operands/operand.h"

/* Compute a + b …, and -a, ~a … */
int js_binary(js_evaluation *e, js_operator op, const js_operand *a, const js_operand *b, js_operand *out);
int js_unary(js_evaluation *e, js_operator op, const js_operand *a, js_operand *out);

#endif
