/* Looks names of an expression up in a frame, in the function around its parallel loop, and in its module. */
#include "program/queries/namespace.h"

#include <string.h>

/* Find a name of the function's module; its value is the interpreter's object. */
static int global_of(const js_namespace *in, const char *name, js_value *out)
{
    const js_type *type;
    uint64_t address;
    if (!in->program->global || in->program->global(in->program->global_context, name, &address)) {
        return JS_ENOTFOUND;
    }
    int status = js_types_get(in->program->types, "pyobject", NULL, &type);
    return status ? status : js_value_init(out, type, &address, sizeof address);
}

int js_namespace_find(const js_program *program, const js_scope *own, const js_frame *frame, const char *name,
                      js_found_variable *out)
{
    const js_local *local = js_scope_local(own, name, strlen(name));
    int status = local ? js_found_variable_init(out, own->function, local, frame) : JS_ENOTFOUND;
    if ((local && (status || out->has_value)) || !program->enclosing) {
        return status;
    }
    js_scope scope;
    js_found_variable sight;
    if (program->enclosing(program->enclosing_context, name, &frame) ||
        !js_scope_init(&scope, program, frame)) {
        return status;
    }
    const js_local *outside = js_scope_local(&scope, name, strlen(name));
    int found = outside ? js_found_variable_init(&sight, scope.function, outside, frame) : JS_ENOTFOUND;
    if (found) {
        return status;
    }
    if (local && !sight.has_value) { /* the label of the loop's own variable explains more */
        js_sight_deinit(&sight);
        return status;
    }
    *out = sight; /* the frame's own variable has no value to release */
    return JS_OK;
}

static int value_of(void *context, const char *name, js_value *out, js_text *why)
{
    const js_namespace *in = context;
    js_found_variable sight;
    int status = js_namespace_find(in->program, in->scope, in->frame, name, &sight);
    if (status) {
        return status == JS_ENOTFOUND ? global_of(in, name, out) : status;
    }
    const char *part = "";
    if (sight.has_value && sight.has_free_stride && strstr(in->expression, ".strides")) {
        sight.state = JS_STATE_OPTIMIZED_OUT;
        part = ".strides";
    } else if (sight.has_value) {
        *out = sight.value;
        sight.has_value = false;
        sight.value = (js_value){0};
        js_sight_deinit(&sight);
        return JS_OK;
    }
    js_text_printf(why, "`%s%s` is ", name, part);
    js_sight_put_label(why, sight.state, sight.reason);
    js_sight_deinit(&sight);
    return JS_EBAD;
}

js_surroundings js_namespace_surroundings(js_namespace *in, js_program *program, js_bytes *data,
                                          js_progress_fn progress, void *context)
{
    in->program = program;
    return (js_surroundings){.types = program->types,
                             .bytes = data ? data : in->frame->memory,
                             .name = value_of,
                             .name_context = in,
                             .poll = progress,
                             .poll_context = context};
}
