/* Computes values that the machine no longer keeps, by formulas of numbers, tests, copies and tuples over
 * other variables that are known at the same address. The expression reads only values that are shown for
 * those variables. */
#include "program/validity/recovered/computed.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "program/names/numba/return_convention.h"
#include "program/source/formula.h"
#include "program/validity/locations/scalar_kind.h"
#include "program/validity/recovered/computing.h"
#include "program/validity/variables/constants.h"

static bool guard_all(js_computing *to, const js_node *formula, unsigned depth);

/* Put the tests for one variable. length: the JS_FORMULA_LENGTH that needs it; NULL: its value is needed. */
static bool guard_variable(js_computing *to, const js_node *name, const js_node *length, unsigned depth)
{
    js_verdict found;
    uint64_t offset = 0;
    if (!to->finder->find(to->finder->context, name, &found)) {
        return false;
    }
    if (found.computed) {
        return guard_all(to, found.computed, depth + 1);
    }
    const js_type *type = found.version->type;
    bool is_scalar = js_scalar_is_whole(found.version) || js_scalar_is_bool(type) ||
                     js_scalar_is_float(type) ||
                     (length && js_scalar_length(type, js_formula_axis_of(length), &offset));
    return !is_scalar || !js_scalar_is_with_caller(&found, offset, js_scalar_is_bool(type) ? 1 : 8) ||
           js_scalar_guard(to, found.version);
}

/* Put the tests for all variables that only the caller holds: whether it is the right caller must be tested
 * first. depth: of names that are computed from others. */
static bool guard_all(js_computing *to, const js_node *formula, unsigned depth)
{
    if (depth > JS_COMPUTING_DEPTH || !js_computing_may_read(to)) {
        return false;
    }
    if (js_formula_is_variable(formula)) {
        return guard_variable(to, formula, NULL, depth);
    }
    js_formula_kind kind = js_formula_kind_of(formula);
    if (kind == JS_FORMULA_LENGTH || kind == JS_FORMULA_VIEW) {
        return js_computing_may_read(to) && guard_variable(to, js_formula_part(formula, 0), formula, depth);
    }
    bool done = true;
    size_t nparts = js_formula_nparts(formula);
    for (size_t i = 0; i < nparts && done; i++) {
        done = guard_all(to, js_formula_part(formula, i), depth);
    }
    return done;
}

static bool fits(unsigned kind, const js_type *type)
{
    return js_scalar_is_bool(type)    ? (kind & JS_SCALAR_BOOL) != 0
           : js_scalar_is_float(type) ? kind == JS_SCALAR_FLOAT /* a whole number has another type */
                                      : js_scalar_is_int(type) && (kind & JS_SCALAR_INT);
}

/* Put a number for a Literal type, whose value must be this number. */
static bool put_literal(js_computing *to, const js_node *formula, const js_type *type)
{
    js_expr_number(to->out, strtoll(type->literal, NULL, 10));
    return js_formula_kind_of(formula) == JS_FORMULA_NUMBER &&
           strcmp(js_formula_text(formula), type->literal) == 0;
}

/* Put one of the values that a choice gives, a scalar of the type. */
static bool put_scalar(js_computing *to, const js_node *formula, const js_type *type, unsigned depth)
{
    bool is_text = type->kind == JS_KIND_LITERAL && type->literal_kind == 's';
    if (js_formula_kind_of(formula) == JS_FORMULA_TEXT) { /* the type has the value */
        js_expr_op(to->out, DW_OP_lit0);
        return (is_text || type->kind == JS_KIND_NONE) && type->size <= 8;
    }
    return js_scalar_is_literal(type) ? put_literal(to, formula, type)
                                      : fits(js_computing_put_number(to, formula, depth), type);
}

/* Put the test of a choice; *other receives the jump to the `else`, for js_expr_land(). */
static bool put_test(js_computing *to, const js_node *choice, unsigned depth, size_t *other)
{
    if (!(js_computing_put_number(to, js_formula_part(choice, 0), depth) & JS_SCALAR_WHOLE)) {
        return false;
    }
    js_expr_op(to->out, DW_OP_lit0);
    js_expr_op(to->out, DW_OP_eq);
    *other = js_expr_leap(to->out, DW_OP_bra);
    return true;
}

/* Put the value of a choice on the stack; where there is no value, the expression ends. */
static bool put_choice(js_computing *to, const js_node *formula, const js_type *type, unsigned depth)
{
    if (js_formula_kind_of(formula) == JS_FORMULA_NONE) {
        js_computing_leave(to);
        return true;
    }
    if (js_formula_kind_of(formula) != JS_FORMULA_IF) {
        return put_scalar(to, formula, type, depth);
    }
    size_t other;
    if (!put_test(to, formula, depth + 1, &other) ||
        !put_choice(to, js_formula_part(formula, 1), type, depth + 1)) {
        return false;
    }
    size_t end = js_expr_leap(to->out, DW_OP_skip);
    js_expr_land(to->out, other);
    bool done = put_choice(to, js_formula_part(formula, 2), type, depth + 1);
    js_expr_land(to->out, end);
    return done;
}

