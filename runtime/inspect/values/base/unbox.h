/* What the interpreter holds, as the value of compiled code that it is. Internal to values/. */
#ifndef JS_VALUES_BASE_UNBOX_H
#define JS_VALUES_BASE_UNBOX_H

#include "layouts/cpython/object.h"
#include "values/base/rendering.h"

/* As the value of compiled code that the interpreter holds. False, and nothing written: it is none. */
bool js_render_pyobject_unboxed(js_render *render, const js_type *type, const js_python_object *object,
                                bool as_json);
/* Write it as an instance of the class that its type defers to. False, and nothing written: the class is not
 * known. */
bool js_render_deferred(js_render *render, const js_type *type, const uint8_t *contents, bool as_json);
/* True if the size of a value of this type is known, whatever it defers to. */
bool js_value_is_told(js_bytes *bytes, const js_type *type);
/* The value of compiled code that a variable's object is: an array, a container or instance of Numba's; the
 * instance that a deferred one is;
 * JS_EUNSUP: it is none. */
int js_value_unbox(const js_value *value, js_bytes *bytes, js_value *out);

#endif
