/* Assigns the arguments of a call to the function's parameters. */
#include "expressions/functions/given.h"

#include <string.h>

#include "expressions/lazy/evaluation.h"
#include "expressions/operands/sequences.h"

int js_bind(js_evaluation *e, const char *function, const char *const *parameters, const js_given *given,
            const js_operand **out)
{
    size_t most = 0;
    while (parameters[most]) {
        out[most++] = NULL;
    }
    for (size_t i = 0; i < given->count; i++) {
        const char *name = given->names[i];
        size_t k = name ? 0 : i;
        while (name && k < most && strcmp(parameters[k], name) != 0) {
            k++;
        }
        if (k >= most && name) {
            return js_fail(e, JS_EUNSUP, "TypeError: %s() got an unexpected keyword argument '%s'", function,
                           name);
        }
        if (k >= most) {
            return js_fail(e, JS_EUNSUP, "TypeError: %s() takes at most %zu argument%s (%zu given)", function,
                           most, most == 1 ? "" : "s", given->count);
        }
        if (out[k]) {
            return js_fail(e, JS_EUNSUP, "TypeError: %s() got multiple values for argument '%s'", function,
                           name);
        }
        out[k] = &given->arguments[i];
    }
    return JS_OK;
}

bool js_has_argument(const js_operand *operand)
{
    return operand && operand->kind != JS_OPERAND_NONE;
}

int js_axis_of(js_evaluation *e, const js_operand *operand, unsigned ndim, unsigned *out)
{
    __int128 axis;
    if (!js_operand_index(operand, &axis)) {
        return js_fail(e, JS_EUNSUP, "TypeError: '%s' object cannot be interpreted as an integer",
                       js_operand_type(operand));
    }
    __int128 wrapped = axis < 0 ? axis + (__int128)ndim : axis;
    if (wrapped < 0 || wrapped >= (__int128)ndim) {
        return js_fail(e, JS_ELIMIT, "AxisError: axis %lld is out of bounds for array of dimension %u",
                       (long long)axis, ndim);
    }
    *out = (unsigned)wrapped;
    return JS_OK;
}

int js_integers_of(const js_array_call *c, int64_t *out, unsigned *count)
{
    js_operand items = {.items = (js_operand *)(uintptr_t)c->given->arguments, .count = c->given->count};
    bool is_sequence;
    if (items.count == 1) {
        int status = js_operand_items(c->e, c->given->arguments, &items, &is_sequence);
        if (status) {
            return status;
        }
        items = is_sequence ? items
                            : (js_operand){.items = (js_operand *)(uintptr_t)c->given->arguments, .count = 1};
    }
    if (items.count > 32) {
        return js_fail(c->e, JS_EBAD, "ValueError: maximum supported dimension for an ndarray is 32 here");
    }
    for (uint64_t i = 0; i < items.count; i++) {
        __int128 number;
        if (!js_operand_index(&items.items[i], &number) || number > INT64_MAX || number < INT64_MIN) {
            return js_fail(c->e, JS_EUNSUP, "TypeError: '%s' object cannot be interpreted as an integer",
                           js_operand_type(&items.items[i]));
        }
        out[i] = (int64_t)number;
    }
    *count = (unsigned)items.count;
    return JS_OK;
}
