/* Compares numbers as Python does, arrays as NumPy does, and texts and sequences. */
#include "expressions/core/compare.h"

#include <string.h>

#include "expressions/core/arithmetic.h"
#include "expressions/core/common_type.h"
#include "expressions/core/dtypes.h"
#include "expressions/core/nested.h"
#include "expressions/front/tree.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/operands/sequences.h"

/* Compare with a literal that no element of the type can equal: the result is the same for each element. */
static int out_of_range(js_evaluation *e, js_operator op, const js_lazy *x, const js_number *literal,
                        const js_lazy **out)
{
    js_number zero = {.type = JS_INT64}, side = {.type = JS_INT64, .integer = literal->integer < 0 ? -1 : 1};
    js_number truth = {.type = JS_BOOL, .integer = js_scalar_compare(op, &zero, &side)};
    const js_lazy *constant, *none;
    int status = js_lazy_number(e, &truth, &constant);
    status = status ? status : js_lazy_map(e, JS_ISFINITE, JS_BOOL, JS_NOT_A_NUMBER, x, NULL, &none);
    /* true & constant, in the shape of x */
    return status ? status : js_lazy_map(e, JS_AND, JS_BOOL, JS_BOOL, none, constant, out);
}

static int compare_arrays(js_evaluation *e, js_operator op, const js_operand *a, const js_operand *b,
                          js_operand *out)
{
    const js_lazy *x, *y, *made;
    if (a->kind != JS_OPERAND_ARRAY &&
        a->kind != JS_OPERAND_NUMBER) { /* Python calls the array's comparison */
        return compare_arrays(e, js_operator_mirrored(op), b, a, out);
    }
    int status = js_lazy_of(e, a, &x);
    status = status ? status : js_lazy_of(e, b, &y);
    if (status) {
        return status;
    }
    if (x->type == JS_NOT_A_NUMBER || y->type == JS_NOT_A_NUMBER) {
        return js_fail(e, JS_EUNSUP, "TypeError: '%s' of %s and %s is not known here", js_operator_sign(op),
                       x->dtype->name, y->dtype->name);
    }
    js_number_type within = js_common_type(a, x, b, y);
    const js_operand *literal = a->kind == JS_OPERAND_NUMBER ? a : b->kind == JS_OPERAND_NUMBER ? b : NULL;
    if (literal && literal->number.is_weak && js_number_is_int(literal->number.type) &&
        js_number_is_whole(within) && !js_number_fits(literal->number.integer, within)) {
        status = literal == b ? out_of_range(e, op, x, &b->number, &made)
                              : out_of_range(e, js_operator_mirrored(op), y, &a->number, &made);
    } else if (js_number_is_whole(x->type) && js_number_is_whole(y->type) && !js_number_is_whole(within)) {
        status = js_lazy_map(e, op, JS_BOOL, JS_NOT_A_NUMBER, x, y, &made);
    } else {
        status = js_lazy_map(e, op, JS_BOOL, within, x, y, &made);
    }
    return js_give_array(e, status, made, out);
}

static bool decided(js_operator op, int order)
{
    return op == JS_LT   ? order < 0
           : op == JS_LE ? order <= 0
           : op == JS_EQ ? order == 0
           : op == JS_NE ? order != 0
           : op == JS_GE ? order >= 0
                         : order > 0;
}

static int compare_texts(js_operator op, const js_operand *a, const js_operand *b, js_operand *out)
{
    uint64_t least = a->count < b->count ? a->count : b->count, i = 0;
    while (i < least && a->codes[i] == b->codes[i]) {
        i++;
    }
    int order =
        i < least ? (a->codes[i] < b->codes[i] ? -1 : 1) : (a->count > b->count) - (a->count < b->count);
    *out = js_operand_of_bool(decided(op, order));
    return JS_OK;
}

