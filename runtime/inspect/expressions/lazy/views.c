/* Makes views of elements with their axes in another order. */
#include <stdlib.h>

#include "expressions/lazy/lazy.h"

static int reverse(js_evaluation *e, js_array_view *view, void *context)
{
    (void)e;
    (void)context;
    for (unsigned i = 0; i < view->ndim / 2; i++) {
        unsigned other = view->ndim - 1 - i;
        int64_t shape = view->shape[i], stride = view->strides[i];
        view->shape[i] = view->shape[other];
        view->strides[i] = view->strides[other];
        view->shape[other] = shape;
        view->strides[other] = stride;
    }
    return JS_OK;
}

int js_lazy_transpose(js_evaluation *e, const js_lazy *lazy, const js_lazy **out)
{
    return js_lazy_view(e, lazy, reverse, NULL, out);
}

static const js_lazy *first_leaf(const js_lazy *lazy)
{
    while (lazy->kind == JS_LAZY_MAP) {
        const js_lazy *next = lazy->inputs[0];
        if (lazy->inputs[1] && next->kind == JS_LAZY_LEAF && next->source == JS_SOURCE_LOCAL) {
            next = lazy->inputs[1]; /* it is a number */
        }
        lazy = next;
    }
    return lazy;
}

static int permute(js_evaluation *e, js_array_view *view, void *context)
{
    const unsigned *axes = context;
    js_array_view old = *view;
    (void)e;
    for (unsigned i = 0; i < view->ndim; i++) {
        view->shape[i] = old.shape[axes[i]];
        view->strides[i] = old.strides[axes[i]];
    }
    return JS_OK;
}

int js_lazy_permuted(js_evaluation *e, const js_lazy *lazy, const unsigned *axes, const js_lazy **out)
{
    return js_lazy_view(e, lazy, permute, (void *)(uintptr_t)axes, out);
}

typedef struct order {
    unsigned axes[32];
    bool flips[32];
} order;

static int reorder(js_evaluation *e, js_array_view *view, void *context)
{
    const order *wanted = context;
    js_array_view old = *view;
    (void)e;
    for (unsigned i = 0; i < view->ndim; i++) {
        unsigned from = wanted->axes[i];
        view->shape[i] = old.shape[from];
        view->strides[i] = old.strides[from];
        if (wanted->flips[i] && view->shape[i] > 0) {
            view->data += (uint64_t)(view->shape[i] - 1) * (uint64_t)view->strides[i];
            view->strides[i] = (int64_t) - (uint64_t)view->strides[i];
        }
    }
    return JS_OK;
}

int js_lazy_memory_order(js_evaluation *e, const js_lazy *lazy, const js_lazy **out)
{
    const js_array_view *view = &first_leaf(lazy)->view;
    order wanted;
    for (unsigned i = 0; i < view->ndim; i++) {
        unsigned at = i;
        uint64_t size = (uint64_t)llabs(view->strides[i] == INT64_MIN ? INT64_MAX : view->strides[i]);
        while (at > 0) {
            int64_t before = view->strides[wanted.axes[at - 1]];
            if ((uint64_t)llabs(before == INT64_MIN ? INT64_MAX : before) >= size) {
                break;
            }
            wanted.axes[at] = wanted.axes[at - 1];
            at--;
        }
        wanted.axes[at] = i;
    }
    for (unsigned i = 0; i < view->ndim; i++) {
        wanted.flips[i] = view->strides[wanted.axes[i]] < 0;
    }
    return js_lazy_view(e, lazy, reorder, &wanted, out);
}
