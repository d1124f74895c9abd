/* Reads arguments that only the caller still holds. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_FROM_CALLER_H
#define JS_PROGRAM_VALIDITY_RECOVERED_FROM_CALLER_H

#include "program/validity/locations/context.h"
#include "program/validity/locations/expression.h"

/* Put the argument's value from the frame of its caller; at run time the expression has no value if another
 * caller has called the function. False: the caller does not hold it. */
bool js_truth_put_from_caller(js_truth *truth, const js_variable *argument, js_expr *out);

/* Like js_truth_put_from_caller(), for arrays and scalars, in two steps: the first function pushes whether
 * the caller holds the value; the second pushes the scalar, or the word at the offset of an array's
 * structure. */
bool js_truth_put_held(js_truth *truth, const js_variable *argument, js_expr *out);
bool js_truth_push_held(js_truth *truth, const js_variable *argument, uint64_t offset, js_expr *out);

#endif
