/* Judges each variable at each address of a function; run.c calls it. */
#ifndef JS_PROGRAM_VALIDITY_STATES_SWEEP_H
#define JS_PROGRAM_VALIDITY_STATES_SWEEP_H

#include "program/validity/locations/context.h"

/* Fill the spans of each local. JS_ELIMIT: too large; JS_ENOMEM. */
int js_truth_sweep(js_truth *truth);

#endif
