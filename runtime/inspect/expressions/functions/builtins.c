/* Computes Python's builtin functions, except those of numbers: functions of texts, of iterables, of two
 * numbers. */
#include "expressions/functions/builtins.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/utf8.h"
#include "expressions/core/compare.h"
#include "expressions/core/operators.h"
#include "expressions/core/repr.h"
#include "expressions/functions/items.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/operands/arguments.h"
#include "expressions/operands/sequences.h"

static int repr(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                js_operand *out)
{
    (void)count;
    return js_repr_of(e, arguments, strcmp(name, "str") == 0, out);
}

/* Compute hex(), oct() or bin(). */
static int based(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                 js_operand *out)
{
    __int128 value;
    char digits[140], *at = digits + sizeof digits;
    (void)count;
    if (!js_operand_index(arguments, &value)) {
        return js_fail(e, JS_EUNSUP, "TypeError: '%s' object cannot be interpreted as an integer",
                       js_operand_type(arguments));
    }
    unsigned shift = *name == 'h' ? 4 : *name == 'o' ? 3 : 1;
    unsigned __int128 rest = value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
    do {
        *--at = "0123456789abcdef"[rest & ((1U << shift) - 1)];
        rest >>= shift;
    } while (rest);
    *--at = *name == 'h' ? 'x' : *name;
    *--at = '0';
    if (value < 0) {
        *--at = '-';
    }
    return js_ascii_text(e, at, (size_t)(digits + sizeof digits - at), out);
}

static int code_of(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                   js_operand *out)
{
    js_operand text;
    bool is_text;
    (void)name;
    (void)count;
    int status = js_operand_text(e, arguments, &text, &is_text);
    if (status == JS_OK && !is_text) {
        return js_fail(e, JS_EUNSUP, "TypeError: ord() expected string of length 1, but %s found",
                       js_operand_type(arguments));
    }
    if (status == JS_OK && text.count != 1) {
        return js_fail(e, JS_EUNSUP, "TypeError: ord() expected a character, but string of length %llu found",
                       (unsigned long long)text.count);
    }
    *out = js_operand_of_int(status ? 0 : text.codes[0]);
    return status;
}

static int character(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                     js_operand *out)
{
    __int128 value;
    (void)name;
    (void)count;
    uint32_t *code = js_arena_alloc(&e->arena, sizeof *code);
    if (!js_operand_index(arguments, &value)) {
        return js_fail(e, JS_EUNSUP, "TypeError: '%s' object cannot be interpreted as an integer",
                       js_operand_type(arguments));
    }
    if (value < 0 || value > 0x10ffff) {
        return js_fail(e, JS_EBAD, "ValueError: chr() arg not in range(0x110000)");
    }
    if (!code) {
        return js_no_memory(e);
    }
    *code = (uint32_t)value;
    *out = (js_operand){.kind = JS_OPERAND_TEXT, .codes = code, .count = 1};
    return JS_OK;
}

/* ---- iterables ---- */

static int listed(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                  js_operand *out)
{
    js_operand items = {.kind = JS_OPERAND_SEQUENCE};
    int status = count ? js_items_of(e, arguments, &items) : JS_OK;
    uint64_t size = items.count * sizeof *items.items;
    js_operand *copy = status ? NULL : js_arena_alloc(&e->arena, size + 1);
    if (!copy) {
        return status ? status : js_no_memory(e);
    }
    if (size) {
        memcpy(copy, items.items, size);
    }
    *out = (js_operand){.kind = JS_OPERAND_SEQUENCE, .items = copy, .count = items.count};
    out->is_list = strcmp(name, "tuple") != 0;
    for (uint64_t i = 0; strcmp(name, "reversed") == 0 && i < items.count; i++) {
        copy[i] = items.items[items.count - 1 - i];
    }
    return JS_OK;
}

/* Sort by merging halves: stable, and the comparison may fail. */
static int merge(js_evaluation *e, js_operand *items, js_operand *scratch, uint64_t count)
{
    if (count < 2) {
        return JS_OK;
    }
    uint64_t half = count / 2, i = 0, k = half, made = 0;
    int status = merge(e, items, scratch, half);
    status = status ? status : merge(e, items + half, scratch, count - half);
    while (i < half && k < count && status == JS_OK) {
        js_operand less;
        bool is_less = false;
        status = js_compare(e, JS_LT, &items[k], &items[i], &less);
        status = status ? status : js_operand_truth(e, &less, &is_less);
        scratch[made++] = is_less ? items[k++] : items[i++];
    }
    status = status ? status : js_polled(e, count, 0, 0);
    if (status) {
        return status;
    }
    memcpy(scratch + made, items + i, (half - i) * sizeof *items);
    made += half - i;
    memcpy(items, scratch, made * sizeof *items);
    return JS_OK;
}

static int sorted(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                  js_operand *out)
{
    int status = listed(e, name, arguments, count, out);
    js_operand *scratch = status ? NULL : js_arena_alloc(&e->arena, (out->count + 1) * sizeof *scratch);
    return status ? status : scratch ? merge(e, out->items, scratch, out->count) : js_no_memory(e);
}

/* ---- functions of two numbers ---- */

static int divided(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                   js_operand *out)
{
    (void)name;
    (void)count;
    js_operand *both = js_arena_alloc(&e->arena, 2 * sizeof *both);
    if (!both) {
        return js_no_memory(e);
    }
    int status = js_binary(e, JS_FLOORDIV, arguments, arguments + 1, &both[0]);
    status = status ? status : js_binary(e, JS_MOD, arguments, arguments + 1, &both[1]);
    *out = (js_operand){.kind = JS_OPERAND_SEQUENCE, .items = both, .count = 2};
    return status;
}

static int power(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                 js_operand *out)
{
    (void)name;
    (void)count;
    return js_binary(e, JS_POW, arguments, arguments + 1, out);
}

static int complex_of(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                      js_operand *out)
{
    js_number parts[2] = {{0}, {0}};
    for (size_t i = 0; i < count; i++) {
        if (!js_operand_number(&arguments[i], &parts[i])) {
            return js_wrong_argument(e, name, &arguments[i]);
        }
    }
    bool is_one = js_number_is_complex(parts[0].type), is_other = js_number_is_complex(parts[1].type);
    double re = js_number_real(&parts[0]), im = js_number_real(&parts[1]);
    js_number made = {.type = JS_COMPLEX128, .is_weak = true};
    made.real = is_other ? re - parts[1].imag : re;
    made.imag = is_one ? im + parts[0].imag : im;
    *out = js_operand_of_number(made);
    return JS_OK;
}

static const js_builtin builtins[] = {
    {"str", repr, 1, 1},      {"repr", repr, 1, 1},          {"hex", based, 1, 1},
    {"oct", based, 1, 1},     {"bin", based, 1, 1},          {"ord", code_of, 1, 1},
    {"chr", character, 1, 1}, {"list", listed, 0, 1},        {"tuple", listed, 0, 1},
    {"sorted", sorted, 1, 1}, {"reversed", listed, 1, 1},    {"divmod", divided, 2, 2},
    {"pow", power, 2, 2},     {"complex", complex_of, 1, 2},
};

const js_builtin *js_builtin_find(const char *name)
{
    for (size_t i = 0; i < sizeof builtins / sizeof builtins[0]; i++) {
        if (strcmp(builtins[i].name, name) == 0) {
            return &builtins[i];
        }
    }
    return NULL;
}
