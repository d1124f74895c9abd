/* Finds by their types which variables may have elements. */
#include "program/elements/element_kinds.h"

#include "values/base/places.h"

bool js_pending_may_have_elements(const js_local *local, bool is_in_place)
{
    for (size_t i = 0; i < local->nversions; i++) {
        const js_type *type = local->versions[i]->type;
        bool is_array = type->kind == JS_KIND_ARRAY || type->shape == JS_SHAPE_VARIANT;
        if (is_array || (!is_in_place && js_type_may_refer(type))) {
            return true;
        }
    }
    return false;
}
