/* Builds the types of texts, characters and literals. Source: numba/cpython/unicode.py (UnicodeModel),
 * numba/core/types/npytypes.py, misc.py. */
#include "bytes/utf8.h"

#include "layouts/numba/numba.h"

static int unicode_type(const js_build *build, js_type *type)
{
    static const js_numba_row rows[] = {
        {"data", "void*", JS_ROLE_DATA, NULL},      {"length", "int64", JS_ROLE_LENGTH, NULL},
        {"kind", "int32", JS_ROLE_CHAR_KIND, NULL}, {"is_ascii", "uint32", JS_ROLE_IS_ASCII, NULL},
        {"hash", "int64", JS_ROLE_HASH, NULL},      {"meminfo", "MemInfo*", JS_ROLE_MEMINFO, NULL},
        {"parent", "void*", JS_ROLE_PARENT, NULL},
    };
    if (!js_span_is(build->name, "unicode_type")) {
        return JS_EUNSUP;
    }
    type->kind = JS_KIND_STR;
    return js_numba_rows(build, rows, sizeof rows / sizeof rows[0], type);
}

/* Parse "[unichr x 5]", "[char x 5]", or in the form of repr() UnicodeCharSeq(5), CharSeq(5). */
int js_numba_text(const js_build *build, js_type *type)
{
    js_span text = build->name;
    uint64_t count;
    if (js_span_eat(&text, "[unichr x ") || js_span_eat(&text, "UnicodeCharSeq(")) {
        type->is_wide = true;
    } else if (!js_span_eat(&text, "[char x ") && !js_span_eat(&text, "CharSeq(")) {
        return unicode_type(build, type);
    }
    if (!js_span_eat_uint(&text, &count) || (!js_span_is(text, "]") && !js_span_is(text, ")"))) {
        return JS_EUNSUP;
    }
    if (count > JS_TYPE_SIZE / 4) {
        return JS_ELIMIT;
    }
    static const js_span absent = {NULL, 0};
    int status =
        js_numba_inner(build, js_span_of(type->is_wide ? "uint32" : "uint8"), absent, true, &type->target);
    if (status) {
        return status;
    }
    type->shape = JS_SHAPE_ARRAY;
    type->kind = JS_KIND_CHARSEQ;
    type->count = count;
    type->size = count * type->target->size;
    type->align = type->target->align;
    return JS_OK;
}

static int digit(char character)
{
    return character >= '0' && character <= '9'   ? character - '0'
           : character >= 'a' && character <= 'f' ? character - 'a' + 10
                                                  : -1;
}

/* Read one escaped character of a literal's name, after its backslash, as up to 4 bytes into `out`. Returns
 * how many bytes of the name were read. */
static size_t escaped(const char *at, char out[4], size_t *written)
{
    int high = *at == 'x' ? digit(at[1]) : -1, low = high < 0 ? -1 : digit(at[2]);
    *written = 1;
    if (low >= 0) {
        *written = js_utf8_encode((uint32_t)(high << 4 | low), out);
        return 3;
    }
    *out = *at == 'n' ? '\n' : *at == 'r' ? '\r' : *at == 't' ? '\t' : '\\';
    return *at ? 1 : 0;
}

static void unescape(char *text)
{
    for (const char *at = text; *at;) {
        size_t written;
        if (*at == '\\') {
            at += 1 + escaped(at + 1, text, &written);
            text += written;
        } else {
            *text++ = *at++;
        }
    }
    *text = '\0';
}

static int keep_literal(const js_build *build, js_span value, char kind, js_type *type)
{
    char *literal = js_build_text(build->types, value);
    if (!literal) {
        return JS_ENOMEM;
    }
    if (kind == 's') {
        unescape(literal);
    }
    type->kind = JS_KIND_LITERAL;
    type->literal_kind = kind;
    type->literal = literal;
    return JS_OK;
}

/* Build omitted(default=<repr>): OmittedArgDataModel has no bytes. */
static int omitted_type(const js_build *build, js_span value, js_type *type)
{
    uint64_t number;
    js_span digits = value;
    js_span_eat(&digits, "-");
    bool is_int = js_span_eat_uint(&digits, &number) && digits.size == 0;
    bool is_bool = js_span_is(value, "True") || js_span_is(value, "False");
    js_numba_set(type, JS_SHAPE_VOID, JS_KIND_LITERAL, 0);
    return keep_literal(build, value, is_int ? 'i' : is_bool ? 'b' : 'x', type);
}

/* Parse "Literal[int](3)", "Literal[str](x)", "Literal[bool](True)", "Literal[slice](slice(1, 2, None))". */
int js_numba_literal(const js_build *build, js_type *type)
{
    js_span text = build->name;
    if (js_span_eat(&text, "omitted(default=") && js_span_eat_end(&text, ")")) {
        return omitted_type(build, text, type);
    }
    if (!js_span_eat(&text, "Literal[") || !js_span_eat_end(&text, ")")) {
        return JS_EUNSUP;
    }
    size_t end = js_span_find_outside(text, "](");
    if (end == text.size) {
        return JS_EUNSUP;
    }
    js_span class_name = js_span_first(text, end), value = js_span_skip(text, end + 2);
    char kind = 'x';
    if (js_span_is(class_name, "int")) {
        js_numba_set(type, JS_SHAPE_INT, JS_KIND_LITERAL, 8);
        type->is_signed = true;
        kind = 'i';
    } else if (js_span_is(class_name, "bool")) {
        js_numba_set(type, JS_SHAPE_BOOL, JS_KIND_LITERAL, 1);
        kind = 'b';
    } else if (js_span_is(class_name, "slice")) {
        js_numba_set(type, JS_SHAPE_OPAQUE, JS_KIND_LITERAL, 24);
        type->align = 8;
    } else {
        js_numba_set(type, JS_SHAPE_POINTER, JS_KIND_LITERAL, 8);
        kind = js_span_is(class_name, "str") ? 's' : 'x';
    }
    return keep_literal(build, value, kind, type);
}
