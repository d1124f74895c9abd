/* Texts, tuples, lists and one-dimensional arrays: their truth, length and items. */
#ifndef JS_EXPRESSIONS_OPERANDS_SEQUENCES_H
#define JS_EXPRESSIONS_OPERANDS_SEQUENCES_H

#include "expressions/operands/operand.h"

/* bool(x) */
int js_operand_truth(js_evaluation *e, const js_operand *operand, bool *out);
/* A text of the target becomes characters; false and JS_OK: not a text. */
int js_operand_text(js_evaluation *e, const js_operand *operand, js_operand *out, bool *is_text);
/* A tuple, list or one-dimensional array as operands; false and JS_OK: not one. */
int js_operand_items(js_evaluation *e, const js_operand *operand, js_operand *out, bool *is_sequence);
/* len(x); false and JS_OK: it has none. */
int js_operand_length(js_evaluation *e, const js_operand *operand, uint64_t *out, bool *has_length);

#endif
