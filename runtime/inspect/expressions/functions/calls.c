/* Calls the functions and methods that an expression may call: those that only read. */
#include "expressions/functions/calls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expressions/core/compare.h"
#include "expressions/core/conversions.h"
#include "expressions/core/operators.h"
#include "expressions/core/reduce.h"
#include "expressions/front/tree.h"
#include "expressions/functions/builtins.h"
#include "expressions/functions/collections.h"
#include "expressions/functions/items.h"
#include "expressions/functions/methods.h"
#include "expressions/functions/numpy.h"
#include "expressions/functions/texts.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/operands/arguments.h"
#include "expressions/operands/objects.h"
#include "expressions/operands/sequences.h"

static int length(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                  js_operand *out)
{
    uint64_t found = 0;
    bool has_length;
    (void)name;
    (void)count;
    int status = js_operand_length(e, arguments, &found, &has_length);
    if (status == JS_OK && !has_length) {
        return js_fail(e, JS_EUNSUP, "TypeError: object of type '%s' has no len()",
                       js_operand_type(arguments));
    }
    *out = js_operand_of_int((__int128)found);
    return status;
}

static int absolute(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                    js_operand *out)
{
    (void)name;
    (void)count;
    return js_unary(e, JS_ABS, arguments, out);
}

static int classify(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                    js_operand *out)
{
    (void)count;
    js_operator op = strcmp(name, "isnan") == 0   ? JS_ISNAN
                     : strcmp(name, "isinf") == 0 ? JS_ISINF
                                                  : JS_ISFINITE;
    if (arguments->kind == JS_OPERAND_NUMBER) {
        const js_number *x = &arguments->number;
        bool is_nan = isnan(x->real) || isnan(x->imag), is_inf = isinf(x->real) || isinf(x->imag);
        *out = js_operand_of_bool(op == JS_ISNAN ? is_nan : op == JS_ISINF ? is_inf : !is_nan && !is_inf);
        return JS_OK;
    }
    return arguments->kind == JS_OPERAND_ARRAY ? js_unary(e, op, arguments, out)
                                               : js_wrong_argument(e, name, arguments);
}

/* ---- min, max, sum, any, all over items ---- */

/* Give several operands: the arguments, or the items of the only argument. */
static int items_of(js_evaluation *e, const js_operand *arguments, size_t count, js_operand *out)
{
    *out = (js_operand){.kind = JS_OPERAND_SEQUENCE, .items = (js_operand *)arguments, .count = count};
    return count > 1 ? JS_OK : js_items_of(e, arguments, out);
}

/* Apply min(), max(), sum(), any() or all() to an array. One of more than one dimension is refused: its rows
 * are arrays, which Python would compare. */
static int over_array(js_evaluation *e, const char *name, const js_lazy *array, js_operand *out)
{
    static const struct {
        const char *name;
        js_reduction reduction;
    } rows[] = {{"min", JS_REDUCE_MIN},
                {"max", JS_REDUCE_MAX},
                {"sum", JS_REDUCE_SUM},
                {"any", JS_REDUCE_ANY},
                {"all", JS_REDUCE_ALL}};
    if (array->view.ndim == 0) {
        return js_fail(e, JS_EUNSUP, "TypeError: iteration over a 0-d array");
    }
    if (array->view.ndim > 1) {
        return js_fail(
            e, JS_EUNSUP,
            "TypeError: %s() goes through the rows of an array; a.%s() is the one over all elements", name,
            name);
    }
    if (array->view.nitems == 0 && *name == 'm') {
        return js_fail(e, JS_EBAD, "ValueError: %s() iterable argument is empty", name);
    }
    if (array->type == JS_NOT_A_NUMBER) {
        return js_fail(e, JS_EUNSUP, "TypeError: %s() of %s is not known here", name, array->dtype->name);
    }
    for (size_t i = 0; i < 5; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            *out = (js_operand){.kind = JS_OPERAND_NUMBER};
            return js_reduce(e, rows[i].reduction, array, &out->number);
        }
    }
    return JS_EARG;
}

static int extreme(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                   js_operand *out)
{
    js_operand items, is_better;
    if (count == 1 && arguments->kind == JS_OPERAND_ARRAY) {
        return over_array(e, name, arguments->array, out);
    }
    int status = items_of(e, arguments, count, &items);
    if (status == JS_OK && !items.count) {
        return js_fail(e, JS_EBAD, "ValueError: %s() iterable argument is empty", name);
    }
    for (uint64_t i = 0; i < items.count && status == JS_OK; i++) {
        bool yes = i == 0;
        if (i) {
            status =
                js_compare(e, strcmp(name, "max") == 0 ? JS_GT : JS_LT, &items.items[i], out, &is_better);
            status = status ? status : js_operand_truth(e, &is_better, &yes);
        }
        if (yes) {
            *out = items.items[i];
        }
    }
    return status;
}

