/* What loops number their iterations with. */
#ifndef JS_PROGRAM_VALIDITY_VARIABLES_LOOP_INDICES_H
#define JS_PROGRAM_VALIDITY_VARIABLES_LOOP_INDICES_H

#include "program/validity/locations/context.h"

/* Makes variables of what loops number their iterations with. */
int js_truth_indices(js_types *types, js_truth *truth);
bool js_truth_is_described(const js_function *function, const char *name);
/* Unoptimised code keeps all of its variables in the frame. */
bool js_truth_is_kept_whole(const js_function *function);
/* A name that the compiler describes nothing of. *all: NULL at first; room for one of each definition. */
int js_truth_add_variable(js_truth *truth, js_variable **all, const js_flow_def *def, const js_type *type);

#endif
