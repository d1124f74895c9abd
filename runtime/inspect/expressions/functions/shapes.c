/* Computes methods of arrays that give the elements another shape. */
#include "expressions/functions/shapes.h"

#include <string.h>

#include "expressions/core/reduce.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/operands/arguments.h"
#include "values/base/array.h"

static int give_shape(const js_array_call *c, unsigned ndim, const int64_t *shape, js_operand *out)
{
    const js_lazy *made;
    int status = js_lazy_picked(c->e, c->array, NULL, ndim, shape, &made);
    *out = js_operand_of_array(made);
    return status;
}

int js_method_reshape(const js_array_call *c, js_operand *out)
{
    int64_t shape[32];
    unsigned ndim = 0, free_axis = 32;
    int status = js_integers_of(c, shape, &ndim);
    uint64_t size = 1;
    bool fits = true;
    for (unsigned i = 0; i < ndim && status == JS_OK; i++) {
        if (shape[i] < 0) {
            if (free_axis < 32 || shape[i] != -1) {
                return js_fail(c->e, JS_EBAD,
                               free_axis < 32 ? "ValueError: can only specify one unknown dimension"
                                              : "ValueError: negative dimensions not allowed");
            }
            free_axis = i;
        } else {
            fits &= !__builtin_mul_overflow(size, (uint64_t)shape[i], &size);
        }
    }
    if (status) {
        return status;
    }
    uint64_t count = c->array->view.nitems;
    if (free_axis < 32 && fits && size && count % size == 0) {
        shape[free_axis] = (int64_t)(count / size);
        size = count;
    }
    if (!fits || size != count || (free_axis < 32 && shape[free_axis] < 0)) {
        js_text wanted;
        js_text_init(&wanted, 0);
        js_put_tuple(&wanted, shape, ndim);
        status = js_fail(c->e, JS_EBAD, "ValueError: cannot reshape array of size %llu into shape %s",
                         (unsigned long long)count, wanted.data ? wanted.data : "");
        js_text_deinit(&wanted);
        return status;
    }
    return give_shape(c, ndim, shape, out);
}

int js_method_flatten(const js_array_call *c, js_operand *out)
{
    int64_t count = (int64_t)c->array->view.nitems;
    return give_shape(c, 1, &count, out);
}

int js_method_squeeze(const js_array_call *c, js_operand *out)
{
    int64_t shape[32];
    unsigned ndim = 0;
    for (unsigned i = 0; i < c->array->view.ndim; i++) {
        if (c->array->view.shape[i] != 1) {
            shape[ndim++] = c->array->view.shape[i];
        }
    }
    if (ndim == 0) {
        return js_operand_of_element(c->e, c->array, out);
    }
    return give_shape(c, ndim, shape, out);
}

int js_method_transpose(const js_array_call *c, js_operand *out)
{
    int64_t given[32];
    unsigned axes[32], count = 0, ndim = c->array->view.ndim;
    bool seen[32] = {false};
    const js_lazy *made;
    int status = js_integers_of(c, given, &count);
    if (status == JS_OK && count && count != ndim) {
        return js_fail(c->e, JS_EBAD, "ValueError: axes don't match array");
    }
    for (unsigned i = 0; i < ndim && status == JS_OK; i++) {
        js_operand axis = js_operand_of_int(count ? given[i] : (int64_t)(ndim - 1 - i));
        status = js_axis_of(c->e, &axis, ndim, &axes[i]);
        if (status == JS_OK && seen[axes[i]]) {
            return js_fail(c->e, JS_EBAD, "ValueError: repeated axis in transpose");
        }
        seen[status ? 0 : axes[i]] = true;
    }
    status = status ? status : js_lazy_permuted(c->e, c->array, axes, &made);
    *out = js_operand_of_array(made);
    return status;
}

int js_method_diagonal(const js_array_call *c, js_operand *out)
{
    const js_array_view *view = &c->array->view;
    if (view->ndim != 2) {
        return js_fail(c->e, JS_EBAD, "ValueError: %s() of an array of %u dimensions is not known here",
                       c->name, view->ndim);
    }
    uint64_t count = (uint64_t)(view->shape[0] < view->shape[1] ? view->shape[0] : view->shape[1]);
    uint64_t *ordinals =
        count > JS_EXPRESSION_ELEMENTS ? NULL : js_arena_alloc(&c->e->arena, (count + 1) * sizeof *ordinals);
    if (!ordinals) {
        return js_no_memory(c->e);
    }
    for (uint64_t i = 0; i < count; i++) {
        ordinals[i] = i * ((uint64_t)view->shape[1] + 1);
    }
    const js_lazy *made;
    int64_t shape = (int64_t)count;
    int status = js_lazy_picked(c->e, c->array, ordinals, 1, &shape, &made);
    if (status || *c->name == 'd') {
        *out = js_operand_of_array(made);
        return status;
    }
    *out = (js_operand){.kind = JS_OPERAND_NUMBER};
    return made->type == JS_NOT_A_NUMBER ? js_wrong_argument(c->e, c->name, out)
                                         : js_reduce(c->e, JS_REDUCE_SUM, made, &out->number);
}
