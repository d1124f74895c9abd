/* Relates the versions of a variable to the definitions of the source, for validity/recovered/ and
 * validity/states/. */
#ifndef JS_PROGRAM_VALIDITY_VARIABLES_VERSIONS_H
#define JS_PROGRAM_VALIDITY_VARIABLES_VERSIONS_H

#include "program/validity/locations/context.h"

/* True if this argument of a kernel holds the current value of a name that is assigned outside of the
 * kernel's loop. Because the compiler follows copies, an argument with the name may also be an older value.
 */
bool js_truth_is_passed(const js_truth *truth, const js_local *local, const js_flow_at *fact,
                        const js_variable *argument);

/* True if the name is assigned in the body of a `finally`, which is compiled several times, and makes a
 * version each time. */
bool js_truth_is_copied(const js_flow *flow, const char *name);
/* True if the definition is that of an argument of the function. */
bool js_truth_is_argument_def(const js_truth *truth, const js_flow_def *def);
/* Return the version that this definition makes, or NULL. */
js_variable *js_truth_version(const js_truth *truth, const js_local *local, const js_flow_def *def);
/* True if every version that a statement makes has the line of a definition. */
bool js_truth_source_matches(const js_truth *truth, const js_local *local);
/* Like js_truth_source_matches(), if assignments without a version are left out: the compiler removed them,
 * and numbered the others. */
bool js_truth_matches_without_removed(const js_truth *truth, const js_local *local);
/* Return the reason why an assignment that may be current has no version; NULL: all of them have one. */
const char *js_truth_removed(const js_truth *truth, const js_local *local, const js_flow_at *fact);

#endif
