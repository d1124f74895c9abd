/* Members of JSON objects that the source's Python writes, and the first error among them. */
#ifndef JS_PROGRAM_SOURCE_JSON_READER_H
#define JS_PROGRAM_SOURCE_JSON_READER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "bytes/arena.h"

/* What reads: texts belong to the arena. Once `status` is not JS_OK, what is read is not to be used. */
typedef struct js_source_json {
    js_arena *arena;
    int status; /* JS_EBAD: a member is missing or is something else; JS_ENOMEM */
} js_source_json;

/* Keeps the first error; JS_OK is none. */
void js_source_fail(js_source_json *in, int status);
/* Zeroed room for items in the arena, and for one more; NULL: there is none, which is an error. */
void *js_source_room(js_source_json *in, size_t count, size_t size);
/* A whole number from 0 below 10^9; 0 for anything else, which is an error. */
uint32_t js_source_number(js_source_json *in, const json_t *from, const char *key);
/* A whole number that may be missing; returns whether it is there. */
bool js_source_whole(js_source_json *in, const json_t *from, const char *key, int64_t *out);
/* False, too: it is missing. */
bool js_source_bool(js_source_json *in, const json_t *from, const char *key);
/* The text that the value is; NULL for anything else, which is an error. */
const char *js_source_string(js_source_json *in, const json_t *value);
/* NULL: it is missing, or null. */
const char *js_source_text(js_source_json *in, const json_t *from, const char *key);
/* A text that is there and not empty. */
const char *js_source_name(js_source_json *in, const json_t *from, const char *key);
/* The number of a word among these, 0 where it is missing; an error where it is none of them. */
unsigned js_source_word(js_source_json *in, const json_t *from, const char *key, const char *const *words,
                        unsigned count);

#endif
