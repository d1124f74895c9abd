/* Arguments that only the caller still holds. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_FROM_CALLER_H
#define JS_PROGRAM_VALIDITY_RECOVERED_FROM_CALLER_H

#include "program/validity/locations/context.h"
#include "program/validity/locations/expression.h"

/* The argument's value where its caller still holds it; nothing at run time where another has called. False:
 * it is not to be had there. */
bool js_truth_put_from_caller(js_truth *truth, const js_variable *argument, js_expr *out);

/* In two steps, of arrays and scalars: is it there, as a number on the expression stack; and then the scalar
 * (of an array's structure, the word at the offset). */
bool js_truth_put_held(js_truth *truth, const js_variable *argument, js_expr *out);
bool js_truth_push_held(js_truth *truth, const js_variable *argument, uint64_t offset, js_expr *out);

#endif
