/* Evaluates expressions over variables that are given as bytes, for callers that hold only pointers (ctypes).
 */
#include "expressions/api/expression_api.h"

#include <string.h>

#include "bytes/watch.h"
#include "expressions/api/expression.h"
#include "expressions/api/result.h"

static int find(void *context, const char *name, js_value *out, js_text *why)
{
    const js_api_variables *all = context;
    (void)why;
    for (size_t i = 0; i < all->count; i++) {
        if (strcmp(all->at[i].name, name) == 0) {
            const js_type *type;
            int status = js_types_get(all->types, all->at[i].type, NULL, &type);
            return status ? status : js_value_init(out, type, all->at[i].contents, all->at[i].size);
        }
    }
    return JS_ENOTFOUND;
}

js_surroundings js_api_surroundings(js_api_variables *variables, js_bytes *bytes, js_progress_fn poll,
                                    void *poll_context)
{
    return (js_surroundings){.types = variables->types,
                             .bytes = bytes,
                             .name = find,
                             .name_context = variables,
                             .poll = poll,
                             .poll_context = poll_context};
}

int js_expression_put(const js_surroundings *surroundings, const char *expression,
                      const js_render_options *options, js_text *out)
{
    js_expression *x;
    js_text why, text, json;
    size_t at;
    bool exact = true, json_exact = true;
    js_question question;
    js_question_begin(&question, surroundings->bytes, UINT64_MAX);
    js_bytes_seen(surroundings->bytes);
    js_text_init(&why, 0);
    js_text_init(&text, 0);
    js_text_init(&json, 0);
    int status = js_expression_create(surroundings, expression, &x, &why, &at);
    status = status ? status : js_expression_text(x, options, &text, &exact, &why);
    status = status ? status : js_expression_json(x, &json, &json_exact, &why);
    const char *label = js_bytes_seen(surroundings->bytes);
    if (status == JS_OK) {
        js_put_older(&text, label);
        exact = exact && json_exact;
        js_text_json_pair(out, "type", js_expression_type(x));
        js_text_printf(out, ", \"state\": \"%s\", \"value\": ",
                       !exact  ? "unknown"
                       : label ? "older"
                               : "exact");
        js_text_put(out, exact ? json.data : "null");
        js_text_put(out, ", \"text\": ");
        js_text_json_string(out, text.data ? text.data : "", text.length);
    } else if (status != JS_ECANCEL) {
        js_text_json_pair(out, "error", why.length ? why.data : js_strerror(status));
        if (at == SIZE_MAX) {
            js_text_put(out, ", \"offset\": null");
        } else {
            js_text_printf(out, ", \"offset\": %zu", at);
        }
        status = JS_OK;
    }
    js_expression_destroy(x);
    js_question_end(&question, surroundings->bytes);
    js_text_deinit(&why);
    js_text_deinit(&text);
    js_text_deinit(&json);
    return status ? status : out->status;
}

int js_api_evaluate(js_types *types, js_bytes *bytes, const js_api_variable *variables, size_t count,
                    const char *expression, const js_render_options *options, js_progress_fn poll,
                    void *poll_context, char **out)
{
    js_api_variables given = {types, variables, count};
    js_surroundings surroundings = js_api_surroundings(&given, bytes, poll, poll_context);
    js_text text;
    js_text_init(&text, 0);
    js_text_put(&text, "{");
    int status = js_expression_put(&surroundings, expression, options, &text);
    js_text_put(&text, "}");
    return js_text_give(&text, status, out);
}
