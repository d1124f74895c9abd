/* Learns the names of the fields of named tuples and the members of enums; session/program.c calls it. */
#ifndef JS_PROGRAM_SESSION_TUPLE_FIELDS_H
#define JS_PROGRAM_SESSION_TUPLE_FIELDS_H

#include "program/model/objects.h"

/* Ask the source (js_flow_fn with line 0) for the classes that the object's variables have. True if a class
 * got names or lost them: the object's types were made before that, and the object must be read again. */
bool js_program_learn_fields(js_program *program, const js_object *object);

#endif
