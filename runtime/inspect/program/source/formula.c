/* Sorts the nodes of a parsed formula, and finds their parts. */
#include "program/source/formula.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_AXES_OF_A_SHAPE = 10 };

/* Functions that a formula may call. */
static const struct {
    const char *name;
    size_t narguments;
    js_formula_kind kind;
} functions[] = {
    {"entry", 1, JS_FORMULA_ENTRY}, {"index", 1, JS_FORMULA_WHOLE}, {"len", 1, JS_FORMULA_LENGTH},
    {"max", 2, JS_FORMULA_MAX},     {"min", 2, JS_FORMULA_MIN},
};

static js_formula_kind kind_of_operator(js_operator op)
{
    static const struct {
        js_operator op;
        js_formula_kind kind;
    } kinds[] = {
        {JS_ADD, JS_FORMULA_ADD},
        {JS_SUB, JS_FORMULA_SUBTRACT},
        {JS_MUL, JS_FORMULA_MULTIPLY},
        {JS_DIV, JS_FORMULA_DIVIDE},
        {JS_FLOORDIV, JS_FORMULA_FLOOR_DIVIDE},
        {JS_MOD, JS_FORMULA_REMAINDER},
        {JS_LT, JS_FORMULA_LESS},
        {JS_LE, JS_FORMULA_LESS_OR_EQUAL},
        {JS_GT, JS_FORMULA_GREATER},
        {JS_GE, JS_FORMULA_GREATER_OR_EQUAL},
        {JS_EQ, JS_FORMULA_EQUAL},
        {JS_NE, JS_FORMULA_NOT_EQUAL},
        {JS_NEG, JS_FORMULA_NEGATE},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].op == op) {
            return kinds[i].kind;
        }
    }
    return JS_FORMULA_OTHER;
}

static js_formula_kind kind_of_call(const js_node *call)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        bool is_it = call->items[0]->kind == JS_NODE_NAME &&
                     strcmp(call->items[0]->text, functions[i].name) == 0 &&
                     call->count == functions[i].narguments + 1 && !call->names[call->count - 1];
        if (!is_it) {
            continue;
        }
        bool is_plain = functions[i].kind == JS_FORMULA_LENGTH  ? js_formula_is_variable(call->items[1])
                        : functions[i].kind == JS_FORMULA_ENTRY ? call->items[1]->kind == JS_NODE_NAME
                                                                : true;
        return is_plain ? functions[i].kind : JS_FORMULA_OTHER;
    }
    return JS_FORMULA_OTHER;
}

/* Read a whole number, perhaps with a minus sign; false: the node is none. */
static bool read_whole(const js_node *node, int64_t *out)
{
    bool is_negative = node->kind == JS_NODE_UNARY && node->op == JS_NEG;
    const js_node *number = is_negative ? node->items[0] : node;
    if (number->kind != JS_NODE_NUMBER || !js_number_is_int(number->number.type)) {
        return false;
    }
    *out = is_negative ? -(int64_t)number->number.integer : (int64_t)number->number.integer;
    return true;
}

static bool read_axis(const js_node *node, js_formula_axis *out)
{
    *out = (js_formula_axis){.is_slice = node->kind == JS_NODE_SLICE, .has_start = true, .step = 1};
    if (!out->is_slice) {
        return read_whole(node, &out->start);
    }
    out->has_start = node->items[0] != NULL;
    out->has_stop = node->items[1] != NULL;
    return (!node->items[0] || read_whole(node->items[0], &out->start)) &&
           (!node->items[1] || read_whole(node->items[1], &out->stop)) &&
           (!node->items[2] || read_whole(node->items[2], &out->step)) && out->step != 0;
}

/* True for `a.shape`, where a is a variable. */
static bool is_shape(const js_node *node)
{
    return node->kind == JS_NODE_ATTRIBUTE && strcmp(node->text, "shape") == 0 &&
           js_formula_is_variable(node->items[0]);
}

static js_formula_kind kind_of_subscript(const js_node *subscript)
{
    js_formula_axis axes[JS_FORMULA_AXES];
    int64_t axis;
    if (is_shape(subscript->items[0])) {
        bool is_axis = read_whole(subscript->items[1], &axis) && axis >= 0 && axis < MOST_AXES_OF_A_SHAPE;
        return is_axis ? JS_FORMULA_LENGTH : JS_FORMULA_OTHER;
    }
    bool is_view = js_formula_is_variable(subscript->items[0]) && js_formula_axes(subscript, axes);
    return is_view ? JS_FORMULA_VIEW : JS_FORMULA_OTHER;
}

