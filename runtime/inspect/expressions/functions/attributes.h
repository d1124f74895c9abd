/* Computes attributes of any operand. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_ATTRIBUTES_H
#define JS_EXPRESSIONS_FUNCTIONS_ATTRIBUTES_H

#include "expressions/operands/operand.h"

/* Compute of.name. */
int js_attribute(js_evaluation *e, const js_operand *of, const char *name, js_operand *out);

#endif
