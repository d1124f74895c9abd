/* Converts objects of the interpreter that compiled code has a type for: arrays, Numba's containers and
 * instances. */
#include <stdio.h>
#include <string.h>

#include "layouts/numba/boxed.h"

#include "values/base/numbers.h"
#include "values/base/rendering.h"
#include "values/base/unbox.h"
#include "values/base/value.h"

enum { CONTENTS = 1024, DEPTH = 16 };

typedef struct js_unboxed {
    const js_type *type;
    uint8_t contents[CONTENTS];
} js_unboxed;

/* ---- arrays ---- */

static void store(js_unboxed *out, js_role role, const void *from, size_t size)
{
    const js_member *member = js_type_member(out->type, role);
    if (member && size <= member->type->size) {
        memcpy(out->contents + member->offset, from, size);
    }
}

static int array_of(js_types *types, js_bytes *bytes, const js_python_object *object, js_unboxed *out)
{
    js_object_array array;
    char dtype[1900], name[2048];
    int64_t shape[32], strides[32], items = 1;
    if (js_object_array_read(bytes, object, &array) || array.ndim > 32) {
        return JS_EUNSUP;
    }
    if (js_object_dtype(bytes, object, array.dtype, dtype, sizeof dtype) ||
        js_bytes_read(bytes, array.dimensions, shape, 8 * (size_t)array.ndim) ||
        js_bytes_read(bytes, array.strides, strides, 8 * (size_t)array.ndim)) {
        return JS_EUNSUP;
    }
    snprintf(name, sizeof name, "array(%s, %ud, A)", dtype, array.ndim);
    if (js_types_get(types, name, NULL, &out->type) || out->type->kind != JS_KIND_ARRAY ||
        out->type->size > CONTENTS || out->type->target->size != array.itemsize) {
        return JS_EUNSUP;
    }
    for (unsigned i = 0; i < array.ndim; i++) {
        if (shape[i] < 0 || __builtin_mul_overflow(items, shape[i], &items)) {
            return JS_EUNSUP;
        }
    }
    store(out, JS_ROLE_NITEMS, &items, 8);
    store(out, JS_ROLE_ITEMSIZE, &array.itemsize, 8);
    store(out, JS_ROLE_DATA, &array.data, 8);
    store(out, JS_ROLE_SHAPE, shape, 8 * (size_t)array.ndim);
    store(out, JS_ROLE_STRIDES, strides, 8 * (size_t)array.ndim);
    return JS_OK;
}

/* ---- containers and instances of Numba ---- */

static int boxed(js_types *types, js_bytes *bytes, const js_python_object *object, js_unboxed *out)
{
    char name[2048];
    uint64_t words[2];
    if (js_boxed_read(bytes, object, name, sizeof name, words) ||
        js_types_get(types, name, NULL, &out->type) || out->type->size != sizeof words ||
        out->type->kind == JS_KIND_STRUCT) {
        return JS_EUNSUP;
    }
    memcpy(out->contents, words, sizeof words);
    return JS_OK;
}

/* True if arithmetic knows the type: it has this machine's byte order, and is not wider than a double. */
static bool is_computable(const js_type *type, unsigned depth)
{
    bool is_good = !type->is_swapped && depth && !(type->kind == JS_KIND_FLOAT && type->size > 8) &&
                   !(type->kind == JS_KIND_COMPLEX && type->size > 16);
    if (type->kind == JS_KIND_ARRAY || type->kind == JS_KIND_RECORD) {
        is_good = is_good && (!type->target || is_computable(type->target, depth - 1));
        for (size_t i = 0; is_good && type->kind == JS_KIND_RECORD && i < type->nmembers; i++) {
            is_good = is_computable(type->members[i].type, depth - 1);
        }
    }
    return is_good;
}

static int unbox(js_types *types, js_bytes *bytes, const js_python_object *object, js_unboxed *out)
{
    *out = (js_unboxed){0};
    return !types || !bytes                     ? JS_EUNSUP
           : object->kind == JS_OBJECT_NDARRAY  ? array_of(types, bytes, object, out)
           : object->kind == JS_OBJECT_INSTANCE ? boxed(types, bytes, object, out)
                                                : JS_EUNSUP;
}

/* Give an instance whose class the variable's type does not say. */
static int undefer(const js_type *type, js_bytes *bytes, const uint8_t *contents, js_unboxed *out)
{
    char name[2048];
    *out = (js_unboxed){0};
    if (!type->owner || !bytes || js_boxed_deferred(bytes, type->deferred, name, sizeof name) ||
        js_types_get(type->owner, name, NULL, &out->type) || out->type->size != type->size ||
        out->type->kind != JS_KIND_OBJECT) {
        return JS_EUNSUP;
    }
    memcpy(out->contents, contents, type->size);
    return JS_OK;
}

static void put(js_render *render, const js_unboxed *unboxed, bool as_json)
{
    if (as_json) {
        js_json_value(render, unboxed->type, unboxed->contents);
    } else {
        js_render_value(render, unboxed->type, unboxed->contents);
    }
}

bool js_render_deferred(js_render *render, const js_type *type, const uint8_t *contents, bool as_json)
{
    enum { COST = 1024 };
    js_unboxed instance;
    if (!js_render_charge(render, COST) || undefer(type, render->bytes, contents, &instance)) {
        return false;
    }
    put(render, &instance, as_json);
    return true;
}

bool js_value_size_is_known(js_bytes *bytes, const js_type *type)
{
    uint8_t none[CONTENTS] = {0};
    js_unboxed instance;
    while (type->kind == JS_KIND_OPTIONAL && type->target) {
        type = type->target;
    }
    return type->kind != JS_KIND_DEFERRED || undefer(type, bytes, none, &instance) == JS_OK;
}

bool js_render_pyobject_unboxed(js_render *render, const js_type *type, const js_python_object *object,
                                bool as_json)
{
    enum { COST = 1024 };
    js_unboxed unboxed;
    if (unbox(type->owner, render->bytes, object, &unboxed) || !js_render_charge(render, COST)) {
        return false;
    }
    put(render, &unboxed, as_json);
    return true;
}

int js_value_unbox(const js_value *value, js_bytes *bytes, js_value *out)
{
    js_python_object object;
    js_unboxed unboxed;
    if (value->type->kind == JS_KIND_DEFERRED) {
        int status = undefer(value->type, bytes, value->contents, &unboxed);
        return status ? status : js_value_init(out, unboxed.type, unboxed.contents, unboxed.type->size);
    }
    if (value->type->kind != JS_KIND_PYOBJECT ||
        js_object_read(bytes, js_load_uint(value->contents, 8), &object) ||
        unbox(value->type->owner, bytes, &object, &unboxed) || !is_computable(unboxed.type, DEPTH)) {
        return JS_EUNSUP;
    }
    return js_value_init(out, unboxed.type, unboxed.contents, unboxed.type->size);
}
