/* Calls of functions and methods. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_CALLS_H
#define JS_EXPRESSIONS_FUNCTIONS_CALLS_H

#include "expressions/operands/operand.h"

int js_call(js_evaluation *e, const js_operand *function, const js_operand *arguments, size_t count,
            const char *const *names, js_operand *out);
bool js_is_function(const char *name);

#endif