static int total(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                 js_operand *out)
{
    js_operand items;
    if (count == 1 && arguments->kind == JS_OPERAND_ARRAY) {
        return over_array(e, name, arguments->array, out);
    }
    int status = items_of(e, arguments, 1, &items);
    js_operand sum = count > 1 ? arguments[1] : js_operand_of_int(0);
    for (uint64_t i = 0; i < items.count && status == JS_OK; i++) {
        status = js_binary(e, JS_ADD, &sum, &items.items[i], out);
        sum = *out;
    }
    *out = sum;
    return status;
}

static int logical(js_evaluation *e, const char *name, const js_operand *arguments, size_t count,
                   js_operand *out)
{
    js_operand items;
    bool is_any = strcmp(name, "any") == 0, answer = !is_any;
    if (arguments->kind == JS_OPERAND_ARRAY) {
        return over_array(e, name, arguments->array, out);
    }
    (void)count;
    int status = items_of(e, arguments, 1, &items);
    for (uint64_t i = 0; i < items.count && status == JS_OK && answer != is_any; i++) {
        status = js_operand_truth(e, &items.items[i], &answer);
    }
    *out = js_operand_of_bool(answer);
    return status;
}

static const js_builtin functions[] = {
    {"len", length, 1, 1},
    {"abs", absolute, 1, 1},
    {"isnan", classify, 1, 1},
    {"isinf", classify, 1, 1},
    {"isfinite", classify, 1, 1},
    {"min", extreme, 1, JS_TREE_ITEMS},
    {"max", extreme, 1, JS_TREE_ITEMS},
    {"sum", total, 1, 2},
    {"any", logical, 1, 1},
    {"all", logical, 1, 1},
    {"int", js_call_convert, 1, 1},
    {"float", js_call_convert, 1, 1},
    {"bool", js_call_convert, 1, 1},
    {"round", js_call_round, 1, 2},
};

static const js_builtin *find_function(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (strcmp(functions[i].name, name) == 0) {
            return &functions[i];
        }
    }
    return js_builtin_find(name);
}

bool js_is_function(const char *name)
{
    return find_function(name);
}

/* ---- methods ---- */

static int call_builtin(js_evaluation *e, const js_builtin *f, const js_operand *arguments, size_t count,
                        js_operand *out)
{
    if (count < f->least || count > f->most) {
        return js_fail_count(e, f->name, f->least, f->most, count);
    }
    return f->run(e, f->name, arguments, count, out);
}

static int call_method(js_evaluation *e, const js_operand *function, const js_operand *arguments,
                       size_t count, js_operand *out)
{
    js_operand text;
    bool is_text;
    if (js_collection_has_method(function->of, function->name)) {
        return js_collection_method(e, function->name, function->of, arguments, count, out);
    }
    int status = js_operand_text(e, function->of, &text, &is_text);
    return status ? status : js_text_method(e, function->name, &text, arguments, count, out);
}

/* Convert members of an IntEnum to the ints that they are, for functions of numbers; str() and repr() do not
 * need that. */
static int numbers_of(js_evaluation *e, const js_operand **arguments, size_t count)
{
    js_operand number, *made = NULL;
    for (size_t i = 0; i < count; i++) {
        if (js_operand_as_number(&(*arguments)[i], &number) != &number) {
            continue;
        }
        if (!made) {
            made = js_arena_alloc(&e->arena, count * sizeof *made);
            if (!made) {
                return js_no_memory(e);
            }
            memcpy(made, *arguments, count * sizeof *made);
        }
        made[i] = number;
    }
    *arguments = made ? made : *arguments;
    return JS_OK;
}

int js_call(js_evaluation *e, const js_operand *function, const js_operand *arguments, size_t count,
            const char *const *names, js_operand *out)
{
    bool is_text = function->kind == JS_OPERAND_FUNCTION && !function->module &&
                   (strcmp(function->name, "str") == 0 || strcmp(function->name, "repr") == 0);
    int status = is_text ? JS_OK : numbers_of(e, &arguments, count);
    if (status) {
        return status;
    }
    const js_given given = {arguments, count, names};
    bool is_method = function->kind == JS_OPERAND_METHOD, is_function = function->kind == JS_OPERAND_FUNCTION;
    if (is_method && function->of->kind == JS_OPERAND_ARRAY) {
        return js_array_method(e, function->name, function->of->array, &given, out);
    }
    if (is_function && function->module) {
        return js_module_call(e, function->module, function->name, &given, out);
    }
    for (size_t i = 0; i < count && (is_method || is_function); i++) {
        if (names[i]) {
            return js_fail(e, JS_EUNSUP, "TypeError: the argument %s= of %s() is not known here", names[i],
                           function->name);
        }
    }
    if (is_method) {
        return call_method(e, function, arguments, count, out);
    }
    if (!is_function) {
        return js_object_is(function)
                   ? js_fail(e, JS_EUNSUP, "NotImplementedError: functions of the program are not called")
                   : js_fail(e, JS_EUNSUP, "TypeError: '%s' object is not callable",
                             js_operand_type(function));
    }
    return call_builtin(e, find_function(function->name), arguments, count, out);
}
