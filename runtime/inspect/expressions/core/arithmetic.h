/* Computes operators on scalars as Python does. */
#ifndef JS_EXPRESSIONS_CORE_ARITHMETIC_H
#define JS_EXPRESSIONS_CORE_ARITHMETIC_H

#include "expressions/lazy/lazy.h"

/* Compute an operator on one or two numbers; true if the comparison holds. */
int js_scalar_binary(js_evaluation *e, js_operator op, const js_number *a, const js_number *b,
                     js_number *out);
int js_scalar_unary(js_evaluation *e, js_operator op, const js_number *a, js_number *out);
bool js_scalar_compare(js_operator op, const js_number *a, const js_number *b);
/* Return an operator's sign, "+"; the name of NumPy's ufunc for it, "add". */
const char *js_operator_sign(js_operator op);
const char *js_operator_ufunc(js_operator op);

#endif
