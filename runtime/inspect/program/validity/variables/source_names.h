/* The source's names of variables. */
#ifndef JS_PROGRAM_VALIDITY_VARIABLES_SOURCE_NAMES_H
#define JS_PROGRAM_VALIDITY_VARIABLES_SOURCE_NAMES_H

#include "program/validity/locations/context.h"

/* Gives variables the source's names where the compiler writes others, and takes away what is
 * its own. Before all others. */
void js_source_names(js_truth *truth);

#endif
