/* Finds types of variables that the compiler describes as pointers; states/run.c calls it. */
#ifndef JS_PROGRAM_VALIDITY_VARIABLES_POINTER_TYPES_H
#define JS_PROGRAM_VALIDITY_VARIABLES_POINTER_TYPES_H

#include "program/validity/locations/context.h"

/* Give variables that the compiler describes as pointers the types that the source shows. Needs truth->flow.
 * JS_ENOMEM. */
int js_nameless_locals(js_types *types, js_truth *truth);

#endif
