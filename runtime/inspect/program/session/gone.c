/* Reports functions that the compiler has left no code of, as it has computed their results. */
#include <string.h>

#include "program/model/callees.h"
#include "program/model/object.h"
#include "program/session/line_stops.h"
#include "program/session/program.h"

/* True if the callee has this name, with its module or without. */
static bool is_named(const js_callee *callee, const char *name)
{
    size_t length = strlen(callee->name), whole = strlen(name);
    return whole >= length && strcmp(name + whole - length, callee->name) == 0 &&
           (whole == length || name[whole - length - 1] == '.');
}

int js_program_gone(js_program *program, const char *name, char **out)
{
    *out = NULL;
    js_text text;
    js_text_init(&text, 0);
    js_text_put(&text, "[");
    size_t shown = 0;
    for (size_t o = 0; o < program->nobjects; o++) {
        const js_object *object = program->objects[o];
        for (size_t i = 0; object && i < object->nfunctions; i++) {
            const js_function *function = &object->functions[i];
            for (size_t c = 0; c < function->build.ncallees; c++) {
                const js_callee *callee = &function->build.callees[c];
                if (is_named(callee, name) && !js_callee_has_code(function, callee)) {
                    js_text_put(&text, shown++ ? ", " : "");
                    js_line_put_gone(&text, program, function, callee, 0);
                }
            }
        }
    }
    js_text_put(&text, "]");
    return js_text_give(&text, JS_OK, out);
}
