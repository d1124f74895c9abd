/* Methods that give an array another shape: each function computes the method of its name. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_SHAPES_H
#define JS_EXPRESSIONS_FUNCTIONS_SHAPES_H

#include "expressions/functions/given.h"

int js_method_reshape(const js_array_call *c, js_operand *out);
int js_method_flatten(const js_array_call *c, js_operand *out);
int js_method_squeeze(const js_array_call *c, js_operand *out);
int js_method_transpose(const js_array_call *c, js_operand *out);
int js_method_diagonal(const js_array_call *c, js_operand *out);

#endif
