/* The home of a variable: its place in the frame, where it has one for the whole function. Used by the
 * analyses of validity/. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_HOME_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_HOME_H

#include "program/validity/locations/context.h"

/* Find the offsets of the variable's home, as in value_tracking.h; false: it has no home. */
bool js_truth_home(const js_truth *truth, const js_variable *variable, js_extent *home);

#endif
