/* Names types by their structure. Debug information of Numba 0.42 to 0.54 has no names of types, but each of
 * these structures belongs to one type (datamodel/models.py of those versions): arrays, str, complex numbers,
 * tuples of one type. Signed and unsigned integers are not distinguished there, and are read as signed. */
#include <stdio.h>

#include "layouts/numba/numba.h"

static const char *scalar_name(js_span text)
{
    static const struct {
        const char *storage, *name;
    } names[] = {{"double", "float64"},
                 {"float", "float32"},
                 {"i64", "int64"},
                 {"i32", "int32"},
                 {"i16", "int16"},
                 {"i8", "int8"},
                 {"{double, double}", "complex128"},
                 {"{float, float}", "complex64"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (js_span_is(text, names[i].storage)) {
            return names[i].name;
        }
    }
    return NULL;
}

/* Name an array by its structure "{i8*, i8*, i64, i64, double*, [2 x i64], [2 x i64]}". */
static bool array_name(js_span text, char *out, size_t room)
{
    js_span dtype = js_storage_member(text, 4), shape = js_storage_member(text, 5),
            strides = js_storage_member(text, 6);
    uint64_t ndim;
    if (!js_span_starts(text, "{i8*, i8*, i64, i64, ") || js_storage_member(text, 7).size ||
        strides.size == 0 || shape.size != strides.size || memcmp(shape.at, strides.at, shape.size) != 0 ||
        !js_span_eat_end(&dtype, "*") || !js_span_eat(&shape, "[") || !js_span_eat_uint(&shape, &ndim) ||
        !js_span_is(shape, " x i64]")) {
        return false;
    }
    const char *name = scalar_name(dtype);
    if (name) {
        snprintf(out, room, "array(%s, %ud, A)", name, (unsigned)ndim);
    }
    return name != NULL;
}

bool js_numba_unnamed(js_span storage, char *out, size_t room)
{
    js_span text = storage;
    uint64_t count;
    const char *name = NULL;
    if (js_span_is(text, "{i8*, i64, i32, i32, i64, i8*, i8*}")) {
        name = "unicode_type";
    } else if (js_span_starts(text, "{double, ") || js_span_starts(text, "{float, ")) {
        name = scalar_name(text);
    } else if (js_span_eat(&text, "[") && js_span_eat_uint(&text, &count) && js_span_eat(&text, " x ") &&
               js_span_eat_end(&text, "]") && !js_span_is(text, "i8") && !js_span_is(text, "i32") &&
               scalar_name(text)) {
        snprintf(out, room, "UniTuple(%s x %llu)", scalar_name(text), (unsigned long long)count);
        return true;
    } else {
        return array_name(storage, out, room);
    }
    if (name) {
        snprintf(out, room, "%s", name);
    }
    return name != NULL;
}
