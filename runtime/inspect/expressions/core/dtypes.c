/* Finds NumPy's types by their names. */
#include "expressions/core/dtypes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expressions/lazy/evaluation.h"

static const struct {
    const char *name;
    js_number_type type;
} types[] = {
    {"bool", JS_BOOL},
    {"bool_", JS_BOOL},
    {"?", JS_BOOL},
    {"int8", JS_INT8},
    {"i1", JS_INT8},
    {"int16", JS_INT16},
    {"i2", JS_INT16},
    {"int32", JS_INT32},
    {"i4", JS_INT32},
    {"int64", JS_INT64},
    {"i8", JS_INT64},
    {"int", JS_INT64},
    {"int_", JS_INT64},
    {"intp", JS_INT64},
    {"uint8", JS_UINT8},
    {"u1", JS_UINT8},
    {"uint16", JS_UINT16},
    {"u2", JS_UINT16},
    {"uint32", JS_UINT32},
    {"u4", JS_UINT32},
    {"uint64", JS_UINT64},
    {"u8", JS_UINT64},
    {"uintp", JS_UINT64},
    {"float16", JS_FLOAT16},
    {"f2", JS_FLOAT16},
    {"float32", JS_FLOAT32},
    {"f4", JS_FLOAT32},
    {"single", JS_FLOAT32},
    {"float64", JS_FLOAT64},
    {"f8", JS_FLOAT64},
    {"float", JS_FLOAT64},
    {"double", JS_FLOAT64},
    {"complex64", JS_COMPLEX64},
    {"c8", JS_COMPLEX64},
    {"complex", JS_COMPLEX128},
    {"complex128", JS_COMPLEX128},
    {"c16", JS_COMPLEX128},
    /* NumPy's codes of one character, as on 64-bit Linux */
    {"b", JS_INT8},
    {"h", JS_INT16},
    {"i", JS_INT32},
    {"l", JS_INT64},
    {"q", JS_INT64},
    {"B", JS_UINT8},
    {"H", JS_UINT16},
    {"I", JS_UINT32},
    {"L", JS_UINT64},
    {"Q", JS_UINT64},
    {"e", JS_FLOAT16},
    {"f", JS_FLOAT32},
    {"d", JS_FLOAT64},
    {"F", JS_COMPLEX64},
    {"D", JS_COMPLEX128},
};

bool js_dtype_find(const char *name, size_t size, js_number_type *out)
{
    if (size && (*name == '<' || *name == '=' || *name == '|')) {
        name++;
        size--;
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strlen(types[i].name) == size && memcmp(types[i].name, name, size) == 0) {
            *out = types[i].type;
            return true;
        }
    }
    return false;
}

static bool is_type(const js_operand *operand, js_number_type *out)
{
    char name[24] = "";
    size_t size = 0;
    const js_type *type = operand->kind == JS_OPERAND_VALUE ? operand->value.type : NULL;
    if (operand->kind == JS_OPERAND_FUNCTION) {
        return js_dtype_find(operand->name, strlen(operand->name), out);
    }
    if (type && type->literal && strncmp(type->literal, "dtype('", 7) == 0) { /* a.dtype */
        const char *at = type->literal + 7;
        return js_dtype_find(at, strcspn(at, "'"), out);
    }
    if (operand->kind != JS_OPERAND_TEXT || operand->count >= sizeof(name)) {
        return false;
    }
    for (; size < operand->count && operand->codes[size] < 0x80; size++) {
        name[size] = (char)operand->codes[size];
    }
    return size == operand->count && js_dtype_find(name, size, out);
}

int js_dtype_of(js_evaluation *e, const js_operand *operand, js_number_type *out)
{
    return is_type(operand, out) ? JS_OK : js_fail(e, JS_EUNSUP, "TypeError: data type not understood here");
}

/* Return the text in dtype('…'), which ends at the quote; NULL: the operand is no dtype. */
static const char *dtype_text(const js_operand *operand)
{
    const js_type *type = operand->kind == JS_OPERAND_VALUE ? operand->value.type : NULL;
    bool is_dtype = type && type->literal && strncmp(type->literal, "dtype('", 7) == 0;
    return is_dtype ? type->literal + 7 : NULL;
}

/* True if the text is the dtype's, except for a byte order that is this machine's. */
static bool is_text(const char *dtype, const js_operand *text)
{
    uint64_t from = text->count && text->codes[0] < 0x80 && strchr("<=|", (int)text->codes[0]), at = from;
    dtype += *dtype && strchr("<=|", *dtype);
    while (at < text->count && *dtype != '\'' && text->codes[at] == (unsigned char)*dtype) {
        at++;
        dtype++;
    }
    return at == text->count && *dtype == '\'';
}

int js_dtype_compare(js_evaluation *e, const js_operand *a, const js_operand *b, bool *is_same)
{
    const char *text = dtype_text(a);
    if (!text) {
        return dtype_text(b) ? js_dtype_compare(e, b, a, is_same) : JS_ENOTFOUND;
    }
    js_number_type own, other;
    bool is_known = is_type(a, &own);
    const char *its = dtype_text(b);
    if (its && strcspn(text, "'") == strcspn(its, "'") && strncmp(text, its, strcspn(its, "'")) == 0) {
        *is_same = true;
    } else if (b->kind == JS_OPERAND_TEXT && !b->is_bytes && is_text(text, b)) {
        *is_same = true;
    } else if (b->kind == JS_OPERAND_NUMBER) {
        *is_same = false;
    } else if (is_type(b, &other)) {
        *is_same = is_known && own == other;
    } else if (its && is_known) { /* one is the type of a number, the other is not */
        *is_same = false;
    } else {
        return js_fail(e, JS_EUNSUP, "TypeError: data type not understood here");
    }
    return JS_OK;
}
