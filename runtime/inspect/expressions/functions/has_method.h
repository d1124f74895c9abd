/* Finds whether an operand has a method of a given name. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_HAS_METHOD_H
#define JS_EXPRESSIONS_FUNCTIONS_HAS_METHOD_H

#include "expressions/operands/operand.h"

/* True if the operand, a text, array or collection, has this method. */
bool js_has_method(const js_operand *of, const char *name);

#endif
