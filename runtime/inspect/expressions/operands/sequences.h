/* Computes truth, length and items of texts, tuples, lists and one-dimensional arrays. */
#ifndef JS_EXPRESSIONS_OPERANDS_SEQUENCES_H
#define JS_EXPRESSIONS_OPERANDS_SEQUENCES_H

#include "expressions/operands/operand.h"

/* Compute bool(x). */
int js_operand_truth(js_evaluation *e, const js_operand *operand, bool *out);
/* Read the characters of a text of the target. *is_text false, with JS_OK: it is no text. */
int js_operand_text(js_evaluation *e, const js_operand *operand, js_operand *out, bool *is_text);
/* Give the items of a tuple, list or one-dimensional array as operands. *is_sequence false, with JS_OK: it is
 * none. */
int js_operand_items(js_evaluation *e, const js_operand *operand, js_operand *out, bool *is_sequence);
/* Compute len(x). *has_length false, with JS_OK: it has none. */
int js_operand_length(js_evaluation *e, const js_operand *operand, uint64_t *out, bool *has_length);

#endif
