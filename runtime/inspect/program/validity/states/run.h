/* Finds which of the values that the compiler describes are true, and where. session/truths.c calls it for
 * each stock function. */
#ifndef JS_PROGRAM_VALIDITY_STATES_RUN_H
#define JS_PROGRAM_VALIDITY_STATES_RUN_H

#include "program/model/function.h"

/* Fill function->locals with their states, function->statements and the rest of the function, from its
 * variables, rows and code. flow NULL: no source is at hand, and fewer values are exact. Everything is
 * allocated in the object's arena. JS_ELIMIT: too large; JS_ENOMEM. */
int js_truth_function(js_object *object, js_types *types, js_function *function, const js_flow *flow);

#endif
