/* Calls methods of arrays. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_METHODS_H
#define JS_EXPRESSIONS_FUNCTIONS_METHODS_H

#include "expressions/functions/given.h"

/* True if arrays have this method here; call it. */
bool js_array_has_method(const char *name);
int js_array_method(js_evaluation *e, const char *name, const js_lazy *array, const js_given *given,
                    js_operand *out);
#endif
