/* Has the variables and lines of an object's functions analysed, once the whole object is read;
 * js_program_add() calls it. */
#ifndef JS_PROGRAM_SESSION_TRUTHS_H
#define JS_PROGRAM_SESSION_TRUTHS_H

#include "program/model/objects.h"

/* Fill the locals, statements and source of each function of the object that has debug information and no
 * locals yet. Kernels whose parent is not known yet are left out. Asks for the flow of each source
 * (js_flow_fn). JS_ENOMEM. */
int js_program_find_truths(js_program *program, js_object *object);

#endif
