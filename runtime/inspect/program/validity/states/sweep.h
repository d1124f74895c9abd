/* Judges each variable at each address of a function. */
#ifndef JS_PROGRAM_VALIDITY_STATES_SWEEP_H
#define JS_PROGRAM_VALIDITY_STATES_SWEEP_H

#include "program/validity/locations/context.h"

/* Fill the spans of each local. */
int js_truth_sweep(js_truth *truth);

#endif
