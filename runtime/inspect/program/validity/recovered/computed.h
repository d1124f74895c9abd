/* Computes the value of a variable by the source's formula; states/sweep.c calls it. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_COMPUTED_H
#define JS_PROGRAM_VALIDITY_RECOVERED_COMPUTED_H

#include "program/validity/locations/context.h"
#include "program/validity/recovered/finder.h"

/* Fill `out` with the version's value by a formula (js_flow_at.computed). finder: finds the other variables.
 * False: the value of one of them is not known, or the formula is not supported. */
bool js_truth_compute(js_truth *truth, const js_variable *version, const struct js_node *formula,
                      js_finder *finder, js_expr *out);

#endif
