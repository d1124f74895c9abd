/* Finds the flow of inlined code among the functions of the program. */
#include "program/elements/source_flow.h"

#include <string.h>

#include "program/model/lookup.h"
#include "program/model/object.h"

const js_flow *js_pending_flow(const js_program *program, const js_function *function, const js_inline *item)
{
    const char *path = js_object_path(function->object, item->file);
    for (size_t o = 0; o < program->nobjects; o++) {
        const js_object *object = program->objects[o];
        for (size_t i = 0; object && i < object->nfunctions; i++) {
            const js_function *other = &object->functions[i];
            if (other->source.flow && !other->region.parent && other->line == item->line &&
                strcmp(js_object_path(object, other->file), path) == 0) {
                return other->source.flow;
            }
        }
    }
    return NULL;
}
