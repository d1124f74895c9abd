/* An array: its descriptor, checked, and its elements, read no more than asked for. Internal to values/. */
#ifndef JS_VALUES_BASE_ARRAY_H
#define JS_VALUES_BASE_ARRAY_H

#include "values/base/rendering.h"

/* Checked: `why` receives "<unknown: …>" with JS_EBAD. */
int js_array_check(js_array_view *view, const js_type *type, const uint8_t *contents, js_text *why);
typedef struct js_elements {
    uint8_t *storage; /* owned; NULL for inline ones */
    const uint8_t *raw;
    uint64_t count; /* readable, from the first on, C order */
    uint64_t bad_address, bad_size;
} js_elements;
/* Up to `limit` elements; one read a contiguous run. */
int js_elements_init(js_elements *elements, js_render *render, const js_array_view *view, uint64_t limit);
void js_elements_deinit(js_elements *elements);
/* (2, 3), (2,) */
void js_put_tuple(js_text *out, const int64_t *items, unsigned count);

#endif
