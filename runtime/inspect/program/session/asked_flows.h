/* Asks the program's callback (js_flow_fn) for the flows of sources. session/truths.c and
 * session/line_stops.c call it. */
#ifndef JS_PROGRAM_SESSION_ASKED_FLOWS_H
#define JS_PROGRAM_SESSION_ASKED_FLOWS_H

#include "program/model/function.h"
#include "program/model/objects.h"

/* Read the flow of the function for the types of its arguments, into the object's arena. False: its source is
 * not at hand. Both this function and js_flow_of_inlined() need program->flow. */
bool js_flow_of_function(js_program *program, js_object *object, const js_function *function, js_flow *flow);
/* Fill item->flow where the source is at hand. JS_ENOMEM. */
int js_flow_of_inlined(js_program *program, js_object *object, js_inline *item);
/* Return how the user can ask for level steps for the callee; JS_ASKS_DECORATOR where its source is not at
 * hand. */
js_asks js_flow_asks_of_callee(js_program *program, const js_callee *callee);
/* Copy the structure to the object's arena, without what it refers to. JS_ENOMEM. */
int js_flow_keep(js_object *object, const js_flow *flow, const js_flow **out);
/* True if both are inlined calls of one function with variables of equal types, which have one flow. */
bool js_flow_is_shared(const js_inline *one, const js_inline *other);

#endif
