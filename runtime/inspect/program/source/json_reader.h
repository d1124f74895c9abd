/* Reads members of JSON objects that gdbext/jitscope_source/ writes, and keeps the first error. flow_json.c,
 * subscripts.c and session/tuple_fields.c use it. */
#ifndef JS_PROGRAM_SOURCE_JSON_READER_H
#define JS_PROGRAM_SOURCE_JSON_READER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "bytes/arena.h"

/* A reader. Texts belong to the arena. Once `status` is not JS_OK, the results must not be used. */
typedef struct js_source_json {
    js_arena *arena;
    int status; /* JS_EBAD: a member is missing or is something else; JS_ENOMEM */
} js_source_json;

/* Set `status` unless an error is there already; JS_OK is no error. */
void js_source_fail(js_source_json *in, int status);
/* Return room in the arena for `count` items and one more, of `size` bytes each, filled with 0. NULL: there
 * is no memory, which sets `status`. */
void *js_source_room(js_source_json *in, size_t count, size_t size);
/* Return a whole number from 0 to below 10^9. Anything else is an error, and gives 0. */
uint32_t js_source_number(js_source_json *in, const json_t *from, const char *key);
/* Read a whole number that may be missing; true if it is there. Anything else is an error. */
bool js_source_whole(js_source_json *in, const json_t *from, const char *key, int64_t *out);
/* Return a truth value; false where it is missing. Anything else is an error. */
bool js_source_bool(js_source_json *in, const json_t *from, const char *key);
/* Return the text that the value is. Anything else is an error, and gives NULL. */
const char *js_source_string(js_source_json *in, const json_t *value);
/* Return a text; NULL where it is missing or null. Anything else is an error. */
const char *js_source_text(js_source_json *in, const json_t *from, const char *key);
/* Return a text that must be there and not be empty; else an error. */
const char *js_source_name(js_source_json *in, const json_t *from, const char *key);
/* Return the index of a word among these, from 0; 0 where it is missing. Any other word is an error. */
unsigned js_source_word(js_source_json *in, const json_t *from, const char *key, const char *const *words,
                        unsigned count);

#endif
