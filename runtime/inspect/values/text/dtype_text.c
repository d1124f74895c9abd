/* Writes dtypes as NumPy does: numpy/_core/_dtype.py. */
#include <string.h>

#include "values/base/array.h"
#include "values/text/dtype_text.h"

static void put_record(js_text *out, const js_type *type, bool is_inner);

static void put_byte_order(js_text *out, const js_type *type, char letter)
{
    const char *order = type->is_swapped ? ">" : type->size > 1 ? "<" : "";
    js_text_printf(out, "'%s%c%llu'", order, letter, (unsigned long long)type->size);
}

void js_put_format(js_text *out, const js_type *type)
{
    switch (type->kind) {
    case JS_KIND_BOOL:
        js_text_put(out, "'?'");
        break;
    case JS_KIND_INT:
        put_byte_order(out, type, type->is_signed ? 'i' : 'u');
        break;
    case JS_KIND_FLOAT:
        put_byte_order(out, type, 'f');
        break;
    case JS_KIND_COMPLEX:
        put_byte_order(out, type, 'c');
        break;
    case JS_KIND_DATETIME:
    case JS_KIND_TIMEDELTA:
        js_text_printf(out, "'%c%c8", type->is_swapped ? '>' : '<',
                       type->kind == JS_KIND_DATETIME ? 'M' : 'm');
        js_text_printf(out, type->unit && *type->unit ? "[%s]'" : "%s'", type->unit ? type->unit : "");
        break;
    case JS_KIND_ARRAY:
        js_put_format(out, type->target);
        js_text_put(out, ", ");
        js_put_tuple(out, (const int64_t *)type->dims, type->dims ? type->ndim : 0);
        break;
    case JS_KIND_RECORD:
        put_record(out, type, true);
        break;
    case JS_KIND_PYOBJECT:
        js_text_put(out, "'O'");
        break;
    default:
        js_put_dtype(out, type);
    }
}

/* Return the alignment of a field in a dtype that is aligned. */
static uint64_t alignment(const js_type *type)
{
    uint64_t most = 1;
    switch (type->kind) {
    case JS_KIND_ARRAY:
        return alignment(type->target);
    case JS_KIND_COMPLEX:
        return type->size / 2;
    case JS_KIND_CHARSEQ:
        return type->is_wide ? 4 : 1;
    case JS_KIND_RECORD:
        for (size_t i = 0; type->is_aligned && i < type->nmembers; i++) {
            uint64_t each = alignment(type->members[i].type);
            most = each > most ? each : most;
        }
        return most;
    default:
        return type->size ? type->size : 1;
    }
}

/* True if each field follows the one before it directly, or by its alignment. */
static bool is_packed(const js_type *type)
{
    uint64_t offset = 0;
    for (size_t i = 0; i < type->nmembers; i++) {
        uint64_t to = type->is_aligned ? alignment(type->members[i].type) : 1;
        offset = (offset + to - 1) / to * to;
        if (type->members[i].offset != offset) {
            return false;
        }
        offset += type->members[i].type->size;
    }
    uint64_t to = alignment(type);
    return (offset + to - 1) / to * to == type->size;
}

/* Write the name of a field as repr() does. Control characters are escaped in it already (js_types_get_raw).
 */
static void put_name(js_text *out, const char *name)
{
    char quote = strchr(name, '\'') && !strchr(name, '"') ? '"' : '\'';
    js_text_putn(out, &quote, 1);
    for (; *name; name++) {
        bool is_escape = *name == '\\' && name[1] && strchr("nrtx", name[1]);
        if (*name == quote || (*name == '\\' && !is_escape)) {
            js_text_put(out, "\\");
        }
        js_text_putn(out, name, 1);
    }
    js_text_putn(out, &quote, 1);
}

/* Write a record's dtype. An aligned dtype says so, except within another dtype (numpy/_core/_dtype.py,
 * _struct_str). */
static void put_record(js_text *out, const js_type *type, bool is_inner)
{
    const js_member *members = type->members;
    bool is_aligned = type->is_aligned && !is_inner;
    if (!is_aligned && is_packed(type)) {
        js_text_put(out, "[");
        for (size_t i = 0; i < type->nmembers; i++) {
            js_text_put(out, i ? ", (" : "(");
            put_name(out, members[i].name);
            js_text_put(out, ", ");
            js_put_format(out, members[i].type);
            js_text_put(out, ")");
        }
        js_text_put(out, "]");
        return;
    }
    js_text_put(out, "{'names': [");
    for (size_t i = 0; i < type->nmembers; i++) {
        js_text_put(out, i ? ", " : "");
        put_name(out, members[i].name);
    }
    js_text_put(out, "], 'formats': [");
    for (size_t i = 0; i < type->nmembers; i++) {
        bool is_array = members[i].type->kind == JS_KIND_ARRAY;
        js_text_put(out, i ? ", " : "");
        js_text_put(out, is_array ? "(" : "");
        js_put_format(out, members[i].type);
        js_text_put(out, is_array ? ")" : "");
    }
    js_text_put(out, "], 'offsets': [");
    for (size_t i = 0; i < type->nmembers; i++) {
        js_text_printf(out, "%s%llu", i ? ", " : "", (unsigned long long)members[i].offset);
    }
    js_text_printf(out, "], 'itemsize': %llu%s}", (unsigned long long)type->size,
                   is_aligned ? ", 'aligned': True" : "");
}

void js_put_dtype(js_text *out, const js_type *type)
{
    const char *unit = type->unit ? type->unit : "";
    if (type->is_swapped && type->kind != JS_KIND_CHARSEQ) {
        js_put_format(out, type);
        return;
    }
    switch (type->kind) {
    case JS_KIND_BOOL:
        js_text_put(out, "bool");
        break;
    case JS_KIND_INT:
        js_text_printf(out, "%sint%llu", type->is_signed ? "" : "u", (unsigned long long)type->size * 8);
        break;
    case JS_KIND_FLOAT:
    case JS_KIND_COMPLEX:
        js_text_printf(out, "%s%llu", type->kind == JS_KIND_FLOAT ? "float" : "complex",
                       (unsigned long long)type->size * 8);
        break;
    case JS_KIND_DATETIME:
    case JS_KIND_TIMEDELTA:
        js_text_printf(out, *unit ? "'%s[%s]'" : "%s%s",
                       type->kind == JS_KIND_DATETIME ? "datetime64" : "timedelta64", unit);
        break;
    case JS_KIND_CHARSEQ:
        js_text_printf(out, "'%s%llu'",
                       !type->is_wide     ? "S"
                       : type->is_swapped ? ">U"
                                          : "<U",
                       (unsigned long long)type->count);
        break;
    case JS_KIND_RECORD:
        put_record(out, type, false);
        break;
    case JS_KIND_PYOBJECT:
        js_text_put(out, "object");
        break;
    default:
        js_text_put(out, type->name);
    }
}

/* Write dtype('<M8[s]'), dtype([('a', '<i8')], align=True). */
void js_put_dtype_repr(js_text *out, const js_type *type)
{
    bool is_number = type->kind == JS_KIND_BOOL || type->kind == JS_KIND_INT || type->kind == JS_KIND_FLOAT ||
                     type->kind == JS_KIND_COMPLEX;
    is_number = is_number && !type->is_swapped;
    js_text_put(out, is_number ? "dtype('" : "dtype(");
    if (is_number) {
        js_put_dtype(out, type);
    } else {
        js_put_format(out, type);
    }
    bool is_aligned = type->kind == JS_KIND_RECORD && type->is_aligned;
    js_text_put(out, is_number ? "')" : is_aligned ? ", align=True)" : ")");
}
