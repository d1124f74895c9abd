/* Values that the source or the type says. */
#ifndef JS_PROGRAM_VALIDITY_VARIABLES_CONSTANTS_H
#define JS_PROGRAM_VALIDITY_VARIABLES_CONSTANTS_H

#include "program/validity/locations/context.h"
#include "program/validity/locations/verdict.h"

bool js_truth_put_literal(const js_variable *version, const char *literal, js_verdict *out);
/* What the definition gives, where the source or the version's type says all of it. */
bool js_truth_put_constant(const js_variable *version, const js_flow_def *def, js_verdict *out);
/* An empty tuple or None that is never assigned anew: its type says all. */
bool js_truth_put_only_argument(const js_truth *truth, const js_local *local, js_verdict *out);
/* LLVM leaves out what makes bits that nobody asks for, and then calls what is left the variable. */
bool js_truth_is_altered(const js_flow_def *def, const js_variable *version);

#endif
