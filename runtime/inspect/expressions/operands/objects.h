/* Reads numbers and texts that are objects of the interpreter. */
#ifndef JS_EXPRESSIONS_OPERANDS_OBJECTS_H
#define JS_EXPRESSIONS_OPERANDS_OBJECTS_H

#include "expressions/operands/operand.h"

/* Replace an object of the interpreter that is None or a bool, int or float by that value; any other operand
 * stays. */
void js_object_number(js_evaluation *e, js_operand *operand);
/* Read the characters of a str or bytes object. *is_text false: it is none. */
int js_object_text(js_evaluation *e, const js_operand *operand, js_operand *out, bool *is_text);
/* True if the operand is an object of the interpreter. */
bool js_object_is(const js_operand *operand);
/* Give the length of an object of the interpreter. False: it has none. */
bool js_object_length(js_evaluation *e, const js_operand *operand, uint64_t *out);

#endif
