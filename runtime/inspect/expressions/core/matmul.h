/* Computes products of matrices. */
#ifndef JS_EXPRESSIONS_CORE_MATMUL_H
#define JS_EXPRESSIONS_CORE_MATMUL_H

#include "expressions/operands/operand.h"

/* Compute a @ b. */
int js_matmul(js_evaluation *e, const js_operand *a, const js_operand *b, js_operand *out);

#endif
