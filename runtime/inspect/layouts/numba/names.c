/* Finds the family of a Numba type text (numba/core/types/, each type's `name`; 0.42 to 0.68), and builds its
 * type. */
#include "layouts/numba/numba.h"
#include "layouts/table.h"

static int type_of(const js_build *build, js_type **out)
{
    static int (*const families[])(const js_build *, js_type *) = {
        js_numba_scalar,   js_numba_text,      js_numba_array,    js_numba_literal,  js_numba_record,
        js_numba_constant, js_numba_container, js_numba_instance, js_numba_iterator, js_numba_reference,
        js_numba_others,   js_numba_tuple, /* tuples are last, because a named tuple looks like any call */
    };
    js_type *type = js_build_new(build->types, build->name);
    if (!type) {
        return JS_ENOMEM;
    }
    const char *name = type->name;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        int status = families[i](build, type);
        if (status != JS_EUNSUP) {
            *out = type;
            return status;
        }
        *type = (js_type){.name = name, .align = 1};
    }
    return JS_EUNSUP;
}

const js_type_texts js_numba_texts = {type_of, js_numba_unnamed, js_numba_member_names};

int js_types_create(js_types **out)
{
    return js_types_create_with(&js_numba_texts, out);
}
