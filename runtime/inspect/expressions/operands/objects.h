/* The interpreter's own numbers and texts. */
#ifndef JS_EXPRESSIONS_OPERANDS_OBJECTS_H
#define JS_EXPRESSIONS_OPERANDS_OBJECTS_H

#include "expressions/operands/operand.h"

/* None, bool, int or float of the interpreter becomes one; anything else stays. */
void js_object_number(js_evaluation *e, js_operand *operand);
int js_object_text(js_evaluation *e, const js_operand *operand, js_operand *out, bool *is_text);
/* True if it is an object of the interpreter. */
bool js_object_is(const js_operand *operand);
bool js_object_length(js_evaluation *e, const js_operand *operand, uint64_t *out);

#endif
