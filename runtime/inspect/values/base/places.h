/* Places in memory of what a value refers to: elements, items, fields and attributes that may be assigned. */
#ifndef JS_VALUES_BASE_PLACES_H
#define JS_VALUES_BASE_PLACES_H

#include "values/base/array_place.h"

typedef struct js_places {
    js_array_place *all;
    size_t count, capacity;
    bool is_known; /* false: there may be others */
} js_places;

/* True if a value of this type may refer to what can be assigned. */
bool js_type_may_refer(const js_type *type);
/* Add the places of the value and of what it refers to. Deinit, whatever it returns. */
int js_places_init(js_places *places, const js_value *value, js_bytes *bytes);
void js_places_deinit(js_places *places);

#endif
