/* Methods of arrays that work on elements: each function computes the method of its name. */
#ifndef JS_EXPRESSIONS_FUNCTIONS_ELEMENTS_H
#define JS_EXPRESSIONS_FUNCTIONS_ELEMENTS_H

#include "expressions/functions/given.h"

/* Compute a.item(), a.tolist(), a.copy(), a.astype() … */
int js_method_item(const js_array_call *c, js_operand *out);
int js_method_tolist(const js_array_call *c, js_operand *out);
int js_method_copy(const js_array_call *c, js_operand *out);
int js_method_astype(const js_array_call *c, js_operand *out);
int js_method_conjugate(const js_array_call *c, js_operand *out);
int js_method_clip(const js_array_call *c, js_operand *out);
int js_method_accumulate(const js_array_call *c, js_operand *out);
int js_method_nonzero(const js_array_call *c, js_operand *out);
int js_method_dot(const js_array_call *c, js_operand *out);
int js_method_array_round(const js_array_call *c, js_operand *out);

#endif
