/* Python's full names of functions: "module.Class.method". */
#ifndef JS_PROGRAM_SESSION_QUALIFIED_H
#define JS_PROGRAM_SESSION_QUALIFIED_H

#include "program/model/function.h"

/* Gives their full names to the user's functions of `object`, and to those that were inlined in it. What
 * these are, and what only makes a generator, the program's `objects` tell. */
int js_object_qualify(js_object *object, js_object *const *objects, size_t nobjects);

#endif
