/* Evaluates the tree of an expression, node by node. */
#include "expressions/api/evaluate.h"

#include <string.h>

#include "expressions/core/compare.h"
#include "expressions/core/container_find.h"
#include "expressions/core/operators.h"
#include "expressions/core/reduce.h"
#include "expressions/core/subscripts.h"
#include "expressions/functions/attributes.h"
#include "expressions/functions/calls.h"
#include "expressions/functions/numpy.h"
#include "expressions/functions/texts.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/operands/containers.h"
#include "expressions/operands/sequences.h"
#include "values/base/value.h"
#include "values/select/elsewhere.h"

static int name(js_evaluation *e, const js_node *node, js_operand *out)
{
    js_value value = {0};
    if (e->bound_name && strcmp(e->bound_name, node->text) == 0) {
        *out = *e->bound;
        return JS_OK;
    }
    int status = e->with.name ? e->with.name(e->with.name_context, node->text, &value, e->why) : JS_ENOTFOUND;
    if (status == JS_OK) {
        return js_operand_of_value(e, &value, out);
    }
    if (status != JS_ENOTFOUND || e->why->length) {
        return e->why->length ? status : js_fail(e, status, "%s", js_strerror(status));
    }
    if (js_is_function(node->text)) {
        *out = (js_operand){.kind = JS_OPERAND_FUNCTION, .name = node->text};
        return JS_OK;
    }
    return js_python_has_name(NULL, node->text)
               ? js_fail(e, JS_EUNSUP, "NameError: %s is not known here", node->text)
               : js_fail(e, status, "NameError: name '%s' is not defined", node->text);
}

static int all(js_evaluation *e, const js_node *const *nodes, size_t count, js_operand **out)
{
    *out = js_arena_alloc(&e->arena, (count + 1) * sizeof **out);
    int status = *out ? JS_OK : js_no_memory(e);
    for (size_t i = 0; i < count && status == JS_OK; i++) {
        status = nodes[i] ? js_node_evaluate(e, nodes[i], &(*out)[i]) : JS_OK;
    }
    return status;
}

static int sequence(js_evaluation *e, const js_node *node, js_operand *out)
{
    *out = (js_operand){.kind = node->kind == JS_NODE_SLICE ? JS_OPERAND_SLICE : JS_OPERAND_SEQUENCE,
                        .count = node->count,
                        .is_list = node->kind == JS_NODE_LIST};
    return all(e, node->items, node->count, &out->items);
}

/* Return the module that a name means, where the program has no variable of it; NULL: none. */
static const char *module_of(const js_node *node)
{
    const char *name = node->kind == JS_NODE_NAME ? node->text : "";
    return strcmp(name, "np") == 0 || strcmp(name, "numpy") == 0 ? "numpy"
           : strcmp(name, "math") == 0                           ? "math"
                                                                 : NULL;
}

static int attribute(js_evaluation *e, const js_node *node, js_operand *out)
{
    static const char *const shared[] = {"isnan", "isinf", "isfinite"};
    js_operand of;
    int status = js_node_evaluate(e, node->items[0], &of);
    const char *module = module_of(node->items[0]);
    if (status != JS_ENOTFOUND || !module) {
        return status ? status : js_attribute(e, &of, node->text, out);
    }
    e->why->length = 0;
    if (js_module_constant(module, node->text, out)) {
        return JS_OK;
    }
    *out = (js_operand){.kind = JS_OPERAND_FUNCTION, .name = node->text, .module = module};
    for (size_t i = 0; i < 3; i++) {
        if (strcmp(node->text, shared[i]) == 0) {
            out->module = NULL;
            return JS_OK;
        }
    }
    return js_module_has(module, node->text)
               ? JS_OK
               : js_fail(e, JS_ENOTFOUND, "AttributeError: %s.%s is not known here", module, node->text);
}

static int call(js_evaluation *e, const js_node *node, js_operand *out)
{
    js_operand *operands;
    int status = all(e, node->items, node->count, &operands);
    return status ? status : js_call(e, operands, operands + 1, node->count - 1, node->names + 1, out);
}

