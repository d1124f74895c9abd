/* Finds the yields of a generator; states/run.c calls it. */
#ifndef JS_PROGRAM_VALIDITY_STATEMENTS_YIELDS_H
#define JS_PROGRAM_VALIDITY_STATEMENTS_YIELDS_H

#include "program/validity/locations/context.h"

/* Find the lines of the yields of a generator's own stock code, and the names of its arguments, and tell
 * `types`. JS_ENOMEM. */
int js_truth_find_yields(js_types *types, js_truth *truth);

#endif
