/* Judges a variable at an address: which version is current, and where it is. sweep.c calls it. */
#ifndef JS_PROGRAM_VALIDITY_STATES_CURRENT_VERSION_H
#define JS_PROGRAM_VALIDITY_STATES_CURRENT_VERSION_H

#include "program/validity/recovered/memory_homes.h"

/* Fill `out` with the local's state at the point. homes: NULL where a version has no home. is_in_order: what
 * the source says of the local at the point's line holds at the point. */
void js_truth_judge(js_truth *truth, const js_local *local, const js_homes *homes, const js_point *point,
                    bool is_in_order, js_verdict *out);
/* Return a version with the type of the value that the line's formula computes; NULL: unknown. */
const js_variable *js_truth_computed_version(const js_truth *truth, const js_local *local,
                                             const js_flow_at *fact);

#endif
