/* Computes 'text' % arguments. Source: The Python Standard Library, "printf-style String Formatting". */
#include "expressions/core/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expressions/core/conversions.h"
#include "expressions/core/repr.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/operands/sequences.h"

enum { WIDTH = 1000, PLACES = 300 };

typedef struct format {
    js_evaluation *e;
    js_text codes; /* the characters, 4 bytes each */
    const js_operand *arguments;
    uint64_t count, used;
} format;

typedef struct directive {
    bool left, sign, blank, zero, alternate;
    int width, places; /* -1: not given */
    char type;
} directive;

static void put(format *f, uint32_t code, uint64_t times)
{
    for (uint64_t i = 0; i < times; i++) {
        js_text_putn(&f->codes, (const char *)&code, sizeof code);
    }
}

/* Write a number padded: its sign and prefix precede the zeros that fill, and blanks precede all. */
static void put_padded(format *f, const directive *d, const char *prefix, const uint32_t *codes,
                       uint64_t count, bool by_zeros)
{
    uint64_t length = count + strlen(prefix);
    uint64_t fill = (uint64_t)d->width > length ? (uint64_t)d->width - length : 0;
    put(f, ' ', !d->left && !by_zeros ? fill : 0);
    for (; *prefix; prefix++) {
        put(f, (uint32_t)*prefix, 1);
    }
    put(f, '0', !d->left && by_zeros ? fill : 0);
    js_text_putn(&f->codes, (const char *)codes, count * sizeof *codes);
    put(f, ' ', d->left ? fill : 0);
}

static void put_digits(format *f, const directive *d, bool is_negative, const char *base, const char *digits,
                       bool by_zeros)
{
    char prefix[4];
    uint32_t codes[PLACES + 400];
    size_t count = strlen(digits);
    snprintf(prefix, sizeof prefix, "%s%s", is_negative ? "-" : d->sign ? "+" : d->blank ? " " : "", base);
    for (size_t i = 0; i < count; i++) {
        codes[i] = (uint32_t)digits[i];
    }
    put_padded(f, d, prefix, codes, count, by_zeros && d->zero && !d->left);
}

static int put_whole(format *f, const directive *d, const js_operand *argument)
{
    js_operand whole;
    char digits[PLACES + 200], *at = digits + sizeof digits - 1;
    bool is_number = argument->kind == JS_OPERAND_NUMBER && !js_number_is_complex(argument->number.type);
    bool is_decimal = strchr("diu", d->type);
    if (!is_number || (!is_decimal && !js_number_is_whole(argument->number.type))) {
        return js_fail(f->e, JS_EUNSUP,
                       is_decimal ? "TypeError: %%%c format: a real number is required, not %s"
                                  : "TypeError: %%%c format: an integer is required, not %s",
                       d->type, js_operand_type(argument));
    }
    int status = js_call_convert(f->e, "int", argument, 1, &whole);
    if (status) {
        return status;
    }
    __int128 value = whole.number.integer;
    unsigned __int128 rest = value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
    unsigned base = is_decimal ? 10 : d->type == 'o' ? 8 : 16;
    *at = '\0';
    do {
        *--at = (d->type == 'X' ? "0123456789ABCDEF" : "0123456789abcdef")[(unsigned)(rest % base)];
        rest /= base;
    } while (rest);
    while (digits + sizeof digits - 1 - at < d->places) {
        *--at = '0';
    }
    const char *prefix = !d->alternate || is_decimal ? ""
                         : d->type == 'o'            ? "0o"
                         : d->type == 'x'            ? "0x"
                                                     : "0X";
    put_digits(f, d, value < 0, prefix, at, true);
    return JS_OK;
}

static int put_real(format *f, const directive *d, const js_operand *argument)
{
    js_operand real;
    char pattern[8], digits[PLACES + 400];
    int status =
        argument->kind == JS_OPERAND_NUMBER
            ? js_call_convert(f->e, "float", argument, 1, &real)
            : js_fail(f->e, JS_EUNSUP, "TypeError: must be real number, not %s", js_operand_type(argument));
    if (status) {
        return status;
    }
    double value = real.number.real;
    snprintf(pattern, sizeof pattern, "%%%s.*%c", d->alternate ? "#" : "", d->type);
    snprintf(digits, sizeof digits, pattern, d->places < 0 ? 6 : d->places, fabs(value));
    put_digits(f, d, signbit(value) && !isnan(value), "", digits, true);
    return JS_OK;
}

