/* Converts objects of the interpreter to the values of compiled code that they hold. Internal to values/. */
#ifndef JS_VALUES_BASE_UNBOX_H
#define JS_VALUES_BASE_UNBOX_H

#include "layouts/cpython/object.h"
#include "values/base/rendering.h"

/* Write the object as the value of compiled code that it holds. False: it holds none, and nothing was
 * written. */
bool js_render_pyobject_unboxed(js_render *render, const js_type *type, const js_python_object *object,
                                bool as_json);
/* Write a value as an instance of the class that its type defers to. False: the class is not known, and
 * nothing was written. */
bool js_render_deferred(js_render *render, const js_type *type, const uint8_t *contents, bool as_json);
/* True if the size of a value of this type is known, whatever it defers to. */
bool js_value_size_is_known(js_bytes *bytes, const js_type *type);
/* Give the value of compiled code that a variable's object holds: an array, or a container or instance of
 * Numba's. A deferred instance becomes one of its class. The caller frees it with js_value_deinit. JS_EUNSUP:
 * there is no such value. */
int js_value_unbox(const js_value *value, js_bytes *bytes, js_value *out);

#endif
