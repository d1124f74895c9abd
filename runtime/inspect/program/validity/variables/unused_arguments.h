/* Adds arguments that the compiler does not describe; states/run.c calls it. */
#ifndef JS_PROGRAM_VALIDITY_VARIABLES_UNUSED_ARGUMENTS_H
#define JS_PROGRAM_VALIDITY_VARIABLES_UNUSED_ARGUMENTS_H

#include "program/validity/locations/context.h"

/* Add these arguments to the function's variables. JS_ENOMEM. */
int js_truth_add_unused_arguments(js_types *types, js_truth *truth);

#endif
