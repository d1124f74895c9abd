/* Writes a value as text and as JSON: js_value_render_text, js_value_render_json. */
#include "bytes/watch.h"

#include "values/base/rendering.h"
#include "values/base/value.h"
#include "values/objects/pyobject.h"
#include "values/render/render.h"

const js_writers js_value_writers = {js_write_text, js_write_json, js_write_object};

int js_value_render_text(const js_value *value, js_bytes *bytes, const js_render_options *options,
                         js_text *out)
{
    js_render_options standard;
    js_render_options_init(&standard);
    options = options ? options : &standard;
    js_render render = {.bytes = bytes,
                        .options = options,
                        .out = out,
                        .write = &js_value_writers,
                        .left = options->max_bytes};
    js_question question;
    render.exact = true;
    js_render_begin(&question, bytes);
    js_render_value(&render, value->type, value->contents);
    js_render_end(&render, &question, true);
    return out->status;
}

int js_value_render_json(const js_value *value, js_bytes *bytes, js_text *out, bool *exact)
{
    js_render_options options;
    js_render_options_init(&options);
    js_render render = {.bytes = bytes,
                        .options = &options,
                        .out = out,
                        .write = &js_value_writers,
                        .left = options.max_bytes};
    js_question question;
    render.exact = true;
    js_render_begin(&question, bytes);
    js_json_value(&render, value->type, value->contents);
    js_render_end(&render, &question, false);
    *exact = render.exact;
    return out->status;
}

/* True if its JSON is not much longer than its text. */
static bool is_single(const js_type *type)
{
    return (type->kind >= JS_KIND_NONE && type->kind <= JS_KIND_ENUM) || type->kind == JS_KIND_LITERAL;
}

void js_put_older(js_text *out, const char *label)
{
    if (label) {
        js_text_printf(out, " <%s>", label);
    }
}

int js_value_put(js_text *out, const js_value *value, js_bytes *bytes, const js_render_options *options,
                 bool *exact, bool *are_older)
{
    js_text json, text;
    js_question question;
    js_text_init(&json, 0);
    js_text_init(&text, 0);
    *exact = true;
    js_bytes_seen(bytes);
    js_question_begin(&question, bytes, UINT64_MAX);
    int status = JS_OK;
    if (options->brief && !is_single(value->type)) {
        js_text_put(&json, "null");
    } else {
        status = js_value_render_json(value, bytes, &json, exact);
    }
    *are_older = js_bytes_seen(bytes) != NULL;
    if (!status) {
        status = js_value_render_text(value, bytes, options, &text);
    }
    js_question_end(&question, bytes);
    const char *label = js_bytes_seen(bytes); /* a summary may have no elements */
    *are_older |= label != NULL;
    js_put_older(&text, label);
    if (status == JS_ELIMIT) { /* it is longer than one answer may be: the other variables are still shown */
        *exact = false;
        js_text_put(out, ", \"value\": null, \"text\": \"<unknown: its text is longer than 64 MiB>\"");
        status = JS_OK;
    } else if (!status) {
        js_text_printf(out, ", \"value\": %s, ", *exact ? json.data : "null");
        js_text_put(out, "\"text\": ");
        js_text_json_string(out, text.data ? text.data : "", text.length);
    }
    js_text_deinit(&json);
    js_text_deinit(&text);
    return status;
}
