/* Checks the members of a JSON object as it reads them. */
#include "program/source/json_reader.h"

#include <string.h>

#include "bytes/status.h"

enum { NUMBERS = 1000000000 };

void js_source_fail(js_source_json *in, int status)
{
    in->status = in->status ? in->status : status;
}

void *js_source_room(js_source_json *in, size_t count, size_t size)
{
    void *room = js_arena_alloc(in->arena, (count + 1) * size);
    if (!room) {
        js_source_fail(in, JS_ENOMEM);
    }
    return room;
}

uint32_t js_source_number(js_source_json *in, const json_t *from, const char *key)
{
    const json_t *value = json_object_get(from, key);
    json_int_t number = json_integer_value(value);
    bool is_number = json_is_integer(value) && number >= 0 && number < NUMBERS;
    if (!is_number) {
        js_source_fail(in, JS_EBAD);
    }
    return is_number ? (uint32_t)number : 0;
}

bool js_source_whole(js_source_json *in, const json_t *from, const char *key, int64_t *out)
{
    const json_t *value = json_object_get(from, key);
    if (value && !json_is_integer(value)) {
        js_source_fail(in, JS_EBAD);
    }
    *out = json_integer_value(value);
    return value != NULL;
}

bool js_source_bool(js_source_json *in, const json_t *from, const char *key)
{
    const json_t *value = json_object_get(from, key);
    if (value && !json_is_boolean(value)) {
        js_source_fail(in, JS_EBAD);
    }
    return json_is_true(value);
}

const char *js_source_string(js_source_json *in, const json_t *value)
{
    const char *text = json_is_string(value) ? js_arena_strdup(in->arena, json_string_value(value)) : NULL;
    if (!text) {
        js_source_fail(in, json_is_string(value) ? JS_ENOMEM : JS_EBAD);
    }
    return text;
}

const char *js_source_text(js_source_json *in, const json_t *from, const char *key)
{
    const json_t *value = json_object_get(from, key);
    return !value || json_is_null(value) ? NULL : js_source_string(in, value);
}

const char *js_source_name(js_source_json *in, const json_t *from, const char *key)
{
    const char *name = js_source_text(in, from, key);
    if (!name || !*name) {
        js_source_fail(in, JS_EBAD);
    }
    return name;
}

unsigned js_source_word(js_source_json *in, const json_t *from, const char *key, const char *const *words,
                        unsigned count)
{
    const json_t *value = json_object_get(from, key);
    const char *word = json_string_value(value);
    for (unsigned i = 0; word && i < count; i++) {
        if (strcmp(word, words[i]) == 0) {
            return i;
        }
    }
    if (value) {
        js_source_fail(in, JS_EBAD);
    }
    return 0;
}
