/* Finds the common type of operands. Shared by operators and comparisons. */
#ifndef JS_EXPRESSIONS_CORE_COMMON_TYPE_H
#define JS_EXPRESSIONS_CORE_COMMON_TYPE_H

#include "expressions/operands/operand.h"

/* True if the operand is an array. */
bool js_is_array(const js_operand *operand);

/* Return the operands' common type; a literal takes the type of the array. `x`, `y`: the operands as arrays.
 */
js_number_type js_common_type(const js_operand *a, const js_lazy *x, const js_operand *b, const js_lazy *y);
/* Fail with an OverflowError if a literal does not fit in its type. */
int js_check_literal(js_evaluation *e, const js_operand *operand, js_number_type type);
/* Give an array as an operand, or return `status` if it is an error. An array without axes becomes a number,
 * as in NumPy. */
int js_give_array(js_evaluation *e, int status, const js_lazy *made, js_operand *out);
/* Read the characters of a text, or the items of a sequence; any other operand stays as it is. */
int js_read_items(js_evaluation *e, const js_operand *operand, js_operand *out);

#endif
