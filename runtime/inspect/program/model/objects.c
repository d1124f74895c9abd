/* Looks functions up in all objects of a program. */
#include "program/model/objects.h"

#include "program/model/lookup.h"
#include "program/model/object.h"

js_function *js_program_function(const js_program *program, uint64_t pc)
{
    for (size_t i = program->nobjects; i-- > 0;) {
        js_object *object = program->objects[i];
        if (object && pc >= object->lo && pc < object->hi) {
            js_function *function = js_object_function(object, pc);
            if (function) {
                return function;
            }
        }
    }
    return NULL;
}
