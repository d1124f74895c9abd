/* The yields of a generator. */
#ifndef JS_PROGRAM_VALIDITY_STATEMENTS_YIELDS_H
#define JS_PROGRAM_VALIDITY_STATEMENTS_YIELDS_H

#include "program/validity/locations/context.h"

/* Finds the lines of the yields of a generator's own code without the hook, and its arguments' names. */
int js_truth_stops(js_types *types, js_truth *truth);

#endif
