/* Adds the indices of loops that the compiler does not describe; states/run.c calls it. */
#ifndef JS_PROGRAM_VALIDITY_VARIABLES_LOOP_INDICES_H
#define JS_PROGRAM_VALIDITY_VARIABLES_LOOP_INDICES_H

#include "program/validity/locations/context.h"

/* Add these indices to the function's variables. JS_ENOMEM. */
int js_truth_add_loop_indices(js_types *types, js_truth *truth);
/* True if the function has a variable with this name in the source. */
bool js_truth_is_described(const js_function *function, const char *name);
/* True for unoptimised code, which keeps all of its variables in the frame. */
bool js_truth_is_kept_whole(const js_function *function);
/* Add a variable for a definition whose name the compiler does not describe. *all: NULL at first; then the
 * copy of the variables that has room for one of each definition. JS_ENOMEM. */
int js_truth_add_variable(js_truth *truth, js_variable **all, const js_flow_def *def, const js_type *type);

#endif
