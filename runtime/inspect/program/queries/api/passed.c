/* Lists the Python objects from which a frame's arguments have been made. The wrapper that Python has called
 * keeps their addresses in its frame, and the tuple of arguments keeps the objects alive, until the function
 * returns. */
#include <string.h>

#include "program/machine/caller_frame.h"
#include "program/machine/value_tracking.h"
#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/queries/queries.h"
#include "program/queries/scope.h"
#include "program/read/argument_types.h"
#include "values/base/value.h"

enum { PASSED_SCRATCH = 64 << 20, WORD = 8 };

/* Count the arguments of the linkage name's list. None: a call does not pass all of them, or they are no
 * list. */
static size_t count_passed(const char *text)
{
    size_t count = 0;
    if (!text || *text++ != '(') {
        return 0;
    }
    while (*text && *text != ')') {
        if (js_is_omitted(text)) {
            return 0;
        }
        js_first_argument(text, &text);
        count++;
    }
    return count;
}

/* Fill `caller` if the wrapper has called the function in this frame, and if the function describes each
 * argument, so that their order is that of the wrapper's objects. */
static int find_caller(const js_function *function, const js_frame *frame, js_arena *scratch,
                       js_caller *caller)
{
    uint64_t sizes[JS_CALLER_ARGUMENTS] = {0}, returns_to;
    size_t count = count_passed(function->name.arguments), described = 0;
    for (size_t i = 0; i < function->nvariables; i++) {
        described += function->variables[i].is_argument;
    }
    if (function->name.kind != JS_NAME_FUNCTION || !count || count != described || !frame->cfa) {
        return JS_ENOTFOUND;
    }
    int status = js_caller_init(caller, scratch, function, sizes, count);
    if (status != JS_OK) {
        return status;
    }
    status = js_bytes_read_word(frame->memory, frame->cfa - WORD, &returns_to);
    return status != JS_OK || returns_to != caller->returns_to ? JS_ENOTFOUND : JS_OK;
}

static int put_object(js_text *out, const js_type *type, const js_variable *argument,
                      const js_held_argument *held, const js_frame *frame, const js_render_options *options)
{
    js_value value;
    bool is_exact = true, is_older = false;
    int status = js_value_init_at(&value, type, frame->memory, frame->cfa + (uint64_t)held->object);
    if (status != JS_OK) {
        return status == JS_ENOMEM ? status : JS_OK; /* its memory cannot be read */
    }
    js_text_put(out, out->length > 1 ? ", {" : "{");
    js_text_json_pair(out, "name", argument->base);
    status = js_value_put(out, &value, frame->memory, options, &is_exact, &is_older);
    js_text_put(out, "}");
    js_value_deinit(&value);
    return status;
}

int js_program_passed(js_program *program, js_types *types, const js_frame *frame,
                      const js_render_options *options, char **out)
{
    *out = NULL;
    js_scope scope;
    if (!js_scope_init(&scope, program, frame) || scope.item || !scope.function->object) {
        return JS_ENOTFOUND;
    }
    const js_function *function = scope.function;
    const js_type *type;
    js_arena scratch;
    js_text text;
    js_caller caller;
    size_t position = 0;
    js_arena_init(&scratch, PASSED_SCRATCH);
    js_text_init(&text, 0);
    js_text_put(&text, "[");
    int status = js_types_get(types, "pyobject", NULL, &type);
    status = status ? status : find_caller(function, frame, &scratch, &caller);
    for (size_t i = 0; status == JS_OK && i < function->nvariables; i++) {
        const js_variable *variable = &function->variables[i];
        if (!variable->is_argument) {
            continue;
        }
        const js_held_argument *held = &caller.arguments[position++];
        if (held->object != JS_TRACK_NOWHERE) {
            status = put_object(&text, type, variable, held, frame, options);
        }
    }
    js_text_put(&text, "]");
    js_arena_deinit(&scratch);
    return js_text_give(&text, status, out);
}
