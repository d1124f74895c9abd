/* The items of an argument that is gone through. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_ITEMS_H
#define JS_EXPRESSIONS_FUNCTIONS_ITEMS_H

#include "expressions/operands/operand.h"

/* The items of a sequence, container, text or array, in order. */
int js_items_of(js_evaluation *e, const js_operand *operand, js_operand *out);

#endif
