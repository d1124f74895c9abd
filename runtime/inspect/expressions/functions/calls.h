/* Calls functions and methods. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_CALLS_H
#define JS_EXPRESSIONS_FUNCTIONS_CALLS_H

#include "expressions/operands/operand.h"

/* Call a function or method. names[i] is the name of a keyword argument, or NULL; `names` may be NULL. */
int js_call(js_evaluation *e, const js_operand *function, const js_operand *arguments, size_t count,
            const char *const *names, js_operand *out);
/* True if expressions here have a function of this name. */
bool js_is_function(const char *name);

#endif
