/* Values of versions wherever the compiler keeps them, and labels of versions that it does not keep.
 * current_version.c and in_memory.c use them. */
#ifndef JS_PROGRAM_VALIDITY_STATES_VALUES_H
#define JS_PROGRAM_VALIDITY_STATES_VALUES_H

#include "program/validity/locations/context.h"
#include "program/validity/locations/verdict.h"

/* Reasons. Spans are joined if their reasons have one address, so each reason is one object. */
extern const char js_reason_some_paths[], js_reason_moved[], js_reason_not_kept[];

/* Set the verdict to a state without a value. */
void js_truth_label(js_verdict *out, js_state state, const js_variable *version, const char *reason);
/* Set the verdict to the version's value in any place that the compiler names, or to a label. Call it only
 * for the current version, and only if it has had one value. */
void js_truth_put_version(js_truth *truth, const js_variable *version, const js_point *point,
                          js_verdict *out);
/* Return the local's version that came in as an argument, or NULL. */
const js_variable *js_truth_argument_of(const js_local *local);
/* True in a kernel if all definitions that reach are outside of the kernel's loop: the value came in as an
 * argument. */
bool js_truth_is_outside(const js_truth *truth, const js_flow_at *fact);
/* Set the verdict to the value that came in as an argument, wherever it still is; false: it is nowhere. */
bool js_truth_put_argument(js_truth *truth, const js_local *local, const js_point *point, js_verdict *out);
/* Like js_truth_put_argument(), but from the caller's copy only: the compiler's one variable of this name may
 * be a later version. */
bool js_truth_put_passed(js_truth *truth, const js_local *local, js_verdict *out);
/* Like js_truth_put_argument(), but the argument may have been assigned since. */
bool js_truth_put_entry(js_truth *truth, const js_local *local, const js_point *point, js_verdict *out);
/* Return the only definition that reaches the line of `fact`, which may be NULL; NULL: there is none, or
 * several. */
const js_flow_def *js_truth_single_def(const js_truth *truth, const js_flow_at *fact);

#endif
