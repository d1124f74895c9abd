/* Values that the source or the type of a variable gives; validity/states/ asks for them. */
#ifndef JS_PROGRAM_VALIDITY_VARIABLES_CONSTANTS_H
#define JS_PROGRAM_VALIDITY_VARIABLES_CONSTANTS_H

#include "program/validity/locations/context.h"
#include "program/validity/locations/verdict.h"

/* Set the verdict to an int or float as Python writes it; false: the version's type does not fit. */
bool js_truth_put_literal(const js_variable *version, const char *literal, js_verdict *out);
/* Set the verdict to the definition's value, if the source or the version's type has all of it. */
bool js_truth_put_constant(const js_variable *version, const js_flow_def *def, js_verdict *out);
/* Set the verdict to an empty tuple or None for an argument that is never assigned: its type has the value.
 */
bool js_truth_put_only_argument(const js_truth *truth, const js_local *local, js_verdict *out);
/* True if LLVM may describe another value than the definition's (is_folded, is_narrow and is_negated of
 * js_flow_def): it leaves out code for bits that are not used, and calls the result the variable. */
bool js_truth_is_altered(const js_flow_def *def, const js_variable *version);

#endif
