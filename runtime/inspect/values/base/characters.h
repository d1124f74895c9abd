/* Reads the characters of a text, no more than are asked for. Internal to values/. */
#ifndef JS_VALUES_BASE_CHARACTERS_H
#define JS_VALUES_BASE_CHARACTERS_H

#include "values/base/rendering.h"

/* Characters that were read. */
typedef struct js_characters {
    uint32_t *codes;                /* owned */
    uint64_t count;                 /* number of characters that were read */
    uint64_t total;                 /* number of characters that the text has */
    uint64_t bad_address, bad_size; /* what could not be read; bad_size 0: all could */
} js_characters;
/* Read at most `limit` characters of a JS_KIND_STR, JS_KIND_BYTES or JS_KIND_CHARSEQ. JS_EBAD: the value is
 * invalid, and `why` gets the reason. The caller calls js_characters_deinit. */
int js_characters_init(js_characters *characters, js_render *render, const js_type *type,
                       const uint8_t *contents, uint64_t limit, js_text *why);
void js_characters_deinit(js_characters *characters);

#endif
