/* Finds where in memory the elements of an array lie. */
#ifndef JS_VALUES_BASE_ARRAY_PLACE_H
#define JS_VALUES_BASE_ARRAY_PLACE_H

#include "values/base/value.h"

/* The range of memory that an array's elements lie in. */
typedef struct js_array_place {
    bool is_known;
    uint64_t low, high; /* addresses of the first byte of the lowest element, and of the end of the highest */
} js_array_place;

/* Find where a view's elements lie. False: it has no elements. */
bool js_array_place_of(const js_array_view *view, js_array_place *out);

#endif
