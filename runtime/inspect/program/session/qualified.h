/* Python's full names of functions: "module.Class.method". */
#ifndef JS_PROGRAM_SESSION_QUALIFIED_H
#define JS_PROGRAM_SESSION_QUALIFIED_H

#include "program/model/function.h"

/* Give the user's functions of `object`, and those inlined in it, their full names. The program's `objects`
 * show which functions these are, and which only make a generator. */
int js_object_qualify(js_object *object, js_object *const *objects, size_t nobjects);

#endif
