/* Finds Python's full names of functions, "module.Class.method"; js_program_write() calls it. */
#ifndef JS_PROGRAM_SESSION_QUALIFIED_H
#define JS_PROGRAM_SESSION_QUALIFIED_H

#include "program/model/function.h"

/* Fill `qualified` of the user's functions in `object`, and of those inlined there, and `is_maker`. `objects`
 * are all objects of the program, by id (NULL: forgotten): they show which function each name belongs to, and
 * which functions only make a generator. JS_ENOMEM. */
int js_object_qualify(js_object *object, js_object *const *objects, size_t nobjects);

#endif
