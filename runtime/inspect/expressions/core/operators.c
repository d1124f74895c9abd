/* Computes operators on numbers as Python does, on arrays as NumPy does, and on texts and sequences. */
#include "expressions/core/operators.h"

#include <string.h>

#include "expressions/core/arithmetic.h"
#include "expressions/core/common_type.h"
#include "expressions/core/format.h"
#include "expressions/core/matmul.h"
#include "expressions/core/nested.h"
#include "expressions/core/reduce.h"
#include "expressions/lazy/evaluation.h"

static int unsupported(js_evaluation *e, js_operator op, const js_operand *a, const js_operand *b)
{
    return js_fail(e, JS_EUNSUP, "TypeError: unsupported operand type(s) for %s: '%s' and '%s'",
                   js_operator_sign(op), js_operand_type(a), js_operand_type(b));
}

static int no_loop(js_evaluation *e, js_operator op)
{
    return js_fail(e, JS_EUNSUP,
                   "TypeError: ufunc '%s' not supported for the input types, and the inputs could not be "
                   "safely coerced to any supported types according to the casting rule ''safe''",
                   js_operator_ufunc(op));
}

/* Check a ** b: integers to negative powers are refused, so they are looked for first. */
static int check_powers(js_evaluation *e, const js_lazy *exponents, js_number_type type)
{
    js_number least;
    if (!js_number_is_signed(type) || !exponents->view.nitems || !js_number_is_signed(exponents->type)) {
        return JS_OK;
    }
    int status = js_reduce(e, JS_REDUCE_MIN, exponents, &least);
    if (status == JS_OK && least.integer < 0) {
        return js_fail(e, JS_EBAD, "ValueError: Integers to negative integer powers are not allowed.");
    }
    return status;
}

/* Choose the operator and types of a ufunc. JS_EUNSUP: it has no loop for them. */
static int choose(js_evaluation *e, js_operator *op, js_number_type *within, js_number_type *result)
{
    js_number_type type = *within;
    bool is_bitwise = *op == JS_AND || *op == JS_OR || *op == JS_XOR;
    bool is_shift = *op == JS_LSHIFT || *op == JS_RSHIFT;
    *result = type;
    if ((is_bitwise || is_shift) && !js_number_is_whole(type)) {
        return no_loop(e, *op);
    }
    if (js_number_is_complex(type) && (*op == JS_FLOORDIV || *op == JS_MOD || *op == JS_POW)) {
        return *op == JS_POW ? js_fail(e, JS_EUNSUP, "TypeError: ** of complex numbers is not known here")
                             : no_loop(e, *op);
    }
    if (*op == JS_DIV && js_number_is_whole(type)) {
        *within = *result = JS_FLOAT64;
        return JS_OK;
    }
    if (type == JS_BOOL && *op == JS_SUB) {
        return js_fail(e, JS_EUNSUP,
                       "TypeError: numpy boolean subtract, the `-` operator, is not supported, use the "
                       "bitwise_xor, the `^` operator, or the logical_xor function instead.");
    }
    if (type == JS_BOOL && (*op == JS_ADD || *op == JS_MUL)) {
        *op = *op == JS_ADD ? JS_OR : JS_AND;
    } else if (type == JS_BOOL && !is_bitwise) {
        *within = *result = JS_INT8;
    }
    return JS_OK;
}

static int arrays(js_evaluation *e, js_operator op, const js_operand *a, const js_operand *b, js_operand *out)
{
    const js_lazy *x, *y, *made;
    int status = js_lazy_of(e, a, &x);
    status = status ? status : js_lazy_of(e, b, &y);
    if (status) {
        return status;
    }
    if (op == JS_MATMUL) {
        return js_matmul(e, a, b, out);
    }
    if (x->type == JS_NOT_A_NUMBER || y->type == JS_NOT_A_NUMBER) {
        return js_fail(e, JS_EUNSUP, "TypeError: '%s' of %s and %s is not known here", js_operator_sign(op),
                       x->dtype->name, y->dtype->name);
    }
    js_number_type within = js_common_type(a, x, b, y), result;
    status = op == JS_DIV ? JS_OK : js_check_literal(e, a, within);
    status = status || op == JS_DIV ? status : js_check_literal(e, b, within);
    status = status ? status : choose(e, &op, &within, &result);
    if (status == JS_OK && op == JS_POW) {
        status = check_powers(e, y, within);
    }
    status = status ? status : js_lazy_map(e, op, result, within, x, y, &made);
    return js_give_array(e, status, made, out);
}

/* ---- texts and sequences ---- */

static int join(js_evaluation *e, const js_operand *a, const js_operand *b, js_operand *out)
{
    uint64_t count = a->count + b->count;
    bool is_text = a->kind == JS_OPERAND_TEXT;
    uint64_t size = is_text ? sizeof *a->codes : sizeof *a->items;
    if (count > (is_text ? JS_EXPRESSION_CHARACTERS : JS_EXPRESSION_ITEMS)) {
        return js_no_memory(e);
    }
    uint8_t *both = js_arena_alloc(&e->arena, (count + 1) * size);
    if (!both) {
        return js_no_memory(e);
    }
    *out = *a;
    out->count = count;
    memcpy(both, is_text ? (const void *)a->codes : a->items, a->count * size);
    memcpy(both + a->count * size, is_text ? (const void *)b->codes : b->items, b->count * size);
    out->codes = is_text ? (const uint32_t *)(const void *)both : NULL;
    out->items = is_text ? NULL : (js_operand *)(void *)both;
    return JS_OK;
}