js_formula_kind js_formula_kind_of(const js_node *formula)
{
    switch (formula->kind) {
    case JS_NODE_NUMBER:
        return js_number_is_int(formula->number.type) || js_number_is_float(formula->number.type)
                   ? JS_FORMULA_NUMBER
                   : JS_FORMULA_OTHER;
    case JS_NODE_TEXT:
        return formula->is_bytes ? JS_FORMULA_OTHER : JS_FORMULA_TEXT;
    case JS_NODE_CONSTANT:
        return strcmp(formula->text, "...") == 0 ? JS_FORMULA_NONE : JS_FORMULA_TEXT;
    case JS_NODE_NAME:
        return JS_FORMULA_NAME;
    case JS_NODE_TUPLE:
        return formula->count ? JS_FORMULA_TUPLE : JS_FORMULA_OTHER;
    case JS_NODE_SUBSCRIPT:
        return kind_of_subscript(formula);
    case JS_NODE_CALL:
        return kind_of_call(formula);
    case JS_NODE_UNARY:
        return formula->text ? js_formula_kind_of(formula->items[0]) : kind_of_operator(formula->op);
    case JS_NODE_BINARY:
        return kind_of_operator(formula->op);
    case JS_NODE_COMPARE:
        return formula->count == 2 ? kind_of_operator(formula->operators[0]) : JS_FORMULA_OTHER;
    case JS_NODE_AND:
        return JS_FORMULA_AND;
    case JS_NODE_OR:
        return JS_FORMULA_OR;
    case JS_NODE_NOT:
        return JS_FORMULA_NOT;
    case JS_NODE_IF:
        return JS_FORMULA_IF;
    case JS_NODE_LIST:
    case JS_NODE_ATTRIBUTE:
    case JS_NODE_SLICE:
        break;
    }
    return JS_FORMULA_OTHER;
}

size_t js_formula_nparts(const js_node *formula)
{
    switch (js_formula_kind_of(formula)) {
    case JS_FORMULA_NUMBER:
    case JS_FORMULA_NAME:
    case JS_FORMULA_ENTRY:
    case JS_FORMULA_TEXT:
    case JS_FORMULA_NONE:
    case JS_FORMULA_OTHER:
        return 0;
    case JS_FORMULA_LENGTH:
    case JS_FORMULA_VIEW:
        return 1;
    default:
        return formula->kind == JS_NODE_CALL ? formula->count - 1 : formula->count;
    }
}

const js_node *js_formula_part(const js_node *formula, size_t number)
{
    if (number >= js_formula_nparts(formula)) {
        return NULL;
    }
    if (formula->kind == JS_NODE_SUBSCRIPT) {
        return is_shape(formula->items[0]) ? formula->items[0]->items[0] : formula->items[0];
    }
    return formula->items[formula->kind == JS_NODE_CALL ? number + 1 : number];
}

const char *js_formula_text(const js_node *formula)
{
    js_formula_kind kind = js_formula_kind_of(formula);
    return kind == JS_FORMULA_ENTRY                               ? formula->items[1]->text
           : kind == JS_FORMULA_NAME || kind == JS_FORMULA_NUMBER ? formula->text
                                                                  : NULL;
}

unsigned js_formula_axis_of(const js_node *length)
{
    int64_t axis = 0;
    if (length->kind == JS_NODE_SUBSCRIPT) {
        read_whole(length->items[1], &axis);
    }
    return (unsigned)axis;
}

size_t js_formula_axes(const js_node *view, js_formula_axis out[JS_FORMULA_AXES])
{
    const js_node *key = view->items[1];
    const js_node *const *axes = key->kind == JS_NODE_TUPLE ? key->items : &key;
    size_t count = key->kind == JS_NODE_TUPLE ? key->count : 1;
    bool is_known = count <= JS_FORMULA_AXES;
    for (size_t i = 0; i < count && is_known; i++) {
        is_known = read_axis(axes[i], &out[i]);
    }
    return is_known ? count : 0;
}

bool js_formula_is_variable(const js_node *formula)
{
    js_formula_kind kind = js_formula_kind_of(formula);
    return kind == JS_FORMULA_NAME || kind == JS_FORMULA_ENTRY;
}

bool js_formula_has(const js_node *formula, js_formula_kind kind)
{
    bool found = js_formula_kind_of(formula) == kind;
    size_t nparts = js_formula_nparts(formula);
    for (size_t i = 0; i < nparts && !found; i++) {
        found = js_formula_has(js_formula_part(formula, i), kind);
    }
    return found;
}

bool js_formula_is_arithmetic(const js_node *formula)
{
    js_formula_kind kind = js_formula_kind_of(formula);
    return kind >= JS_FORMULA_ADD && kind <= JS_FORMULA_REMAINDER;
}

bool js_formula_is_comparison(const js_node *formula)
{
    js_formula_kind kind = js_formula_kind_of(formula);
    return kind >= JS_FORMULA_LESS && kind <= JS_FORMULA_NOT_EQUAL;
}

int js_formula_read(js_arena *arena, const char *expression, const js_node **out)
{
    js_text why;
    size_t at;
    js_text_init(&why, 0);
    int status = js_tree_parse(arena, expression, out, &why, &at);
    js_text_deinit(&why);
    return status == JS_OK && js_formula_has(*out, JS_FORMULA_OTHER) ? JS_EBAD : status;
}