/* Put the place of a float, if it has one; false: nothing was put. */
static bool put_place(js_computing *to, const js_node *formula, const js_type *type)
{
    js_verdict found;
    js_part part;
    size_t count;
    if (!js_scalar_is_float(type) || !js_formula_is_variable(formula) || !js_computing_may_read(to) ||
        !to->finder->find(to->finder->context, formula, &found) || found.computed ||
        found.version->type != type || found.needs_zero_check ||
        js_parts_read(found.expr.bytes, found.expr.size, 8, &part, 1, &count) != JS_OK || count != 1) {
        return false;
    }
    js_expr_copy(to->out, found.expr.bytes, found.expr.size);
    return true;
}

static bool put_item(js_computing *to, const js_node *formula, const js_type *type)
{
    bool is_literal = js_scalar_is_literal(type);
    if (!is_literal && !js_scalar_is_int(type) && !js_scalar_is_bool(type) && !js_scalar_is_float(type)) {
        return false;
    }
    if (put_place(to, formula, type)) {
        return true;
    }
    bool done =
        is_literal ? put_literal(to, formula, type) : fits(js_computing_put_number(to, formula, 0), type);
    js_expr_op(to->out, DW_OP_stack_value);
    return done;
}

static bool put_tuple(js_computing *to, const js_node *formula, const js_type *type)
{
    uint64_t done = 0, count = type->shape == JS_SHAPE_ARRAY ? type->count : type->nmembers;
    if (type->kind != JS_KIND_TUPLE || js_formula_kind_of(formula) != JS_FORMULA_TUPLE ||
        count != js_formula_nparts(formula)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        bool is_uniform = type->shape == JS_SHAPE_ARRAY;
        const js_type *item = is_uniform ? type->target : type->members[i].type;
        uint64_t at = is_uniform ? i * item->size : type->members[i].offset;
        if (at < done) {
            return false;
        }
        if (at > done) {
            js_expr_piece(to->out, at - done);
        }
        if (!put_item(to, js_formula_part(formula, i), item)) {
            return false;
        }
        js_expr_piece(to->out, item->size);
        done = at + item->size;
    }
    if (done < type->size) {
        js_expr_piece(to->out, type->size - done);
    }
    return done > 0;
}

static bool put_parts(js_computing *to, const js_node *formula, const js_type *type)
{
    return js_formula_kind_of(formula) == JS_FORMULA_VIEW ? js_computing_put_view(to, formula, type)
                                                          : put_tuple(to, formula, type);
}

/* Put a choice of several tuples or views; each of them ends the expression. */
static bool put_chosen_parts(js_computing *to, const js_node *formula, const js_type *type, unsigned depth)
{
    if (js_formula_kind_of(formula) == JS_FORMULA_NONE) {
        js_computing_leave(to);
        return true;
    }
    if (js_formula_kind_of(formula) != JS_FORMULA_IF) {
        bool done = put_parts(to, formula, type);
        if (to->nexits == JS_COMPUTED_EXITS) {
            return false;
        }
        to->exits[to->nexits++] = js_expr_leap(to->out, DW_OP_skip);
        return done;
    }
    size_t other;
    if (!put_test(to, formula, depth + 1, &other) ||
        !put_chosen_parts(to, js_formula_part(formula, 1), type, depth + 1)) {
        return false;
    }
    js_expr_land(to->out, other);
    return put_chosen_parts(to, js_formula_part(formula, 2), type, depth + 1);
}

/* Put the location of another variable of the same type. */
static bool put_copy(js_computing *to, const js_node *name, const js_variable *version)
{
    js_verdict found;
    if (!js_computing_may_read(to) || !to->finder->find(to->finder->context, name, &found) ||
        found.version->type != version->type) {
        return false;
    }
    if (found.computed) {
        return js_truth_compute(to->truth, version, found.computed, to->finder, to->out);
    }
    *to->out = found.expr;
    return true;
}

static bool put_number(const js_node *number, const js_variable *version, js_expr *out)
{
    js_verdict literal = {.state = JS_STATE_UNKNOWN};
    bool done = js_truth_put_literal(version, js_formula_text(number), &literal);
    *out = literal.expr;
    return done;
}

bool js_truth_compute(js_truth *truth, const js_variable *version, const js_node *formula, js_finder *finder,
                      js_expr *out)
{
    const js_function *function = truth->function;
    const js_type *type = version->type;
    js_computing to = {.truth = truth, .finder = finder, .out = out, .size = type->size};
    to.keeps_floats = function->name.flags && js_numba_keeps_floats(function->name.flags);
    js_formula_kind kind = js_formula_kind_of(formula);
    out->size = 0;
    out->overflow = false;
    switch (kind) {
    case JS_FORMULA_NAME:
    case JS_FORMULA_ENTRY:
        return put_copy(&to, formula, version);
    case JS_FORMULA_NUMBER:
        return put_number(formula, version, out);
    case JS_FORMULA_NONE:
        return false;
    default:
        break;
    }
    if (!guard_all(&to, formula, 0)) {
        return false;
    }
    bool done;
    if (kind == JS_FORMULA_TUPLE || kind == JS_FORMULA_VIEW) {
        done = put_parts(&to, formula, type);
    } else if (type->kind == JS_KIND_TUPLE || type->kind == JS_KIND_ARRAY) {
        done = put_chosen_parts(&to, formula, type, 0);
    } else {
        done = put_choice(&to, formula, type, 0);
        js_expr_op(out, DW_OP_stack_value);
    }
    for (size_t i = 0; i < to.nexits; i++) {
        js_expr_land(out, to.exits[i]);
    }
    return done && !out->overflow;
}