static int put_text(format *f, const directive *d, const js_operand *argument)
{
    js_operand text;
    int status = JS_OK;
    __int128 code;
    uint32_t one;
    if (d->type == 'c' && js_operand_index(argument, &code) && code >= 0 && code <= 0x10ffff) {
        one = (uint32_t)code;
        text = (js_operand){.kind = JS_OPERAND_TEXT, .codes = &one, .count = 1};
    } else if (d->type == 'c') {
        bool is_text;
        status = js_operand_text(f->e, argument, &text, &is_text);
        if (status == JS_OK && (!is_text || text.count != 1)) {
            return js_fail(f->e, JS_EUNSUP, "TypeError: %%c requires an int or a unicode character, not %s",
                           js_operand_type(argument));
        }
    } else {
        status = js_repr_of(f->e, argument, d->type == 's', &text);
    }
    if (status) {
        return status;
    }
    uint64_t count = d->places >= 0 && d->type != 'c' && (uint64_t)d->places < text.count
                         ? (uint64_t)d->places
                         : text.count;
    put_padded(f, d, "", text.codes, count, false);
    return JS_OK;
}

static int number_at(const js_operand *text, uint64_t *at, int limit)
{
    int value = 0;
    for (; *at < text->count && text->codes[*at] >= '0' && text->codes[*at] <= '9'; ++*at) {
        value = value > limit ? value : value * 10 + (int)(text->codes[*at] - '0');
    }
    return value;
}

static int put_directive(format *f, const js_operand *text, uint64_t *at)
{
    directive d = {.places = -1};
    for (; *at < text->count; ++*at) {
        uint32_t flag = text->codes[*at];
        bool *known = flag == '-'   ? &d.left
                      : flag == '+' ? &d.sign
                      : flag == ' ' ? &d.blank
                      : flag == '0' ? &d.zero
                      : flag == '#' ? &d.alternate
                                    : NULL;
        if (!known) {
            break;
        }
        *known = true;
    }
    d.width = number_at(text, at, WIDTH);
    if (*at < text->count && text->codes[*at] == '.') {
        ++*at;
        d.places = number_at(text, at, PLACES);
    }
    if (*at == text->count) {
        return js_fail(f->e, JS_EBAD, "ValueError: incomplete format");
    }
    uint32_t type = text->codes[(*at)++];
    if (d.width > WIDTH || d.places > PLACES || type == '(' || type == '*') {
        return js_fail(f->e, JS_EUNSUP, "ValueError: such a format is not known here");
    }
    if (type == '%') {
        put(f, '%', 1);
        return JS_OK;
    }
    if (type >= 0x80 || !type || !strchr("diuoxXeEfFgGcrs", (int)type)) {
        return js_fail(f->e, JS_EBAD, "ValueError: unsupported format character (0x%x) at index %llu", type,
                       (unsigned long long)(*at - 1));
    }
    if (f->used == f->count) {
        return js_fail(f->e, JS_EUNSUP, "TypeError: not enough arguments for format string");
    }
    const js_operand *argument = &f->arguments[f->used++];
    d.type = (char)type;
    return strchr("diuoxX", d.type)   ? put_whole(f, &d, argument)
           : strchr("eEfFgG", d.type) ? put_real(f, &d, argument)
                                      : put_text(f, &d, argument);
}

int js_format_text(js_evaluation *e, const js_operand *text, const js_operand *arguments, js_operand *out)
{
    bool is_tuple = arguments->kind == JS_OPERAND_SEQUENCE && !arguments->is_list;
    format f = {.e = e,
                .arguments = is_tuple ? arguments->items : arguments,
                .count = is_tuple ? arguments->count : 1};
    if (text->is_bytes) {
        return js_fail(e, JS_EUNSUP, "TypeError: formatting bytes with %% is not known here");
    }
    js_text_init(&f.codes, 4 * (size_t)JS_EXPRESSION_CHARACTERS);
    int status = JS_OK;
    for (uint64_t at = 0; at < text->count && status == JS_OK;) {
        uint32_t code = text->codes[at++];
        if (code == '%') {
            status = put_directive(&f, text, &at);
        } else {
            put(&f, code, 1);
        }
        status = status ? status : f.codes.status ? js_no_memory(e) : JS_OK;
    }
    if (status == JS_OK && f.used < f.count && (is_tuple || arguments->kind != JS_OPERAND_VALUE)) {
        status = js_fail(e, JS_EUNSUP, "TypeError: not all arguments converted during string formatting");
    }
    uint32_t *codes = status ? NULL : js_arena_alloc(&e->arena, f.codes.length + sizeof *codes);
    if (codes && f.codes.length) {
        memcpy(codes, f.codes.data, f.codes.length);
    }
    *out = (js_operand){.kind = JS_OPERAND_TEXT, .codes = codes, .count = f.codes.length / sizeof *codes};
    js_text_deinit(&f.codes);
    return status ? status : codes ? JS_OK : js_no_memory(e);
}
