/* Describes an array for `jit array`, and lists the frame's other arrays that lie in the same memory. */
#include <string.h>

#include "program/queries/namespace.h"
#include "program/queries/queries.h"
#include "program/queries/variable_at.h"

/* Append the name of each variable whose elements lie between the same addresses. */
static int put_overlaps(js_text *out, const js_scope *scope, const js_frame *frame,
                        const js_array_place *place, const char *expression)
{
    js_text_put(out, ", \"overlaps\": [");
    size_t shown = 0;
    for (size_t i = 0; i < scope->nlocals && place->is_known; i++) {
        const js_local *local = &scope->locals[i];
        js_found_variable sight;
        js_array_view view;
        js_array_place other;
        if (strcmp(local->name, expression) == 0) {
            continue;
        }
        int status = js_found_variable_init(&sight, scope->function, local, frame);
        if (status) {
            return status;
        }
        if (sight.has_value && !js_array_view_init(&view, &sight.value) && js_array_place_of(&view, &other) &&
            other.low < place->high && place->low < other.high) {
            js_text_put(out, shown++ ? ", " : "");
            js_text_json_string(out, local->name, strlen(local->name));
        }
        js_sight_deinit(&sight);
    }
    js_text_put(out, "]");
    return JS_OK;
}

int js_program_array(js_program *program, const js_frame *frame, const char *expression,
                     const js_array_request *request, const js_render_options *options, js_bytes *data,
                     js_progress_fn progress, void *context, char **out)
{
    *out = NULL;
    js_scope scope;
    if (!js_scope_init(&scope, program, frame)) {
        return JS_ENOTFOUND;
    }
    js_namespace in = {&scope, frame, expression, NULL};
    js_surroundings surroundings = js_namespace_surroundings(&in, program, data, progress, context);
    js_text text;
    js_array_place place;
    js_text_init(&text, 0);
    js_text_put(&text, "{");
    int status = js_array_put(&surroundings, expression, request, options, &text, &place);
    if (!status) {
        status = put_overlaps(&text, &scope, frame, &place, expression);
    }
    js_text_put(&text, "}");
    return js_text_give(&text, status, out);
}
