/* Types of variables that the compiler calls pointers. */
#ifndef JS_PROGRAM_VALIDITY_VARIABLES_POINTER_TYPES_H
#define JS_PROGRAM_VALIDITY_VARIABLES_POINTER_TYPES_H

#include "program/validity/locations/context.h"

/* Find types of variables that the compiler calls pointers, as far as the source shows them. */
int js_nameless_locals(js_types *types, js_truth *truth);

#endif
