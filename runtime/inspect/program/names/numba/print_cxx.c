/* Decodes types as C++ demanglers print them: GDB's and binutils' libiberty, LLVM's and NVIDIA's. */
#include "program/names/numba/escape.h"
#include "program/names/numba/print_types.h"

enum { DEPTH_LIMIT = 48, PARAMETER_LIMIT = 6 };

static const struct {
    const char *cxx, *text;
} BUILTINS[] = {
    {"long long", "int64"},
    {"__int64", "int64"},
    {"long", "int64"},
    {"double", "float64"},
    {"float", "float32"},
    {"int", "int32"},
    {"bool", "bool"},
    {"unsigned long long", "uint64"},
    {"unsigned __int64", "uint64"},
    {"unsigned long", "uint64"},
    {"unsigned int", "uint32"},
    {"unsigned", "uint32"},
    {"unsigned short", "uint16"},
    {"short", "int16"},
    {"unsigned char", "uint8"},
    {"signed char", "int8"},
    {"half", "float16"},
    {"_Float16", "float16"},
    {"__fp16", "float16"},
    {"decimal16", "float16"},
    {"void", "none"},
};

static js_span trim(js_span text)
{
    while (text.size && text.at[0] == ' ') {
        text = js_span_after(text, 1);
    }
    while (text.size && text.at[text.size - 1] == ' ') {
        text.size--;
    }
    return text;
}

/* Return the text up to the next ',' outside of brackets, and move `rest` after it. */
static js_span next_parameter(js_span *rest)
{
    size_t end = 0, depth = 0;
    for (; end < rest->size; end++) {
        char c = rest->at[end];
        if (c == '<' || c == '(' || c == '[') {
            depth++;
        } else if ((c == '>' || c == ')' || c == ']') && depth) {
            depth--;
        } else if (c == ',' && !depth) {
            break;
        }
    }
    js_span part = {rest->at, end};
    *rest = js_span_after(*rest, end < rest->size ? end + 1 : end);
    return trim(part);
}

/* True for "1", "(int)1" and "int=1"; *digits receives the number. */
static bool number(js_span text, js_span *digits)
{
    if (js_span_starts(text, "(int)")) {
        text = js_span_after(text, 5);
    } else if (js_span_starts(text, "int=")) {
        text = js_span_after(text, 4);
    }
    *digits = text;
    size_t start = text.size > 1 && text.at[0] == '-' ? 1 : 0;
    for (size_t i = start; i < text.size; i++) {
        if (!js_is_digit(text.at[i])) {
            return false;
        }
    }
    return text.size > 0;
}

static void put_name(js_sink *sink, js_span name, char mark)
{
    char before = 0;
    for (size_t part = 0;; part++) {
        size_t end = 0;
        while (end < name.size && !(name.at[end] == ':' && end + 1 < name.size && name.at[end + 1] == ':')) {
            end++;
        }
        if (part) {
            js_sink_put_char(sink, '.');
        }
        js_escape_put_type(sink, (js_span){name.at, end}, mark, part, before);
        if (end >= name.size) {
            return;
        }
        before = end ? name.at[end - 1] : 0;
        name = js_span_after(name, end + 2);
    }
}

static void put_type(js_sink *sink, js_span text, char mark, unsigned depth);

static bool put_array(js_sink *sink, js_span rest, char mark, unsigned depth)
{
    js_span parameter[PARAMETER_LIMIT], digits;
    size_t count = 0;
    while (rest.size && count < PARAMETER_LIMIT) {
        parameter[count++] = next_parameter(&rest);
    }
    if (count != 5 || !number(parameter[1], &digits)) {
        return false;
    }
    js_sink_put(sink, js_span_is(parameter[4], "unaligned") ? "unaligned " : "");
    js_sink_put(sink, js_span_is(parameter[3], "readonly") ? "readonly " : "");
    js_sink_put(sink, "array(");
    put_type(sink, parameter[0], mark, depth + 1);
    js_sink_put(sink, ", ");
    js_sink_putn(sink, digits.at, digits.size);
    js_sink_put(sink, "d, ");
    js_sink_putn(sink, parameter[2].at, parameter[2].size);
    js_sink_put(sink, ")");
    return true;
}

static void put_template(js_sink *sink, js_span name, js_span rest, char mark, unsigned depth)
{
    if (js_span_is(name, "Array") && put_array(sink, rest, mark, depth)) {
        return;
    }
    put_name(sink, name, mark);
    if (js_span_is(name, "Record")) {
        return;
    }
    bool repeats = name.size >= 8 && memcmp(name.at + name.size - 8, "UniTuple", 8) == 0;
    js_sink_put(sink, "(");
    for (size_t i = 0; rest.size; i++) {
        if (i) {
            js_sink_put(sink, repeats ? " x " : ", ");
        }
        put_type(sink, next_parameter(&rest), mark, depth + 1);
    }
    js_sink_put(sink, ")");
}

static void put_type(js_sink *sink, js_span text, char mark, unsigned depth)
{
    js_span digits;
    for (size_t i = 0; i < sizeof BUILTINS / sizeof BUILTINS[0]; i++) {
        if (js_span_is(text, BUILTINS[i].cxx)) {
            js_sink_put(sink, BUILTINS[i].text);
            return;
        }
    }
    if (number(text, &digits)) {
        js_sink_putn(sink, digits.at, digits.size);
        return;
    }
    const char *open = memchr(text.at, '<', text.size);
    if (open && text.at[text.size - 1] == '>' && depth < DEPTH_LIMIT) {
        size_t name = (size_t)(open - text.at);
        put_template(sink, (js_span){text.at, name}, (js_span){open + 1, text.size - name - 2}, mark, depth);
        return;
    }
    put_name(sink, text, mark);
    if (js_span_is(text, "Tuple") || js_span_is(text, "StarArgTuple")) {
        js_sink_put(sink, "()");
    }
}

void js_numba_types_put_cxx(js_sink *sink, js_span text, char mark, js_type_count *count)
{
    *count = (js_type_count){0};
    text = trim(text);
    while (text.size) {
        if (count->arguments++) {
            js_sink_put(sink, ", ");
        }
        js_span type = next_parameter(&text);
        count->objects += js_span_is(type, "pyobject");
        put_type(sink, type, mark, 0);
    }
    if (!count->arguments) { /* "_Z3fooB2v1Ev" is printed as "foo[abi:v1]()" */
        count->arguments = 1;
        js_sink_put(sink, "none");
    }
}
