/* Compares any operands. */
#ifndef JS_EXPRESSIONS_CORE_COMPARE_H
#define JS_EXPRESSIONS_CORE_COMPARE_H

#include "expressions/operands/operand.h"

/* Compute a == b, a < b, a in b, a is b … */
int js_compare(js_evaluation *e, js_operator op, const js_operand *a, const js_operand *b, js_operand *out);

#endif
