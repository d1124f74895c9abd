/* Scalars as Python computes with them. */
#ifndef JS_EXPRESSIONS_CORE_ARITHMETIC_H
#define JS_EXPRESSIONS_CORE_ARITHMETIC_H

#include "expressions/lazy/lazy.h"

/* Scalars as Python computes with them. */
int js_scalar_binary(js_evaluation *e, js_operator op, const js_number *a, const js_number *b,
                     js_number *out);
int js_scalar_unary(js_evaluation *e, js_operator op, const js_number *a, js_number *out);
bool js_scalar_compare(js_operator op, const js_number *a, const js_number *b);
const char *js_operator_sign(js_operator op);
const char *js_operator_ufunc(js_operator op);

#endif