/* Compute `a is b`, for operands that have no identity here other than that of None, True and False. */
static int identity(js_evaluation *e, const js_operand *a, const js_operand *b, bool *out)
{
    bool none_a = a->kind == JS_OPERAND_NONE, none_b = b->kind == JS_OPERAND_NONE;
    bool bool_a = a->kind == JS_OPERAND_NUMBER && a->number.type == JS_BOOL;
    bool bool_b = b->kind == JS_OPERAND_NUMBER && b->number.type == JS_BOOL;
    *out = false;
    if (!none_a && !none_b && !bool_a && !bool_b) {
        return js_fail(e, JS_EUNSUP, "TypeError: 'is' compares with None, True and False here: use ==");
    }
    *out = (none_a && none_b) || (bool_a && bool_b && a->number.integer == b->number.integer);
    return JS_OK;
}

static int contains_text(js_evaluation *e, const js_operand *what, const js_operand *of, bool *out)
{
    js_operand text, found;
    bool is_text;
    int status = js_operand_text(e, what, &text, &is_text);
    if (status) {
        return status;
    }
    if (!is_text || text.is_bytes != of->is_bytes) {
        return js_fail(e, JS_EUNSUP,
                       of->is_bytes ? "TypeError: a bytes-like object is required, not '%s'"
                                    : "TypeError: 'in <string>' requires string as left operand, not %s",
                       js_operand_type(what));
    }
    status = js_text_method(e, "find", of, &text, 1, &found);
    *out = status == JS_OK && found.number.integer >= 0;
    return status;
}

static int contains(js_evaluation *e, const js_operand *what, const js_operand *of, bool *out)
{
    js_operand items, same;
    bool is_one;
    *out = false;
    if (of->kind == JS_OPERAND_ARRAY) {
        js_number any = {0};
        int status = js_compare(e, JS_EQ, of, what, &same);
        if (status || same.kind != JS_OPERAND_ARRAY) {
            return status ? status : js_operand_truth(e, &same, out);
        }
        status = js_reduce(e, JS_REDUCE_ANY, same.array, &any);
        *out = any.integer != 0;
        return status;
    }
    int status = js_operand_text(e, of, &items, &is_one);
    if (status || is_one) {
        return status ? status : contains_text(e, what, &items, out);
    }
    if (js_operand_is_container(of)) {
        return js_container_find(e, of, what, out, &items);
    }
    status = js_operand_items(e, of, &items, &is_one);
    if (status == JS_OK && !is_one) {
        return js_fail(e, JS_EUNSUP,
                       of->kind == JS_OPERAND_NUMBER || of->kind == JS_OPERAND_NONE
                           ? "TypeError: argument of type '%s' is not iterable"
                           : "TypeError: 'in' cannot search a '%s' here",
                       js_operand_type(of));
    }
    for (uint64_t i = 0; i < items.count && status == JS_OK && !*out; i++) {
        status = js_compare(e, JS_EQ, &items.items[i], what, &same);
        status = status ? status : js_operand_truth(e, &same, out);
    }
    return status;
}

static int compare_one(js_evaluation *e, js_operator op, const js_operand *a, const js_operand *b,
                       js_operand *out)
{
    bool answer;
    int status;
    switch (op) {
    case JS_IN:
    case JS_NOT_IN:
        status = contains(e, a, b, &answer);
        *out = js_operand_of_bool(answer == (op == JS_IN));
        return status;
    case JS_IS:
    case JS_IS_NOT:
        status = identity(e, a, b, &answer);
        *out = js_operand_of_bool(answer == (op == JS_IS));
        return status;
    default:
        return js_compare(e, op, a, b, out);
    }
}

/* Find the integer that the operand equals. False: it equals none. */
static bool equal_integer(const js_operand *operand, __int128 *out)
{
    js_number number;
    if (js_operand_index(operand, out)) {
        return true;
    }
    if (!js_operand_number(operand, &number) || !js_number_is_float(number.type)) {
        return false;
    }
    long double real = number.real;
    *out = real > -0x1p100L && real < 0x1p100L ? (__int128)real : 0;
    return real == (long double)*out;
}

/* Compute `what in range(start, stop, step)`. */
static int in_range(js_evaluation *e, const js_operand *what, const js_node *call, bool *out)
{
    js_operand *given;
    __int128 parts[3] = {0, 0, 1}, item;
    size_t count = call->count - 1;
    int status = all(e, call->items + 1, count, &given);
    for (size_t i = 0; i < count && status == JS_OK; i++) {
        if (!js_operand_index(&given[i], &parts[count == 1 ? 1 : i])) {
            status = js_fail(e, JS_EUNSUP, "TypeError: '%s' object cannot be interpreted as an integer",
                             js_operand_type(&given[i]));
        }
    }
    if (status == JS_OK && parts[2] == 0) {
        status = js_fail(e, JS_EBAD, "ValueError: range() arg 3 must not be zero");
    }
    *out = status == JS_OK && equal_integer(what, &item) &&
           (parts[2] > 0 ? item >= parts[0] && item < parts[1] : item <= parts[0] && item > parts[1]) &&
           (item - parts[0]) % parts[2] == 0;
    return status;
}

