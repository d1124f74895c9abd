/* The value of a variable by what the source makes it of. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_COMPUTED_H
#define JS_PROGRAM_VALIDITY_RECOVERED_COMPUTED_H

#include "program/validity/locations/context.h"
#include "program/validity/recovered/finder.h"

/* The version's value by js_flow_at.computed. False: not all of it is known. */
bool js_truth_compute(js_truth *truth, const js_variable *version, const struct js_node *formula,
                      js_finder *finder, js_expr *out);

#endif
