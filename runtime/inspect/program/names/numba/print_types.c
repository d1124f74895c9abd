/* Decodes mangled argument types. */
#include "program/names/numba/print_types.h"

#include "program/names/numba/escape.h"

/* Return the type of a one-letter code (itanium_mangler.py, N2CODE), or NULL. types.void and types.none are
 * one type, whose text is "none". */
static const char *builtin_text(char code)
{
    switch (code) {
    case 'v':
        return "none";
    case 'b':
        return "bool";
    case 'h':
        return "uint8";
    case 'a':
        return "int8";
    case 't':
        return "uint16";
    case 's':
        return "int16";
    case 'j':
        return "uint32";
    case 'i':
        return "int32";
    case 'y':
        return "uint64";
    case 'x':
        return "int64";
    case 'f':
        return "float32";
    case 'd':
        return "float64";
    default:
        return NULL;
    }
}

enum { DEPTH_LIMIT = 48, PART_LIMIT = 48 };

typedef struct parser {
    js_sink *sink;
    js_span rest;
    char mark;
    js_type_count *count;
} parser;

static bool put_type(parser *p, unsigned depth);

static char peek(const parser *p)
{
    return p->rest.size ? p->rest.at[0] : 0;
}

static bool take(parser *p, char expected)
{
    if (peek(p) != expected) {
        return false;
    }
    p->rest = js_span_after(p->rest, 1);
    return true;
}

static bool take_part(parser *p, js_span *part)
{
    size_t length = 0, digits = 0;
    while (digits < p->rest.size && js_is_digit(p->rest.at[digits])) {
        if (length > p->rest.size) {
            return false;
        }
        length = length * 10 + (size_t)(p->rest.at[digits] - '0');
        digits++;
    }
    if (!digits || length > p->rest.size - digits) {
        return false;
    }
    *part = (js_span){p->rest.at + digits, length};
    p->rest = js_span_after(p->rest, digits + length);
    return true;
}

static bool take_integer(parser *p, js_span *digits)
{
    if (!take(p, 'L') || !take(p, 'i')) {
        return false;
    }
    size_t end = 0;
    while (end < p->rest.size && (js_is_digit(p->rest.at[end]) || (end == 0 && p->rest.at[0] == '-'))) {
        end++;
    }
    *digits = (js_span){p->rest.at, end};
    p->rest = js_span_after(p->rest, end);
    return end > 0 && take(p, 'E');
}

static void put_parts(parser *p, const js_span *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i) {
            js_sink_put_char(p->sink, '.');
        }
        char before = i && parts[i - 1].size ? parts[i - 1].at[parts[i - 1].size - 1] : 0;
        js_escape_put_type(p->sink, parts[i], p->mark, i, before);
    }
}

/* Put an array; Array.mangling_args: dtype, ndim, layout, mutable|readonly, aligned|unaligned. */
static bool put_array(parser *p, unsigned depth)
{
    size_t start = p->sink->length;
    js_span dimensions, layout, access, alignment;
    js_sink_put(p->sink, "array(");
    if (!put_type(p, depth + 1) || !take_integer(p, &dimensions) || !take_part(p, &layout) ||
        !take_part(p, &access) || !take_part(p, &alignment) || !take(p, 'E')) {
        return false;
    }
    js_sink_put(p->sink, ", ");
    js_sink_putn(p->sink, dimensions.at, dimensions.size);
    js_sink_put(p->sink, "d, ");
    js_sink_putn(p->sink, layout.at, layout.size);
    js_sink_put(p->sink, ")");
    if (js_span_is(access, "readonly")) {
        js_sink_insert(p->sink, start, "readonly ");
    }
    if (js_span_is(alignment, "unaligned")) {
        js_sink_insert(p->sink, start, "unaligned ");
    }
    return true;
}

