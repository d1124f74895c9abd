/* Variables that the compiler has removed. */
#ifndef JS_PROGRAM_VALIDITY_VARIABLES_REMOVED_VARIABLES_H
#define JS_PROGRAM_VALIDITY_VARIABLES_REMOVED_VARIABLES_H

#include "program/validity/locations/context.h"

/* What the compiler has removed, as nothing reads it, becomes variables. */
int js_truth_dead(js_types *types, js_truth *truth);

#endif
