/* Separates variables of the compiler from those of the user with the same name; states/run.c calls it. */
#ifndef JS_PROGRAM_VALIDITY_VARIABLES_SHARED_NAMES_H
#define JS_PROGRAM_VALIDITY_VARIABLES_SHARED_NAMES_H

#include "program/validity/locations/context.h"

/* Remove the compiler's own variables from the locals whose names they have. If it is not certain which
 * versions are the user's, the local has no value anywhere. */
void js_truth_separate_shared_names(js_truth *truth);

#endif
