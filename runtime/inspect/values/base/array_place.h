/* Where in memory the elements of an array lie. */
#ifndef JS_VALUES_BASE_ARRAY_PLACE_H
#define JS_VALUES_BASE_ARRAY_PLACE_H

#include "values/base/value.h"

typedef struct js_array_place {
    bool is_known;
    uint64_t low, high; /* addresses: from the first byte of the lowest element to behind the highest */
} js_array_place;

/* Where a view's elements lie; false for empty ones. */
bool js_array_place_of(const js_array_view *view, js_array_place *out);

#endif
