/* Analyses the variables and lines of an object's functions, once the whole object is read. */
#ifndef JS_PROGRAM_SESSION_TRUTHS_H
#define JS_PROGRAM_SESSION_TRUTHS_H

#include "program/model/objects.h"

/* Finds it, for each function with debug information; the source is asked for its flow. */
int js_program_find_truths(js_program *program, js_object *object);

#endif
