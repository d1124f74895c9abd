/* Names of the fields of named tuples. */
#ifndef JS_PROGRAM_SESSION_TUPLE_FIELDS_H
#define JS_PROGRAM_SESSION_TUPLE_FIELDS_H

#include "program/model/objects.h"

/* tuple_fields.c: learn the fields' names of named tuples, which only the source has. True if a type of the
 * object got names that it was made without. */
bool js_program_learn_fields(js_program *program, const js_object *object);

#endif
