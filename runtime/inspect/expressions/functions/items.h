/* Gives the items of an argument that a function iterates over. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_ITEMS_H
#define JS_EXPRESSIONS_FUNCTIONS_ITEMS_H

#include "expressions/operands/operand.h"

/* Give the items of a sequence, container, text or array, in order, as a sequence. */
int js_items_of(js_evaluation *e, const js_operand *operand, js_operand *out);

#endif