/* Put a UniTuple; UniTuple.mangling_args: dtype, count. */
static bool put_repeat(parser *p, unsigned depth)
{
    js_span count;
    js_sink_put(p->sink, "(");
    if (!put_type(p, depth + 1) || !take_integer(p, &count) || !take(p, 'E')) {
        return false;
    }
    js_sink_put(p->sink, " x ");
    js_sink_putn(p->sink, count.at, count.size);
    js_sink_put(p->sink, ")");
    return true;
}

static bool put_parameters(parser *p, unsigned depth)
{
    js_sink_put(p->sink, "(");
    for (size_t i = 0; !take(p, 'E'); i++) {
        if (i) {
            js_sink_put(p->sink, ", ");
        }
        if (!put_type(p, depth + 1)) {
            return false;
        }
    }
    js_sink_put(p->sink, ")");
    return true;
}

/* Note a record's number in the table of types of its process. Only that process can tell which type it is.
 */
static bool take_record_code(parser *p, unsigned depth)
{
    js_span digits;
    uint64_t code = 0;
    if (!take_integer(p, &digits) || !take(p, 'E')) {
        return false;
    }
    for (size_t i = 0; i < digits.size && code < UINT32_MAX; i++) {
        code = 10 * code + (uint64_t)(digits.at[i] - '0');
    }
    if (depth == 0 && p->count->nrecords < JS_NAME_RECORDS) {
        p->count->records[p->count->nrecords++] = code;
    }
    return true;
}

static bool has_suffix(js_span name, const char *suffix)
{
    size_t length = strlen(suffix);
    return name.size >= length && memcmp(name.at + name.size - length, suffix, length) == 0;
}

/* Put a named type, with its template parameters if it has any. */
static bool put_named(parser *p, const js_span *parts, size_t count, unsigned depth)
{
    bool single = count == 1;
    if (take(p, 'I')) {
        if (single && js_span_is(parts[0], "Array")) {
            return put_array(p, depth);
        }
        put_parts(p, parts, count);
        if (single && has_suffix(parts[0], "UniTuple")) {
            return put_repeat(p, depth);
        }
        if (single && js_span_is(parts[0], "Record")) {
            return take_record_code(p, depth);
        }
        return put_parameters(p, depth);
    }
    put_parts(p, parts, count);
    if (single && (js_span_is(parts[0], "Tuple") || js_span_is(parts[0], "StarArgTuple"))) {
        js_sink_put(p->sink, "()");
    }
    return true;
}

static bool put_type(parser *p, unsigned depth)
{
    if (depth > DEPTH_LIMIT) {
        return false;
    }
    char code = peek(p);
    const char *builtin = builtin_text(code);
    if (builtin) {
        take(p, code);
        js_sink_put(p->sink, builtin);
        return true;
    }
    js_span parts[PART_LIMIT];
    if (js_is_digit(code)) {
        return take_part(p, &parts[0]) && put_named(p, parts, 1, depth);
    }
    switch (code) {
    case 'D':
        take(p, 'D');
        js_sink_put(p->sink, "float16");
        return take(p, 'h');
    case 'L':
        if (!take_integer(p, &parts[0])) {
            return false;
        }
        js_sink_putn(p->sink, parts[0].at, parts[0].size);
        return true;
    case 'N': {
        size_t count = 0;
        take(p, 'N');
        while (js_is_digit(peek(p))) {
            if (count == PART_LIMIT || !take_part(p, &parts[count++])) {
                return false;
            }
        }
        return count && put_named(p, parts, count, depth) && take(p, 'E');
    }
    default:
        return false;
    }
}

static bool starts_type(char code)
{
    return builtin_text(code) || js_is_digit(code) || code == 'D' || code == 'L' || code == 'N';
}

bool js_numba_types_put(js_sink *sink, js_span *types, char mark, js_type_count *count)
{
    parser p = {sink, *types, mark, count};
    *count = (js_type_count){0};
    while (starts_type(peek(&p))) {
        if (count->arguments++) {
            js_sink_put(sink, ", ");
        }
        if (js_span_starts(p.rest, "8pyobject")) {
            count->objects++;
        }
        if (!put_type(&p, 0)) {
            return false;
        }
    }
    *types = p.rest;
    return true;
}
