/* Evaluates one expression over a frame's variables, and writes its value. */
#include <ctype.h>

#include "expressions/api/expression_api.h"
#include "program/queries/namespace.h"
#include "program/queries/queries.h"
#include "program/queries/variable_at.h"

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_' ||
           (unsigned char)text[length] >= 0x80) {
        length++;
    }
    return length;
}

/* Return the local if the expression is nothing but a name; else NULL. */
static const js_local *only_name(const js_scope *scope, const char *expression)
{
    while (isspace((unsigned char)*expression)) {
        expression++;
    }
    size_t length = name_length(expression);
    const char *rest = expression + length;
    while (isspace((unsigned char)*rest)) {
        rest++;
    }
    return *rest ? NULL : js_scope_local(scope, expression, length);
}

int js_program_print(js_program *program, const js_frame *frame, const char *expression,
                     const js_render_options *options, js_bytes *data, js_progress_fn progress, void *context,
                     char **out)
{
    *out = NULL;
    js_scope scope;
    if (!js_scope_init(&scope, program, frame)) {
        return JS_ENOTFOUND;
    }
    js_text text;
    js_text_init(&text, 0);
    js_text_put(&text, "{");
    const js_local *local = only_name(&scope, expression);
    int status;
    if (local) {
        js_found_variable sight;
        status = js_namespace_find(program, &scope, frame, local->name, &sight);
        if (!status) {
            status = js_sight_put(&text, &sight, frame, options);
            js_sight_deinit(&sight);
        }
    } else {
        js_namespace in = {&scope, frame, expression, NULL};
        js_surroundings surroundings = js_namespace_surroundings(&in, program, data, progress, context);
        js_text_json_pair(&text, "name", expression);
        js_text_put(&text, ", ");
        status = js_expression_put(&surroundings, expression, options, &text);
        js_text_put(&text, ", \"assigned_line\": null, \"argument\": false");
    }
    js_text_put(&text, "}");
    return js_text_give(&text, status, out);
}
