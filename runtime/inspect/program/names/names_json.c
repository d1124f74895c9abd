/* Writes a name as JSON. */
#include "program/names/names_json.h"

#include <string.h>

static void put_field(js_text *out, const char *key, const char *value)
{
    js_text_put(out, key);
    js_text_json_string(out, value, strlen(value));
}

int js_name_json(const js_name *name, js_text *out)
{
    put_field(out, "{\"kind\": ", js_name_kind_text(name->kind));
    put_field(out, ", \"module\": ", name->module);
    put_field(out, ", \"qualname\": ", name->qualname);
    put_field(out, ", \"arguments\": ", name->arguments);
    put_field(out, ", \"uid\": ", name->uid);
    put_field(out, ", \"flags\": ", name->flags);
    js_text_put(out, name->is_object_mode ? ", \"object_mode\": true" : ", \"object_mode\": false");
    js_text signature;
    js_text_init(&signature, 0);
    int status = js_name_signature(name, &signature);
    if (status == JS_OK) {
        put_field(out, ", \"signature\": ", signature.data ? signature.data : "");
        js_text_put(out, "}");
    }
    js_text_deinit(&signature);
    return status ? status : out->status;
}

/* Move the text to *out, which the caller frees, or return the error; releases `text`. */
static int hand_over(js_text *text, int status, char **out)
{
    status = status ? status : text->status;
    if (status == JS_OK) {
        *out = js_text_take(text);
        status = *out ? JS_OK : JS_ENOMEM;
    }
    js_text_deinit(text);
    return status;
}

int js_api_name_json(const char *symbol, char **out)
{
    *out = NULL;
    js_name name;
    int status = js_name_init(&name, symbol, strlen(symbol));
    if (status) {
        return status;
    }
    js_text text;
    js_text_init(&text, 0);
    status = js_name_json(&name, &text);
    js_name_deinit(&name);
    return hand_over(&text, status, out);
}

int js_api_names_filter(const char *text, size_t length, char **out, size_t *count)
{
    *out = NULL;
    *count = 0;
    js_text result;
    js_text_init(&result, 0);
    js_text_put(&result, "");
    int status = js_names_filter(text, length, &result);
    size_t written = result.length;
    status = hand_over(&result, status, out);
    *count = status ? 0 : written;
    return status;
}
