/* Checks the descriptors of arrays, and reads elements, no more than are asked for. Internal to values/. */
#ifndef JS_VALUES_BASE_ARRAY_H
#define JS_VALUES_BASE_ARRAY_H

#include "values/base/rendering.h"

/* Check the descriptor `contents` of an array of this type, and give it as a view. JS_EBAD: it is invalid,
 * and `why` gets "<unknown: …>". */
int js_array_check(js_array_view *view, const js_type *type, const uint8_t *contents, js_text *why);
/* Elements that were read. */
typedef struct js_elements {
    uint8_t *storage;   /* owned; NULL if the elements are in the value itself */
    const uint8_t *raw; /* the elements' bytes, in C order */
    uint64_t count;     /* how many could be read, from the first on */
    uint64_t bad_address, bad_size;
} js_elements;
/* Read up to `limit` elements of a view, with one read for each contiguous run. The caller calls
 * js_elements_deinit. */
int js_elements_init(js_elements *elements, js_render *render, const js_array_view *view, uint64_t limit);
void js_elements_deinit(js_elements *elements);
/* Append a tuple: (2, 3) or (2,). */
void js_put_tuple(js_text *out, const int64_t *items, unsigned count);

#endif
