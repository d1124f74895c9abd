/* Finds which of the values that the compiler describes are true, and where. */
#ifndef JS_PROGRAM_VALIDITY_STATES_RUN_H
#define JS_PROGRAM_VALIDITY_STATES_RUN_H

#include "program/model/function.h"

/* Fill function->locals (spans included) from its variables, rows and code. `flow` may be NULL (no source at
 * hand: then fewer values are exact). Everything is allocated in the object's arena. */
int js_truth_function(js_object *object, js_types *types, js_function *function, const js_flow *flow);

#endif
