/* Gives variables their names in the source; states/run.c calls it. */
#ifndef JS_PROGRAM_VALIDITY_VARIABLES_SOURCE_NAMES_H
#define JS_PROGRAM_VALIDITY_VARIABLES_SOURCE_NAMES_H

#include "program/validity/locations/context.h"

/* Give variables the source's names where the compiler writes others, and remove variables of its own. Call
 * it before all other analyses. */
void js_source_names(js_truth *truth);

#endif
