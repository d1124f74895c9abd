/* Arguments that the compiler does not describe. */
#ifndef JS_PROGRAM_VALIDITY_VARIABLES_UNUSED_ARGUMENTS_H
#define JS_PROGRAM_VALIDITY_VARIABLES_UNUSED_ARGUMENTS_H

#include "program/validity/locations/context.h"

/* Arguments that the compiler does not describe become variables. */
int js_unread_arguments(js_types *types, js_truth *truth);

#endif
