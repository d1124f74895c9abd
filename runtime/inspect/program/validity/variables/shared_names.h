/* Names that the compiler shares with the user. */
#ifndef JS_PROGRAM_VALIDITY_VARIABLES_SHARED_NAMES_H
#define JS_PROGRAM_VALIDITY_VARIABLES_SHARED_NAMES_H

#include "program/validity/locations/context.h"

/* Takes the compiler's own variables from the locals whose names they have; where which are whose is not
 * beyond doubt, the name has no value anywhere. */
void js_truth_part_names(js_truth *truth);

#endif
