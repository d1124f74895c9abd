/* Reads numbers and texts as an expression writes them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/utf8.h"
#include "expressions/front/parse.h"

static int digit_of(char c)
{
    return c >= '0' && c <= '9'                     ? c - '0'
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'z' ? (c | 0x20) - 'a' + 10
                                                    : 99;
}

static int integer(js_parser *parser, const char *at, size_t size, js_node *node)
{
    int base = 10;
    size_t i = 0;
    if (size > 2 && *at == '0' && digit_of(at[1]) > 9) {
        base = (at[1] | 0x20) == 'x' ? 16 : (at[1] | 0x20) == 'o' ? 8 : 2;
        i = 2;
    }
    bool is_zero = true;
    for (size_t start = i; i < size; i++) {
        if (at[i] == '_') {
            continue;
        }
        int digit = digit_of(at[i]);
        if (digit >= base) {
            return js_parse_fail(parser, at + i, "invalid digit in a number");
        }
        is_zero &= digit == 0;
        if (base == 10 && at[start] == '0' && i > start && !is_zero) {
            return js_parse_fail(parser, at,
                                 "leading zeros in decimal integer literals are not permitted; use an 0o "
                                 "prefix for octal integers");
        }
        if (__builtin_mul_overflow(node->number.integer, base, &node->number.integer) ||
            __builtin_add_overflow(node->number.integer, digit, &node->number.integer)) {
            parser->bad = (size_t)-1;
            js_text_put(parser->why, "OverflowError: an integer of more than 127 bits");
            return parser->status = JS_ELIMIT;
        }
    }
    return JS_OK;
}

int js_parse_number(js_parser *parser, const char *at, size_t size, js_node *node)
{
    bool is_imaginary =
        size && (at[size - 1] | 0x20) == 'j' && !(size > 1 && *at == '0' && (at[1] | 0x20) == 'x');
    bool is_float = is_imaginary;
    bool is_based = size > 1 && *at == '0' && strchr("xXoObB", at[1]);
    for (size_t i = 0; i < size && !is_based; i++) {
        is_float |= at[i] == '.' || (at[i] | 0x20) == 'e';
    }
    node->number = (js_number){.type = JS_INT64, .is_weak = true};
    if (!is_float) {
        return integer(parser, at, size, node);
    }
    char *digits = js_arena_alloc(parser->arena, size + 1);
    size_t length = 0;
    if (!digits) {
        return parser->status = JS_ENOMEM;
    }
    for (size_t i = 0; i < size - is_imaginary; i++) {
        if (at[i] != '_') {
            digits[length++] = at[i];
        }
    }
    double value = strtod(digits, NULL);
    node->number.type = is_imaginary ? JS_COMPLEX128 : JS_FLOAT64;
    *(is_imaginary ? &node->number.imag : &node->number.real) = value;
    return JS_OK;
}

static bool hex(const char *at, const char *end, unsigned count, uint32_t *code)
{
    *code = 0;
    for (unsigned i = 0; i < count; i++) {
        if (at + i >= end || digit_of(at[i]) > 15) {
            return false;
        }
        *code = *code * 16 + (uint32_t)digit_of(at[i]);
    }
    return true;
}

/* Read the escape after a backslash. Return its bytes; 0: no known escape. */
static size_t escape(const char *at, const char *end, bool is_bytes, uint32_t *code)
{
    static const char letters[] = "\\'\"abfnrtv", values[] = "\\'\"\a\b\f\n\r\t\v";
    const char *letter = *at ? strchr(letters, *at) : NULL;
    if (letter) {
        *code = (unsigned char)values[letter - letters];
        return 1;
    }
    if (*at >= '0' && *at <= '7') {
        size_t size = 0;
        *code = 0;
        while (size < 3 && at + size < end && at[size] >= '0' && at[size] <= '7') {
            *code = *code * 8 + (uint32_t)(at[size++] - '0');
        }
        return size;
    }
    unsigned count = *at == 'x' ? 2 : *at == 'u' && !is_bytes ? 4 : *at == 'U' && !is_bytes ? 8 : 0;
    return count && hex(at + 1, end, count, code) && *code <= 0x10ffff ? 1 + count : 0;
}

int js_parse_string(js_parser *parser, const char *at, size_t size, js_node *node)
{
    bool is_raw = false, is_bytes = false;
    const char *start = at, *end = at + size;
    for (; *at != '\'' && *at != '"'; at++) {
        is_raw |= (*at | 0x20) == 'r';
        is_bytes |= (*at | 0x20) == 'b';
    }
    bool is_triple = end - at >= 6 && at[1] == *at && at[2] == *at;
    at += is_triple ? 3 : 1;
    end -= is_triple ? 3 : 1;
    if (node->ncodes && node->is_bytes != is_bytes) {
        return js_parse_fail(parser, start, "cannot mix bytes and nonbytes literals");
    }
    uint32_t *codes = js_arena_alloc(parser->arena, (node->ncodes + size + 1) * sizeof *codes);
    if (!codes) {
        return parser->status = JS_ENOMEM;
    }
    if (node->ncodes) {
        memcpy(codes, node->codes, node->ncodes * sizeof *codes);
    }
    size_t count = node->ncodes;
    while (at < end) {
        uint32_t code;
        size_t used = 0;
        if (*at == '\\' && !is_raw && at + 1 < end && at[1] == '\n') {
            at += 2;
            continue;
        }
        if (*at == '\\' && !is_raw) {
            used = escape(at + 1, end, is_bytes, &code);
            if (!used && strchr("xuUN", at[1]) && !(is_bytes && at[1] != 'x')) {
                return js_parse_fail(parser, at, "an escape that is not known here");
            }
            used += used ? 1 : 0;
        }
        if (!used) {
            used = js_utf8_decode(at, (size_t)(end - at), &code);
        }
        if (!used || (is_bytes && code > (*at == '\\' ? 0xffU : 0x7fU))) {
            return js_parse_fail(parser, at,
                                 is_bytes ? "bytes can only contain ASCII literal characters" : "no UTF-8");
        }
        codes[count++] = code;
        at += used;
    }
    node->codes = codes;
    node->ncodes = count;
    node->is_bytes = is_bytes;
    return JS_OK;
}
