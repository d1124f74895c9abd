/* Where a variable lives that has one place in the frame. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_HOME_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_HOME_H

#include "program/validity/locations/context.h"

/* [lo, hi) of a variable that has one home in the frame. */
bool js_truth_home(const js_truth *truth, const js_variable *variable, js_extent *home);

#endif
