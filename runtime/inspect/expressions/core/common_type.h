/* What operators and comparisons share. */
#ifndef JS_EXPRESSIONS_CORE_COMMON_TYPE_H
#define JS_EXPRESSIONS_CORE_COMMON_TYPE_H

#include "expressions/operands/operand.h"

bool js_is_array(const js_operand *operand);

/* The operands' common type; a literal takes the array's. */
js_number_type js_common_type(const js_operand *a, const js_lazy *x, const js_operand *b, const js_lazy *y);
/* An OverflowError where a literal is more than its type has room for. */
int js_check_literal(js_evaluation *e, const js_operand *operand, js_number_type type);
/* Gives an array; one without an axis becomes a number, as in NumPy. */
int js_give_array(js_evaluation *e, int status, const js_lazy *made, js_operand *out);
/* Characters or items that are here; otherwise the operand as it is. */
int js_unfold(js_evaluation *e, const js_operand *operand, js_operand *out);

#endif
