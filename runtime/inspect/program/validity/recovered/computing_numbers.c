/* Computes numbers and tests by their formulas. */
#include "program/source/formula.h"
#include "program/validity/recovered/computing.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "program/validity/locations/scalar_kind.h"

static unsigned put_variable(js_computing *to, const js_node *name, unsigned depth)
{
    js_verdict found;
    if (!to->finder->find(to->finder->context, name, &found)) {
        return JS_SCALAR_NONE;
    }
    const js_type *type = found.version->type;
    if (js_scalar_is_literal(type) && !found.needs_zero_check && !found.computed) {
        js_expr_number(to->out, strtoll(type->literal, NULL, 10));
        return JS_SCALAR_INT;
    }
    bool is_float = js_scalar_is_float(type), is_bool = js_scalar_is_bool(type);
    if (!js_scalar_is_whole(found.version) && !is_bool && !is_float) {
        return JS_SCALAR_NONE;
    }
    if (found.computed) {
        unsigned kind = js_computing_put_number(to, found.computed, depth + 1);
        return kind & (is_float ? JS_SCALAR_FLOAT : is_bool ? JS_SCALAR_BOOL : JS_SCALAR_INT);
    }
    return js_scalar_put(to, &found, 0, (uint8_t)type->size);
}

static unsigned put_length(js_computing *to, const js_node *length)
{
    js_verdict found;
    uint64_t offset;
    if (!js_computing_may_read(to) ||
        !to->finder->find(to->finder->context, js_formula_part(length, 0), &found) || found.computed ||
        !js_scalar_length(found.version->type, js_formula_axis_of(length), &offset)) {
        return JS_SCALAR_NONE;
    }
    return js_scalar_put(to, &found, offset, 8);
}

/* Put a division by a number that the source writes. */
static unsigned put_division(js_computing *to, const js_node *division, unsigned depth)
{
    const js_node *divisor = js_formula_part(division, 1);
    unsigned kind = js_computing_put_number(to, js_formula_part(division, 0), depth + 1) & JS_SCALAR_INT;
    bool is_number = js_formula_kind_of(divisor) == JS_FORMULA_NUMBER;
    int64_t by = is_number ? strtoll(js_formula_text(divisor), NULL, 10) : 0;
    if (!kind || !js_computing_may_read(to) || by == 0 || by == -1) {
        return JS_SCALAR_NONE;
    }
    js_expr_divide(to->out, by, js_formula_kind_of(division) == JS_FORMULA_REMAINDER);
    return kind;
}

static const struct {
    uint8_t op;
    unsigned takes, gives; /* kinds of operands and result; with floats JS_SCALAR_INT is a float */
} operators[JS_FORMULA_KINDS + 1] = {
    [JS_FORMULA_ADD] = {DW_OP_plus, JS_SCALAR_INT, JS_SCALAR_INT},
    [JS_FORMULA_SUBTRACT] = {DW_OP_minus, JS_SCALAR_INT, JS_SCALAR_INT},
    [JS_FORMULA_MULTIPLY] = {DW_OP_mul, JS_SCALAR_INT, JS_SCALAR_INT},
    [JS_FORMULA_DIVIDE] = {DW_OP_div, JS_SCALAR_NONE, JS_SCALAR_INT},
    [JS_FORMULA_LESS] = {DW_OP_lt, JS_SCALAR_WHOLE, JS_SCALAR_BOOL},
    [JS_FORMULA_LESS_OR_EQUAL] = {DW_OP_le, JS_SCALAR_WHOLE, JS_SCALAR_BOOL},
    [JS_FORMULA_GREATER] = {DW_OP_gt, JS_SCALAR_WHOLE, JS_SCALAR_BOOL},
    [JS_FORMULA_GREATER_OR_EQUAL] = {DW_OP_ge, JS_SCALAR_WHOLE, JS_SCALAR_BOOL},
    [JS_FORMULA_EQUAL] = {DW_OP_eq, JS_SCALAR_WHOLE, JS_SCALAR_BOOL},
    [JS_FORMULA_NOT_EQUAL] = {DW_OP_ne, JS_SCALAR_WHOLE, JS_SCALAR_BOOL},
    [JS_FORMULA_AND] = {DW_OP_and, JS_SCALAR_BOOL, JS_SCALAR_BOOL},
    [JS_FORMULA_OR] = {DW_OP_or, JS_SCALAR_BOOL, JS_SCALAR_BOOL},
};

/* Put <= or >= as two operators: GDB computes <= as "not >", which is true of NaN. */
static void put_ordered_or_equal(js_expr *out, uint8_t op)
{
    js_expr_op(out, DW_OP_over);
    js_expr_op(out, DW_OP_over);
    js_expr_op(out, op == DW_OP_le ? DW_OP_lt : DW_OP_gt);
    js_expr_op(out, DW_OP_rot);
    js_expr_op(out, DW_OP_eq);
    js_expr_op(out, DW_OP_or);
}

/* Put an operation on the two numbers on the stack, if one of them is a float, or the quotient of any two. */
static bool put_of_floats(js_computing *to, uint8_t op, unsigned left, unsigned right)
{
    bool is_logic = op == DW_OP_and || op == DW_OP_or;
    if (!((left & (JS_SCALAR_INT | JS_SCALAR_FLOAT)) && (right & (JS_SCALAR_INT | JS_SCALAR_FLOAT))) ||
        is_logic || !to->keeps_floats) {
        return false;
    }
    if (right != JS_SCALAR_FLOAT) {
        js_expr_to_float(to->out);
    }
    if (left != JS_SCALAR_FLOAT) {
        js_expr_op(to->out, DW_OP_swap);
        js_expr_to_float(to->out);
        js_expr_op(to->out, DW_OP_swap);
    }
    if (op == DW_OP_le || op == DW_OP_ge) {
        put_ordered_or_equal(to->out, op);
    } else {
        js_expr_op(to->out, op);
    }
    return true;
}

