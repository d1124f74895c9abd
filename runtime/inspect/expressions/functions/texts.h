/* Calls methods of str and bytes. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_TEXTS_H
#define JS_EXPRESSIONS_FUNCTIONS_TEXTS_H

#include "expressions/operands/operand.h"

/* Call the method; true if texts have this method here. */
int js_text_method(js_evaluation *e, const char *name, const js_operand *of, const js_operand *arguments,
                   size_t count, js_operand *out);
bool js_text_has_method(const char *name);

#endif
