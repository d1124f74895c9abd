/* Where a function raises. */
#ifndef JS_PROGRAM_VALIDITY_STATEMENTS_RAISES_H
#define JS_PROGRAM_VALIDITY_STATEMENTS_RAISES_H

#include "program/validity/locations/context.h"

/* Fills function->raises. */
int js_truth_raises(js_truth *truth);

#endif