static int repeat(js_evaluation *e, const js_operand *of, __int128 times, js_operand *out)
{
    bool is_text = of->kind == JS_OPERAND_TEXT;
    uint64_t size = is_text ? sizeof *of->codes : sizeof *of->items;
    uint64_t most = is_text ? JS_EXPRESSION_CHARACTERS : JS_EXPRESSION_ITEMS;
    times = times < 0 ? 0 : times;
    if (of->count && times > (__int128)(most / of->count)) {
        return js_no_memory(e);
    }
    uint64_t count = of->count ? of->count * (uint64_t)times : 0;
    uint8_t *all = js_arena_alloc(&e->arena, (count + 1) * size);
    if (!all) {
        return js_no_memory(e);
    }
    for (uint64_t i = 0; i < count; i += of->count) {
        memcpy(all + i * size, is_text ? (const void *)of->codes : of->items, of->count * size);
    }
    *out = *of;
    out->count = count;
    out->codes = is_text ? (const uint32_t *)(const void *)all : NULL;
    out->items = is_text ? NULL : (js_operand *)(void *)all;
    return JS_OK;
}

int js_binary(js_evaluation *e, js_operator op, const js_operand *a, const js_operand *b, js_operand *out)
{
    js_operand left, right;
    a = js_operand_as_number(a, &left);
    b = js_operand_as_number(b, &right);
    if (a->kind == JS_OPERAND_NUMBER && b->kind == JS_OPERAND_NUMBER) {
        *out = (js_operand){.kind = JS_OPERAND_NUMBER};
        return js_scalar_binary(e, op, &a->number, &b->number, &out->number);
    }
    if (js_is_array(a) || js_is_array(b)) {
        return arrays(e, op, a, b, out);
    }
    js_operand x, y;
    __int128 times;
    int status = js_read_items(e, a, &x);
    status = status ? status : js_read_items(e, b, &y);
    if (status) {
        return status;
    }
    bool x_long = x.kind == JS_OPERAND_TEXT || x.kind == JS_OPERAND_SEQUENCE;
    bool y_long = y.kind == JS_OPERAND_TEXT || y.kind == JS_OPERAND_SEQUENCE;
    if (op == JS_ADD && x_long && x.kind == y.kind) {
        if (x.is_bytes == y.is_bytes && x.is_list == y.is_list) {
            return join(e, &x, &y, out);
        }
        if (x.kind == JS_OPERAND_TEXT && x.is_bytes) {
            return js_fail(e, JS_EUNSUP, "TypeError: can't concat str to bytes");
        }
    }
    if (op == JS_ADD && x_long && (x.kind == JS_OPERAND_SEQUENCE || !x.is_bytes)) {
        return js_fail(e, JS_EUNSUP, "TypeError: can only concatenate %s (not \"%s\") to %s",
                       js_operand_type(&x), js_operand_type(b), js_operand_type(&x));
    }
    if (op == JS_MUL && x_long && js_operand_index(&y, &times)) {
        return repeat(e, &x, times, out);
    }
    if (op == JS_MUL && y_long && js_operand_index(&x, &times)) {
        return repeat(e, &y, times, out);
    }
    if (op == JS_MUL && (x_long || y_long)) {
        return js_fail(e, JS_EUNSUP, "TypeError: can't multiply sequence by non-int of type '%s'",
                       js_operand_type(x_long ? b : a));
    }
    if (op == JS_MOD && x.kind == JS_OPERAND_TEXT) {
        return js_format_text(e, &x, &y, out);
    }
    return unsupported(e, op, a, b);
}

int js_unary(js_evaluation *e, js_operator op, const js_operand *a, js_operand *out)
{
    js_operand number;
    a = js_operand_as_number(a, &number);
    if (a->kind == JS_OPERAND_NUMBER) {
        *out = (js_operand){.kind = JS_OPERAND_NUMBER};
        return js_scalar_unary(e, op, &a->number, &out->number);
    }
    if (a->kind == JS_OPERAND_ARRAY && a->array->type != JS_NOT_A_NUMBER) {
        const js_lazy *made;
        js_number_type type = a->array->type, result = type;
        if (type == JS_BOOL && (op == JS_NEG || op == JS_POS)) {
            return op == JS_NEG
                       ? js_fail(e, JS_EUNSUP,
                                 "TypeError: The numpy boolean negative, the `-` operator, is not supported, "
                                 "use the `~` operator or the logical_not function instead.")
                       : js_fail(e, JS_EUNSUP,
                                 "TypeError: ufunc 'positive' did not contain a loop with signature matching "
                                 "types <class 'numpy.dtypes.BoolDType'> -> None");
        }
        if (op == JS_INVERT && !js_number_is_whole(type)) {
            return no_loop(e, op);
        }
        if (op == JS_ABS) {
            result = js_number_part(type);
        } else if (op == JS_ISNAN || op == JS_ISINF || op == JS_ISFINITE) {
            result = JS_BOOL;
        }
        int status = js_lazy_map(e, op, result, JS_NOT_A_NUMBER, a->array, NULL, &made);
        return js_give_array(e, status, made, out);
    }
    return js_fail(e, JS_EUNSUP, "TypeError: bad operand type for %s%s: '%s'", op == JS_ABS ? "" : "unary ",
                   js_operator_sign(op), js_operand_type(a));
}