static unsigned put_operator(js_computing *to, const js_node *formula, unsigned depth)
{
    js_formula_kind kind = js_formula_kind_of(formula);
    uint8_t op = operators[kind].op;
    unsigned takes = operators[kind].takes, gives = operators[kind].gives;
    if (!op) { /* the operation is not supported */
        return JS_SCALAR_NONE;
    }
    unsigned left = js_computing_put_number(to, js_formula_part(formula, 0), depth + 1);
    unsigned right =
        left ? js_computing_put_number(to, js_formula_part(formula, 1), depth + 1) : JS_SCALAR_NONE;
    if (left & takes && right & takes) {
        js_expr_op(to->out, op);
        return gives;
    }
    bool done = right && put_of_floats(to, op, left, right);
    return !done ? JS_SCALAR_NONE : gives == JS_SCALAR_INT ? JS_SCALAR_FLOAT : gives;
}

static unsigned put_literal(js_computing *to, const char *word)
{
    if (!strpbrk(word, ".en")) {
        int64_t value = strtoll(word, NULL, 10);
        js_expr_number(to->out, value);
        return value == 0 || value == 1 ? JS_SCALAR_WHOLE : JS_SCALAR_INT;
    }
    double value = strtod(word, NULL);
    int64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    js_expr_number(to->out, bits);
    js_expr_as_float(to->out);
    return JS_SCALAR_FLOAT;
}

static unsigned negate(js_computing *to, unsigned kind)
{
    if (kind != JS_SCALAR_FLOAT) {
        js_expr_op(to->out, DW_OP_neg);
        return kind & JS_SCALAR_INT;
    }
    put_literal(to, "-1.0"); /* a subtraction from 0 would give 0.0 for 0.0, not -0.0 */
    js_expr_op(to->out, DW_OP_mul);
    return to->keeps_floats ? kind : JS_SCALAR_NONE;
}

/* Put a choice of two numbers of the same kind. */
static unsigned put_choice(js_computing *to, const js_node *choice, unsigned depth)
{
    if (!(js_computing_put_number(to, js_formula_part(choice, 0), depth + 1) & JS_SCALAR_WHOLE)) {
        return JS_SCALAR_NONE;
    }
    js_expr_op(to->out, DW_OP_lit0);
    js_expr_op(to->out, DW_OP_eq);
    size_t other = js_expr_leap(to->out, DW_OP_bra);
    unsigned kind = js_computing_put_number(to, js_formula_part(choice, 1), depth + 1);
    size_t end = js_expr_leap(to->out, DW_OP_skip);
    js_expr_land(to->out, other);
    kind = kind ? kind & js_computing_put_number(to, js_formula_part(choice, 2), depth + 1) : kind;
    js_expr_land(to->out, end);
    return kind;
}

static unsigned put_not(js_computing *to, const js_node *of, unsigned depth)
{
    unsigned kind = js_computing_put_number(to, of, depth + 1);
    js_expr_op(to->out, DW_OP_lit0);
    js_expr_op(to->out, DW_OP_eq);
    return kind & JS_SCALAR_WHOLE ? JS_SCALAR_BOOL : JS_SCALAR_NONE;
}

static unsigned put_extreme(js_computing *to, const js_node *formula, unsigned depth)
{
    unsigned kind = js_computing_put_number(to, js_formula_part(formula, 0), depth + 1) & JS_SCALAR_INT;
    kind = kind ? js_computing_put_number(to, js_formula_part(formula, 1), depth + 1) & JS_SCALAR_INT : kind;
    js_expr_choose(to->out, js_formula_kind_of(formula) == JS_FORMULA_MIN);
    return kind;
}

unsigned js_computing_put_number(js_computing *to, const js_node *formula, unsigned depth)
{
    if (depth >= JS_COMPUTING_DEPTH || !js_computing_may_read(to)) {
        return JS_SCALAR_NONE;
    }
    switch (js_formula_kind_of(formula)) {
    case JS_FORMULA_NUMBER:
        return put_literal(to, js_formula_text(formula));
    case JS_FORMULA_NAME:
    case JS_FORMULA_ENTRY:
        return put_variable(to, formula, depth);
    case JS_FORMULA_LENGTH:
        return put_length(to, formula);
    case JS_FORMULA_IF:
        return put_choice(to, formula, depth);
    case JS_FORMULA_NOT:
        return put_not(to, js_formula_part(formula, 0), depth);
    case JS_FORMULA_NEGATE:
        return negate(to, js_computing_put_number(to, js_formula_part(formula, 0), depth + 1));
    case JS_FORMULA_WHOLE:
        return js_computing_put_number(to, js_formula_part(formula, 0), depth + 1) & JS_SCALAR_INT;
    case JS_FORMULA_FLOOR_DIVIDE:
    case JS_FORMULA_REMAINDER:
        return put_division(to, formula, depth);
    case JS_FORMULA_MIN:
    case JS_FORMULA_MAX:
        return put_extreme(to, formula, depth);
    default:
        return put_operator(to, formula, depth);
    }
}
