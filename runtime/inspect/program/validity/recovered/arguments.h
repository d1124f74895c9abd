/* Finds where the arguments are at a function's entry. states/run.c binds them; places.c and from_caller.c
 * ask for those that the function does not keep. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_ARGUMENTS_H
#define JS_PROGRAM_VALIDITY_RECOVERED_ARGUMENTS_H

#include "program/validity/locations/context.h"
#include "program/validity/locations/expression.h"

/* List the offsets of the stack words that arguments are passed in, by the calling convention; none where it
 * is not known how they are passed. */
int js_truth_list_argument_words(js_truth *truth, int64_t *words, size_t capacity, size_t *nwords);
/* Bind the values at entry to the arguments (js_tracked.ids). Needs the track. */
void js_truth_bind_arguments(js_truth *truth);
/* Return where the caller holds the argument, and the return address by which the caller is recognised; NULL:
 * it holds nothing. */
const js_held_argument *js_truth_find_in_caller(js_truth *truth, const js_variable *argument,
                                                uint64_t *returns_to);
/* True if the call passes nothing for the argument, which has its default value. */
bool js_truth_is_omitted(const js_truth *truth, const js_variable *argument);
/* Put the default of such an argument, which the function's linkage name has, if it is a number. */
bool js_truth_put_default(const js_truth *truth, const js_variable *argument, js_expr *out);

#endif
