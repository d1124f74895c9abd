/* What text and JSON of the interpreter's objects share. Internal to values/. */
#ifndef JS_VALUES_PYOBJECT_H
#define JS_VALUES_PYOBJECT_H

#include "layouts/cpython/object.h"
#include "values/items.h"

enum {
    JS_OBJECT_DIGITS = 256,    /* of 30 bits, of one int */
    JS_OBJECT_SLOTS = 1 << 16, /* places of one table that are looked at */
    JS_OBJECT_COST = 64,       /* bytes that an object is counted as, beside what it holds */
};

/* False, and nothing charged, when no more may be read. */
bool js_pyobject_charge(js_render *render, uint64_t size);
void js_render_pyobject_int(js_render *render, const js_object *object);
/* As an array of compiled code. False, and nothing written: it is of no kind that one can have. */
bool js_render_pyobject_array(js_render *render, const js_type *type, const js_object *object, bool as_json);
/* As the variable of compiled code that it was boxed from. False, and nothing written: it was from none. */
bool js_render_pyobject_boxed(js_render *render, const js_type *type, const js_object *object, bool as_json);
#endif
