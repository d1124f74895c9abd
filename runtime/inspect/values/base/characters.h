/* The characters of a text, read no further than asked for. Internal to values/. */
#ifndef JS_VALUES_BASE_CHARACTERS_H
#define JS_VALUES_BASE_CHARACTERS_H

#include "values/base/rendering.h"

typedef struct js_characters {
    uint32_t *codes;                /* owned */
    uint64_t count;                 /* read */
    uint64_t total;                 /* that the string has */
    uint64_t bad_address, bad_size; /* what could not be read; bad_size 0: all could */
} js_characters;
/* Reads a JS_KIND_STR, JS_KIND_BYTES or JS_KIND_CHARSEQ; at most `limit` characters. JS_EBAD: `why` says. */
int js_characters_init(js_characters *characters, js_render *render, const js_type *type,
                       const uint8_t *contents, uint64_t limit, js_text *why);
void js_characters_deinit(js_characters *characters);

#endif
