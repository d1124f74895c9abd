/* Finds where a stock function raises; states/run.c calls it. */
#ifndef JS_PROGRAM_VALIDITY_STATEMENTS_RAISES_H
#define JS_PROGRAM_VALIDITY_STATEMENTS_RAISES_H

#include "program/validity/locations/context.h"

/* Fill statements.raises and hides_raises of the function. JS_ENOMEM. */
int js_truth_find_raises(js_truth *truth);

#endif
