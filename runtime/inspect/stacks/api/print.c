/* js_python_print: evaluates an expression over the names of a Python frame. */
#include "expressions/api/expression_api.h"
#include "stacks/cpython/variables.h"

enum {
    EFFORT = 1 << 26
}; /* effort to find one name, which may be one of thousands in its module (js_question) */

typedef struct frame_names {
    js_python *python;
    js_types *types;
    uint64_t frame;
} frame_names;

static int value_of(void *context, const char *name, js_value *out, js_text *why)
{
    const frame_names *self = context;
    const js_type *type;
    const char *reason;
    uint64_t address;
    js_question question;
    js_question_begin(&question, self->python->bytes, EFFORT);
    int status = js_python_find_variable(self->python, self->frame, name, &address, &reason);
    js_question_end(&question, self->python->bytes);
    if (status) {
        return status;
    }
    if (!address) {
        js_text_printf(why, reason ? "<unknown: %s>" : "<unassigned>", reason);
        return JS_EBAD;
    }
    status = js_types_get(self->types, "pyobject", NULL, &type);
    return status ? status : js_value_init(out, type, &address, sizeof address);
}

int js_python_print(js_python *python, js_types *types, uint64_t address, const char *expression,
                    const js_render_options *options, js_progress_fn progress, void *context, char **out)
{
    frame_names self = {python, types, address};
    const js_surroundings surroundings = {.types = types,
                                          .bytes = python->bytes,
                                          .name = value_of,
                                          .name_context = &self,
                                          .poll = progress,
                                          .poll_context = context};
    js_text text;
    js_memory_reset(&python->memory);
    js_text_init(&text, 0);
    js_text_put(&text, "{");
    js_text_json_pair(&text, "name", expression);
    js_text_put(&text, ", ");
    int status = js_expression_put(&surroundings, expression, options, &text);
    js_text_put(&text, ", \"assigned_line\": null, \"argument\": false}");
    return js_text_give(&text, status, out);
}
