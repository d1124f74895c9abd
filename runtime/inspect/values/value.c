#include "values/value.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/watch.h"
#include "values/render.h"

void js_render_options_init(js_render_options *options)
{
    *options = (js_render_options){.elements = 200, .repeats = 10, .depth = 20, .max_bytes = 64 << 10};
}

static int allocate(js_value *value, const js_type *type)
{
    *value = (js_value){.type = type};
    if (!type) {
        return JS_EARG;
    }
    if (type->size > JS_VALUE_SIZE) {
        return JS_ELIMIT;
    }
    value->contents = malloc(type->size ? type->size : 1);
    return value->contents ? JS_OK : JS_ENOMEM;
}

int js_value_init(js_value *value, const js_type *type, const void *contents, size_t size)
{
    *value = (js_value){.type = type};
    if (!type || size < type->size || (!contents && type->size)) {
        return JS_EARG;
    }
    int status = allocate(value, type);
    if (status == JS_OK && type->size) {
        memcpy(value->contents, contents, type->size);
    }
    return status;
}

int js_value_init_at(js_value *value, const js_type *type, js_bytes *bytes, uint64_t address)
{
    int status = allocate(value, type);
    if (status) {
        return status;
    }
    status = bytes ? js_bytes_read_elements(bytes, address, value->contents, type->size) : JS_EFAULT;
    if (status) {
        js_value_deinit(value);
        return status;
    }
    value->has_address = true;
    value->address = address;
    return JS_OK;
}

void js_value_deinit(js_value *value)
{
    free(value->contents);
    *value = (js_value){0};
}

int js_value_render_text(const js_value *value, js_bytes *bytes, const js_render_options *options,
                         js_text *out)
{
    js_render_options standard;
    js_render_options_init(&standard);
    options = options ? options : &standard;
    js_render render = {.bytes = bytes, .options = options, .out = out, .left = options->max_bytes};
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
    js_render render = {.bytes = bytes, .options = &options, .out = out, .left = options.max_bytes};
    js_question question;
    render.exact = true;
    js_render_begin(&question, bytes);
    js_json_value(&render, value->type, value->contents);
    js_render_end(&render, &question, false);
    *exact = render.exact;
    return out->status;
}

/* Is its JSON not much longer than its text? */
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
    if (status == JS_ELIMIT) { /* more than one answer may hold: the other variables are shown */
        *exact = false;
        js_text_put(out, ", \"value\": null, \"text\": \"<unknown: too long to show>\"");
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

void js_render_begin(js_question *question, js_bytes *bytes)
{
    js_question_begin(question, bytes, JS_RENDER_EFFORT);
}

bool js_render_is_spent(const js_render *render)
{
    return render->values >= JS_RENDER_VALUES || (render->bytes && render->bytes->effort == 0);
}

void js_render_end(js_render *render, const js_question *question, bool is_text)
{
    if (js_render_is_spent(render)) {
        render->exact = false;
        js_text_put(render->out, is_text ? "..." : "");
    }
    js_question_end(question, render->bytes);
}

int js_render_read(js_render *render, uint64_t address, void *buffer, uint64_t size)
{
    if (!render->bytes) {
        return JS_EFAULT;
    }
    if (size > render->left) {
        return JS_ELIMIT;
    }
    render->left -= size;
    return js_bytes_read(render->bytes, address, buffer, size);
}

void js_render_unreadable(js_render *render, uint64_t address, uint64_t size)
{
    render->exact = false;
    if (js_render_is_spent(render)) {
        js_text_put(render->out, "...");
        return;
    }
    js_text_printf(render->out, "<unreadable: 0x%llx (%llu byte%s)>", (unsigned long long)address,
                   (unsigned long long)size, size == 1 ? "" : "s");
}

uint64_t js_render_limit(const js_render *render)
{
    return render->options->elements ? render->options->elements : UINT64_MAX;
}
