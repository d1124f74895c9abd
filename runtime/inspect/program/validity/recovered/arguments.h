/* Where arguments are at entry. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_ARGUMENTS_H
#define JS_PROGRAM_VALIDITY_RECOVERED_ARGUMENTS_H

#include "program/validity/locations/context.h"
#include "program/validity/locations/expression.h"

/* Where each argument's scalars are at entry, by the calling convention; words of the stack are appended. */
int js_truth_arguments(js_truth *truth, int64_t *words, size_t capacity, size_t *nwords);
void js_truth_bind_arguments(js_truth *truth);
/* What of an argument its caller holds, and what its frame must return to for that; NULL: nothing. */
const js_held_argument *js_truth_held(js_truth *truth, const js_variable *argument, uint64_t *returns_to);
/* True if the call passes nothing for the argument, and its type says the default. */
bool js_truth_is_omitted(const js_truth *truth, const js_variable *argument);
/* A number that is the argument's default, where nothing is passed of it: its type says it. */
bool js_truth_put_default(const js_truth *truth, const js_variable *argument, js_expr *out);

#endif