/* Compare sequences: the first items that differ decide. */
static int compare_sequences(js_evaluation *e, js_operator op, const js_operand *a, const js_operand *b,
                             js_operand *out)
{
    uint64_t least = a->count < b->count ? a->count : b->count;
    if (++e->depth > JS_TREE_DEPTH) {
        return js_fail(e, JS_ELIMIT, "RecursionError: maximum recursion depth exceeded in comparison");
    }
    for (uint64_t i = 0; i < least; i++) {
        js_operand same;
        bool is_same;
        int status = js_compare(e, JS_EQ, &a->items[i], &b->items[i], &same);
        status = status ? status : js_operand_truth(e, &same, &is_same);
        status = status ? status : js_polled(e, 16, i, least);
        if (status) {
            return status;
        }
        if (!is_same) {
            e->depth--;
            if (op == JS_EQ || op == JS_NE) {
                *out = js_operand_of_bool(op == JS_NE);
                return JS_OK;
            }
            return js_compare(e, op, &a->items[i], &b->items[i], out);
        }
    }
    e->depth--;
    *out = js_operand_of_bool(decided(op, (a->count > b->count) - (a->count < b->count)));
    return JS_OK;
}

static bool same_kind_of_thing(const js_operand *a, const js_operand *b)
{
    return a->kind == b->kind && (a->kind == JS_OPERAND_VALUE || a->kind == JS_OPERAND_FUNCTION);
}

/* Compare two members of one Enum. Each is one object, and no two members have equal values (the second would
 * be an alias of the first). */
static bool same_member(const js_operand *a, const js_operand *b, bool *out)
{
    bool are_members = a->kind == JS_OPERAND_VALUE && b->kind == JS_OPERAND_VALUE &&
                       a->value.type == b->value.type && a->value.type->kind == JS_KIND_ENUM;
    if (are_members) {
        *out = memcmp(a->value.contents, b->value.contents, a->value.type->size) == 0;
    }
    return are_members;
}

int js_compare(js_evaluation *e, js_operator op, const js_operand *a, const js_operand *b, js_operand *out)
{
    js_operand left, right;
    a = js_operand_as_number(a, &left);
    b = js_operand_as_number(b, &right);
    if (a->kind == JS_OPERAND_NUMBER && b->kind == JS_OPERAND_NUMBER) {
        bool has_order = !js_number_is_complex(a->number.type) && !js_number_is_complex(b->number.type);
        if (has_order || op == JS_EQ || op == JS_NE) {
            *out = js_operand_of_bool(js_scalar_compare(op, &a->number, &b->number));
            return JS_OK;
        }
    } else if (js_is_array(a) || js_is_array(b)) {
        return compare_arrays(e, op, a, b, out);
    }
    js_operand x, y;
    int status = js_read_items(e, a, &x);
    status = status ? status : js_read_items(e, b, &y);
    if (status) {
        return status;
    }
    bool is_same_kind = x.kind == y.kind && x.is_bytes == y.is_bytes && x.is_list == y.is_list;
    if (x.kind == JS_OPERAND_TEXT && is_same_kind) {
        return compare_texts(op, &x, &y, out);
    }
    if (x.kind == JS_OPERAND_SEQUENCE && is_same_kind) {
        return compare_sequences(e, op, &x, &y, out);
    }
    if (op == JS_EQ || op == JS_NE) {
        bool is_same;
        status = js_dtype_compare(e, a, b, &is_same);
        if (status == JS_OK) {
            *out = js_operand_of_bool((op == JS_EQ) == is_same);
        }
        if (status != JS_ENOTFOUND) {
            return status;
        }
        if (same_member(a, b, &is_same)) {
            *out = js_operand_of_bool((op == JS_EQ) == is_same);
            return JS_OK;
        }
        if (same_kind_of_thing(a, b)) {
            return js_fail(e, JS_EUNSUP, "TypeError: '%s' of '%s' and '%s' is not known here",
                           js_operator_sign(op), js_operand_type(a), js_operand_type(b));
        }
        bool both_none = a->kind == JS_OPERAND_NONE && b->kind == JS_OPERAND_NONE;
        *out = js_operand_of_bool((op == JS_EQ) == both_none);
        return JS_OK;
    }
    bool are_times =
        strncmp(js_operand_type(a), "numpy.", 6) == 0 && strncmp(js_operand_type(b), "numpy.", 6) == 0;
    if (are_times) {
        return js_fail(e, JS_EUNSUP, "TypeError: '%s' of '%s' and '%s' is not known here",
                       js_operator_sign(op), js_operand_type(a), js_operand_type(b));
    }
    return js_fail(e, JS_EUNSUP, "TypeError: '%s' not supported between instances of '%s' and '%s'",
                   js_operator_sign(op), js_operand_type(a), js_operand_type(b));
}
