/* Computes reductions along axes: one for each run of elements along those axes. */
#include "expressions/functions/axes.h"

#include <math.h>

#include "expressions/core/sums.h"
#include "expressions/lazy/evaluation.h"

enum { SCRATCH = 4 << 20 /* bytes that runs may leave in the arena before they are freed */ };

/* Order the axes: those that remain first, those that are reduced last. */
static int order_axes(js_evaluation *e, const js_lazy *lazy, const bool *is_reduced, const js_lazy **out)
{
    unsigned axes[32], count = 0;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < lazy->view.ndim; i++) {
            if (is_reduced[i] == (pass == 1)) {
                axes[count++] = i;
            }
        }
    }
    return js_lazy_permuted(e, lazy, axes, out);
}

static js_number_type result_type(js_reduction reduction, js_number_type type)
{
    js_number_type wide = js_number_is_whole(type) ? JS_FLOAT64 : type;
    switch (reduction) {
    case JS_REDUCE_SUM:
    case JS_REDUCE_PROD:
        return js_sum_type(type);
    case JS_REDUCE_ARGMIN:
    case JS_REDUCE_ARGMAX:
        return JS_INT64;
    case JS_REDUCE_ANY:
    case JS_REDUCE_ALL:
        return JS_BOOL;
    case JS_REDUCE_MEAN:
        return wide;
    case JS_REDUCE_VAR:
    case JS_REDUCE_STD:
        return js_number_part(wide);
    default:
        return type;
    }
}

static int reduce_run(js_evaluation *e, js_reduction reduction, const js_lazy *run, double ddof,
                      js_number_type type, js_number *out)
{
    bool is_spread = reduction == JS_REDUCE_VAR || reduction == JS_REDUCE_STD;
    if (!is_spread || ddof == 0) {
        return js_reduce(e, reduction, run, out);
    }
    int status = js_reduce(e, JS_REDUCE_VAR, run, out);
    double count = (double)run->view.nitems, left = count - ddof;
    out->real = out->real * count / (left > 0 ? left : 0);
    out->real = reduction == JS_REDUCE_STD ? sqrt(out->real) : out->real;
    js_number_cast(out, type);
    return status;
}

/* Compute the shape of the result, and how many elements each of its elements is computed from. */
static int reduced_shape(js_evaluation *e, const js_lazy *lazy, const bool *is_reduced, bool keeps_axes,
                         js_array_view *shape, uint64_t *length)
{
    *shape = (js_array_view){.nitems = 1};
    *length = 1;
    for (unsigned i = 0; i < lazy->view.ndim; i++) {
        uint64_t axis = (uint64_t)lazy->view.shape[i];
        uint64_t *product = is_reduced[i] ? length : &shape->nitems;
        if (__builtin_mul_overflow(*product, axis, product)) {
            return js_fail(e, JS_ELIMIT, "ValueError: array is too big");
        }
        if (!is_reduced[i] || keeps_axes) {
            shape->shape[shape->ndim++] = is_reduced[i] ? 1 : (int64_t)axis;
        }
    }
    return shape->nitems <= JS_EXPRESSION_ELEMENTS
               ? JS_OK
               : js_fail(e, JS_ENOMEM, "MemoryError: %llu elements are too many to hold here",
                         (unsigned long long)shape->nitems);
}

int js_reduce_axes(js_evaluation *e, js_reduction reduction, const js_lazy *lazy, const bool *is_reduced,
                   bool keeps_axes, double ddof, const js_lazy **out)
{
    const js_lazy *ordered;
    js_array_view shape;
    uint64_t length;
    int status = reduced_shape(e, lazy, is_reduced, keeps_axes, &shape, &length);
    if (status) {
        return status;
    }
    js_number_type type = result_type(reduction, lazy->type);
    uint64_t size = js_number_size(type);
    uint8_t *results = js_arena_alloc(&e->arena, shape.nitems * size + 1);
    js_lazy run;
    const js_lazy *first;
    int64_t count = (int64_t)length;
    status = results ? order_axes(e, lazy, is_reduced, &ordered) : js_no_memory(e);
    status = status ? status : js_lazy_picked(e, ordered, NULL, 1, &count, &first);
    if (status) {
        return status;
    }
    js_arena outer = e->arena, scratch;
    js_arena_init(&scratch, JS_EXPRESSION_MEMORY);
    e->arena = scratch;
    for (uint64_t i = 0; i < shape.nitems && status == JS_OK; i++) {
        js_number number;
        run = *first;
        run.view.data = i * length;
        status = reduce_run(e, reduction, &run, ddof, type, &number);
        if (status == JS_OK) {
            js_number_cast(&number, type);
            js_number_store(&number, results + i * size);
            status = js_polled(e, 64, i, shape.nitems);
        }
        if (e->arena.used > SCRATCH) {
            js_arena_deinit(&e->arena);
        }
    }
    js_arena_deinit(&e->arena);
    e->arena = outer;
    status = status ? status : js_lazy_local(e, type, results, shape.nitems, &first);
    if (status == JS_OK) {
        js_lazy *made = (js_lazy *)first;
        made->view.ndim = shape.ndim;
        int64_t stride = (int64_t)size;
        for (unsigned i = shape.ndim; i-- > 0;) {
            made->view.shape[i] = shape.shape[i];
            made->view.strides[i] = stride;
            stride *= shape.shape[i];
        }
        *out = made;
    }
    return status;
}
