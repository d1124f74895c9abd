/* Adds variables that the compiler has removed; states/run.c calls it. */
#ifndef JS_PROGRAM_VALIDITY_VARIABLES_REMOVED_VARIABLES_H
#define JS_PROGRAM_VALIDITY_VARIABLES_REMOVED_VARIABLES_H

#include "program/validity/locations/context.h"

/* Add variables that the compiler has removed because nothing reads them, if the source shows their types.
 * JS_ENOMEM. */
int js_truth_add_removed_variables(js_types *types, js_truth *truth);

#endif
