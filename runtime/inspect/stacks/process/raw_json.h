/* Texts of JSON that become a part of a larger one as they are. The library that makes the larger one has no
 * integers beyond 64 bits and no half of a surrogate pair, and values have both. */
#ifndef JS_STACKS_PROCESS_RAW_JSON_H
#define JS_STACKS_PROCESS_RAW_JSON_H

#include <jansson.h>
#include <stddef.h>

typedef struct js_raw_json {
    char **texts; /* owned; by number */
    size_t count, capacity;
} js_raw_json;

void js_raw_json_deinit(js_raw_json *raw);
/* Let a member of the object be a text of JSON, which is copied. Its key must be one that stands for such
 * texts alone: "arguments" or "locals". JS_ENOMEM. */
int js_raw_json_set(js_raw_json *raw, json_t *object, const char *key, const char *text, size_t size);
/* Give the whole as text, in ASCII but for these texts. The caller frees *out with js_free. JS_ENOMEM. */
int js_raw_json_dump(const js_raw_json *raw, const json_t *whole, char **out);

#endif