/* Evaluate one of the comparison's operators, with the operand to its right. */
static int compare_next(js_evaluation *e, const js_node *node, size_t i, const js_operand *left,
                        js_operand *right, js_operand *out)
{
    js_operator op = node->operators[i - 1];
    bool answer;
    if ((op == JS_IN || op == JS_NOT_IN) && js_tree_is_range(node->items[i]) && i + 1 == node->count) {
        int status = in_range(e, left, node->items[i], &answer);
        *out = js_operand_of_bool(answer == (op == JS_IN));
        return status;
    }
    int status = js_node_evaluate(e, node->items[i], right);
    return status ? status : compare_one(e, op, left, right, out);
}

/* Compute a < b < c, which is (a < b) and (b < c), with b evaluated once. */
static int chain(js_evaluation *e, const js_node *node, js_operand *out)
{
    js_operand left, right;
    int status = js_node_evaluate(e, node->items[0], &left);
    for (size_t i = 1; i < node->count && status == JS_OK; i++) {
        bool goes_on = true;
        status = compare_next(e, node, i, &left, &right, out);
        if (status == JS_OK && i + 1 < node->count) {
            status = js_operand_truth(e, out, &goes_on);
        }
        if (!goes_on) {
            break;
        }
        left = right;
    }
    return status;
}

static int branches(js_evaluation *e, const js_node *node, js_operand *out)
{
    bool is_true;
    js_operand first;
    int status = js_node_evaluate(e, node->items[0], &first);
    status = status ? status : js_operand_truth(e, &first, &is_true);
    if (status) {
        return status;
    }
    switch (node->kind) {
    case JS_NODE_NOT:
        *out = js_operand_of_bool(!is_true);
        return JS_OK;
    case JS_NODE_IF:
        return js_node_evaluate(e, node->items[is_true ? 1 : 2], out);
    default:
        *out = first;
        return is_true == (node->kind == JS_NODE_AND) ? js_node_evaluate(e, node->items[1], out) : JS_OK;
    }
}

int js_node_evaluate(js_evaluation *e, const js_node *node, js_operand *out)
{
    js_operand a, b;
    int status;
    *out = (js_operand){0};
    switch (node->kind) {
    case JS_NODE_NUMBER:
        *out = js_operand_of_number(node->number);
        return JS_OK;
    case JS_NODE_TEXT:
        *out = (js_operand){
            .kind = JS_OPERAND_TEXT, .codes = node->codes, .count = node->ncodes, .is_bytes = node->is_bytes};
        return JS_OK;
    case JS_NODE_CONSTANT:
        out->kind = strcmp(node->text, "None") == 0 ? JS_OPERAND_NONE : JS_OPERAND_ELLIPSIS;
        return JS_OK;
    case JS_NODE_NAME:
        return name(e, node, out);
    case JS_NODE_TUPLE:
    case JS_NODE_LIST:
    case JS_NODE_SLICE:
        return sequence(e, node, out);
    case JS_NODE_ATTRIBUTE:
        return attribute(e, node, out);
    case JS_NODE_CALL:
        return call(e, node, out);
    case JS_NODE_UNARY:
        status = js_node_evaluate(e, node->items[0], &a);
        return status ? status : js_unary(e, node->op, &a, out);
    case JS_NODE_SUBSCRIPT:
    case JS_NODE_BINARY:
        status = js_node_evaluate(e, node->items[0], &a);
        status = status ? status : js_node_evaluate(e, node->items[1], &b);
        if (status) {
            return status;
        }
        return node->kind == JS_NODE_BINARY ? js_binary(e, node->op, &a, &b, out)
                                            : js_subscript(e, &a, &b, out);
    case JS_NODE_COMPARE:
        return chain(e, node, out);
    case JS_NODE_AND:
    case JS_NODE_OR:
    case JS_NODE_NOT:
    case JS_NODE_IF:
        return branches(e, node, out);
    }
    return JS_EARG;
}
