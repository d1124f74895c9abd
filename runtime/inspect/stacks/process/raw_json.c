#include "stacks/process/raw_json.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/reader.h"
#include "bytes/text.h"
#include "bytes/vector.h"

/* The keys as they are written before a number. In a string their quotes would be escaped, so that no text of
 * the target can look like them. */
enum { KEYS = 2 };
static const char *const keys[KEYS] = {"\"arguments\": ", "\"locals\": "};

void js_raw_json_deinit(js_raw_json *raw)
{
    for (size_t i = 0; i < raw->count; i++) {
        free(raw->texts[i]);
    }
    free(raw->texts);
    *raw = (js_raw_json){0};
}

int js_raw_json_set(js_raw_json *raw, json_t *object, const char *key, const char *text, size_t size)
{
    char **grown = js_vector_reserve(raw->texts, &raw->capacity, raw->count + 1, sizeof *grown);
    if (!grown) {
        return JS_ENOMEM;
    }
    raw->texts = grown;
    grown[raw->count] = strndup(text, size);
    if (!grown[raw->count]) {
        return JS_ENOMEM;
    }
    raw->count++;
    return json_object_set_new(object, key, json_integer((json_int_t)raw->count - 1)) ? JS_ENOMEM : JS_OK;
}

/* Return where the number of a text begins, at or after `at`; NULL: there are no more. `found` has where each
 * key is next, or its NULL where it is not any more: a long text is searched once. */
static char *next_number(char *at, char *found[KEYS])
{
    char *first = NULL;
    for (size_t i = 0; i < KEYS; i++) {
        if (found[i] && found[i] < at) {
            found[i] = strstr(at, keys[i]);
        }
        char *number = found[i] ? found[i] + strlen(keys[i]) : NULL;
        first = number && (!first || number < first) ? number : first;
    }
    return first;
}

int js_raw_json_dump(const js_raw_json *raw, const json_t *whole, char **out)
{
    char *dumped = json_dumps(whole, JSON_ENSURE_ASCII), *at = dumped;
    js_text text;
    *out = NULL;
    if (!dumped) {
        return JS_ENOMEM;
    }
    js_text_init(&text, 0);
    char *found[KEYS];
    for (size_t i = 0; i < KEYS; i++) {
        found[i] = strstr(at, keys[i]);
    }
    for (char *number; (number = next_number(at, found)) != NULL;) {
        char *end;
        size_t index = strtoul(number, &end, 10);
        js_text_putn(&text, at, (size_t)(number - at));
        if (end > number && index < raw->count) {
            js_text_put(&text, raw->texts[index]);
        }
        at = end;
    }
    js_text_put(&text, at);
    free(dumped);
    *out = js_text_take(&text);
    return *out ? JS_OK : JS_ENOMEM;
}
