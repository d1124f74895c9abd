/* Builds the types of numbers, times and enums. Source: numba/core/types/__init__.py, scalars.py;
 * numba/core/datamodel/models.py. */
#include "layouts/numba/numba.h"

static const struct scalar {
    const char *name;
    js_shape shape;
    js_kind kind;
    uint64_t size;
    bool is_signed;
} scalars[] = {
    {"int8", JS_SHAPE_INT, JS_KIND_INT, 1, true},
    {"int16", JS_SHAPE_INT, JS_KIND_INT, 2, true},
    {"int32", JS_SHAPE_INT, JS_KIND_INT, 4, true},
    {"int64", JS_SHAPE_INT, JS_KIND_INT, 8, true},
    {"intp", JS_SHAPE_INT, JS_KIND_INT, 8, true},
    {"intc", JS_SHAPE_INT, JS_KIND_INT, 4, true},
    {"uint8", JS_SHAPE_INT, JS_KIND_INT, 1, false},
    {"byte", JS_SHAPE_INT, JS_KIND_INT, 1, false},
    {"uint16", JS_SHAPE_INT, JS_KIND_INT, 2, false},
    {"uint32", JS_SHAPE_INT, JS_KIND_INT, 4, false},
    {"uint64", JS_SHAPE_INT, JS_KIND_INT, 8, false},
    {"uintp", JS_SHAPE_INT, JS_KIND_INT, 8, false},
    {"uintc", JS_SHAPE_INT, JS_KIND_INT, 4, false},
    {"bool", JS_SHAPE_BOOL, JS_KIND_BOOL, 1, false},
    {"boolean", JS_SHAPE_BOOL, JS_KIND_BOOL, 1, false},
    {"float16", JS_SHAPE_FLOAT, JS_KIND_FLOAT, 2, true},
    {"float32", JS_SHAPE_FLOAT, JS_KIND_FLOAT, 4, true},
    {"float64", JS_SHAPE_FLOAT, JS_KIND_FLOAT, 8, true},
    {"float128", JS_SHAPE_FLOAT, JS_KIND_FLOAT, 16, true}, /* NumPy's longdouble, which Numba does not have */
    /* OpaqueModel: an i8* that is never read */
    {"none", JS_SHAPE_POINTER, JS_KIND_NONE, 8, false},
    {"void*", JS_SHAPE_POINTER, JS_KIND_POINTER, 8, false},
    {"void *", JS_SHAPE_POINTER, JS_KIND_POINTER, 8, false},
    {"pyobject", JS_SHAPE_POINTER, JS_KIND_PYOBJECT, 8, false},
    {"ellipsis", JS_SHAPE_POINTER, JS_KIND_LITERAL, 8, false},
    {"...", JS_SHAPE_POINTER, JS_KIND_LITERAL, 8, false},
    {"omitted(default=None)", JS_SHAPE_VOID, JS_KIND_NONE, 0, false},
};

static int complex_type(const js_build *build, js_type *type)
{
    const char *part = js_span_is(build->name, "complex64")    ? "float32"
                       : js_span_is(build->name, "complex128") ? "float64"
                       : js_span_is(build->name, "complex256") ? "float128"
                                                               : NULL;
    if (!part) {
        return JS_EUNSUP;
    }
    const js_numba_row rows[] = {{"real", part, JS_ROLE_REAL, NULL}, {"imag", part, JS_ROLE_IMAG, NULL}};
    int status = js_numba_rows(build, rows, 2, type);
    type->shape = JS_SHAPE_COMPLEX;
    type->kind = JS_KIND_COMPLEX;
    return status;
}

/* Parse "datetime64[ns]", "timedelta64[]", or in the form of repr() NPDatetime('ns'), NPTimedelta(''). */
static int time_type(const js_build *build, js_type *type)
{
    js_span unit = build->name;
    js_kind kind = JS_KIND_DATETIME;
    if (js_span_eat(&unit, "datetime64[") || js_span_eat(&unit, "NPDatetime(")) {
        kind = JS_KIND_DATETIME;
    } else if (js_span_eat(&unit, "timedelta64[") || js_span_eat(&unit, "NPTimedelta(")) {
        kind = JS_KIND_TIMEDELTA;
    } else {
        return JS_EUNSUP;
    }
    if (!js_span_eat_end(&unit, "]") && !js_span_eat_end(&unit, ")")) {
        return JS_EUNSUP;
    }
    if (js_span_eat(&unit, "'")) {
        js_span_eat_end(&unit, "'");
    }
    js_numba_set(type, JS_SHAPE_INT, kind, 8);
    type->is_signed = true;
    type->unit = js_build_text(build->types, unit);
    return type->unit ? JS_OK : JS_ENOMEM;
}

