/* Finds the places in memory that a value refers to and that can be assigned: elements, items, fields and
 * attributes. */
#ifndef JS_VALUES_BASE_PLACES_H
#define JS_VALUES_BASE_PLACES_H

#include "values/base/array_place.h"

/* The places that were found. */
typedef struct js_places {
    js_array_place *all;
    size_t count, capacity;
    bool is_known; /* false: there may be others that were not found */
} js_places;

/* True if a value of this type may refer to memory that can be assigned. */
bool js_type_may_refer(const js_type *type);
/* Find the places of the value and of what it refers to. The caller calls js_places_deinit, even after an
 * error. */
int js_places_init(js_places *places, const js_value *value, js_bytes *bytes);
void js_places_deinit(js_places *places);

#endif