/* Parse "IntEnum<int64>(Color)"; the classes themselves are "IntEnum class<int64>(Color)". */
static int enum_type(const js_build *build, js_type *type)
{
    js_span text = build->name;
    if ((!js_span_eat(&text, "IntEnum<") && !js_span_eat(&text, "Enum<")) || !js_span_eat_end(&text, ")")) {
        return JS_EUNSUP;
    }
    size_t end = js_span_find_outside(text, ">(");
    if (end == text.size) {
        return JS_EUNSUP;
    }
    const js_type *value;
    int status = js_numba_inner(build, js_span_first(text, end), build->storage, build->in_data, &value);
    if (status) {
        return status;
    }
    js_span name = js_span_skip(text, end + 2);
    const char *own = type->name;
    *type = *value;
    type->name = own;
    type->kind = JS_KIND_ENUM;
    if (value->shape ==
        JS_SHAPE_ARRAY) { /* target is the type of the value: members have the elements' types */
        type->shape = JS_SHAPE_STRUCT;
        type->count = 0;
    }
    type->literal_kind = js_span_starts(build->name, "Int") ? 'i' : '\0';
    type->target = value;
    type->class_name = js_build_text(build->types, name);
    if (!js_types_parts(build->types, build->name, &type->enumerators)) {
        type->enumerators = js_types_enumerators(build->types, name);
    }
    return type->class_name ? JS_OK : JS_ENOMEM;
}

/* Parse "jitscope.big(int32)": NumPy's '>i4' (layouts/cpython/dtype.c). */
static int swapped_type(const js_build *build, js_type *type)
{
    js_span text = build->name;
    const js_type *native;
    if (!js_span_eat(&text, "jitscope.big(") || !js_span_eat_end(&text, ")")) {
        return JS_EUNSUP;
    }
    int status = js_numba_inner(build, text, (js_span){NULL, 0}, true, &native);
    if (status == JS_OK) {
        const char *name = type->name;
        *type = *native;
        type->name = name;
        type->is_swapped = true;
    }
    return status;
}

/* Parse "int64*" (CPointer). */
static int pointer_type(const js_build *build, js_type *type)
{
    js_span text = build->name;
    if (!js_span_eat_end(&text, "*") || js_span_starts(text, "memory-managed") ||
        js_span_is(text, "MemInfo")) {
        return JS_EUNSUP;
    }
    static const js_span absent = {NULL, 0};
    const js_type *target;
    int status = js_numba_inner(build, text, absent, true, &target);
    if (status) {
        return status;
    }
    js_numba_set(type, JS_SHAPE_POINTER, JS_KIND_POINTER, 8);
    type->target = target->kind == JS_KIND_OPAQUE ? NULL : target;
    return JS_OK;
}

int js_numba_scalar(const js_build *build, js_type *type)
{
    for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++) {
        const struct scalar *scalar = &scalars[i];
        if (js_span_is(build->name, scalar->name)) {
            js_numba_set(type, scalar->shape, scalar->kind, scalar->size);
            type->is_signed = scalar->is_signed;
            type->owner = scalar->kind == JS_KIND_PYOBJECT ? build->types : NULL;
            if (scalar->kind == JS_KIND_LITERAL) {
                type->literal_kind = 'x';
                type->literal = "Ellipsis";
            }
            return JS_OK;
        }
    }
    static int (*const families[])(const js_build *, js_type *) = {complex_type, time_type, enum_type,
                                                                   swapped_type, pointer_type};
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        int status = families[i](build, type);
        if (status != JS_EUNSUP) {
            return status;
        }
    }
    return JS_EUNSUP;
}
