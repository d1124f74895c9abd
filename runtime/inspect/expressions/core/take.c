/* Computes a[key] with arrays of indices in the key. Which elements it has is computed at once; their values
 * are read when they are asked for. Source: numpy.org, user/basics.indexing, "Advanced indexing". */
#include "expressions/core/take.h"

#include <stdlib.h>
#include <string.h>

#include "expressions/core/array_index.h"
#include "expressions/core/common_type.h"
#include "expressions/core/nested.h"
#include "expressions/core/reduce.h"
#include "expressions/core/truths.h"
#include "expressions/lazy/evaluation.h"
#include "values/base/value.h"

enum { AXES = 32 };

typedef struct index_array {
    const js_lazy *values; /* as int64, copied */
    unsigned axis;         /* axis of the array after the slices were applied */
} index_array;

typedef struct taking {
    js_evaluation *e;
    js_operand
        keys[AXES]; /* each is for one axis, or None; arrays of booleans have become arrays of indices */
    unsigned count;
    index_array arrays[AXES];
    unsigned narrays;
    unsigned ndim; /* number of axes of the indices' common shape */
    int64_t shape[AXES];
} taking;

/* ---- elements that are not 0 ---- */

static int truths(js_evaluation *e, const js_lazy *array, const js_lazy **out)
{
    return array->type == JS_NOT_A_NUMBER
               ? js_fail(e, JS_EUNSUP, "TypeError: whether elements of %s are true is not known here",
                         array->dtype->name)
               : js_truths_of(e, array, out);
}

/* Give the numbers, in C order, of the elements that are true. */
static int numbers_of_true(js_evaluation *e, const js_lazy *array, uint64_t **out, uint64_t *count)
{
    const js_lazy *mask;
    js_number total;
    int status = truths(e, array, &mask);
    status = status ? status : js_reduce(e, JS_REDUCE_SUM, mask, &total);
    if (status) {
        return status;
    }
    if (total.integer > JS_EXPRESSION_ELEMENTS) {
        return js_fail(e, JS_ENOMEM, "MemoryError: %lld indices are too many to hold here",
                       (long long)total.integer);
    }
    uint64_t room = (uint64_t)total.integer;
    *count = 0;
    *out = js_arena_alloc(&e->arena, (room + 1) * sizeof **out);
    int64_t *lanes = malloc(JS_CHUNK * sizeof *lanes);
    status = *out && lanes ? JS_OK : js_no_memory(e);
    for (uint64_t at = 0; at < mask->view.nitems && status == JS_OK;) {
        uint64_t left = mask->view.nitems - at, part = left < JS_CHUNK ? left : JS_CHUNK;
        status = js_lazy_fill(e, mask, at, part, lanes);
        for (uint64_t i = 0; i < part && status == JS_OK; i++) {
            if (lanes[i] &&
                *count < room) { /* the target's memory may have changed since they were counted */
                (*out)[(*count)++] = at + i;
            }
        }
        at += part;
        status = status ? status : js_polled(e, part, at, mask->view.nitems);
    }
    free(lanes);
    return status;
}

int js_nonzero(js_evaluation *e, const js_lazy *array, js_operand *out)
{
    uint64_t *numbers = NULL, count = 0;
    unsigned ndim = array->view.ndim;
    if (ndim == 0) {
        return js_fail(e, JS_EBAD,
                       "ValueError: Calling nonzero on 0d arrays is not allowed. Use "
                       "np.atleast_1d(scalar).nonzero() instead.");
    }
    int status = numbers_of_true(e, array, &numbers, &count);
    js_operand *axes = js_arena_alloc(&e->arena, ndim * sizeof *axes);
    uint64_t apart = 1;
    for (unsigned axis = ndim; axis-- > 0 && status == JS_OK;) {
        const js_lazy *made;
        uint64_t length = (uint64_t)array->view.shape[axis];
        int64_t *indices = axes ? js_arena_alloc(&e->arena, (count + 1) * sizeof *indices) : NULL;
        if (!indices) {
            return js_no_memory(e);
        }
        for (uint64_t i = 0; i < count; i++) {
            indices[i] = (int64_t)(numbers[i] / apart % length);
        }
        apart *= length;
        status = js_lazy_local(e, JS_INT64, indices, count, &made);
        axes[axis] = js_operand_of_array(made);
    }
    *out = (js_operand){.kind = JS_OPERAND_SEQUENCE, .items = axes, .count = ndim};
    return status;
}

/* ---- the key ---- */

static int add_key(taking *t, const js_operand *key)
{
    if (t->count == AXES) {
        return js_fail(t->e, JS_ELIMIT, "IndexError: an index over more than %d dimensions is not known here",
                       AXES);
    }
    t->keys[t->count++] = *key;
    return JS_OK;
}

static int expand(taking *t, const js_operand *key, const js_lazy *array, uint64_t axis)
{
    js_operand indices, all = {.kind = JS_OPERAND_ARRAY};
    if (key->kind == JS_OPERAND_SEQUENCE && !key->count) { /* no index at all */
        int status = js_lazy_local(t->e, JS_INT64, "", 0, &all.array);
        return status ? status : add_key(t, &all);
    }
    if (key->kind == JS_OPERAND_SEQUENCE) {
        int status = js_lazy_of(t->e, key, &all.array);
        return status ? status : expand(t, &all, array, axis);
    }
    if (key->kind != JS_OPERAND_ARRAY || key->array->type != JS_BOOL || key->array->view.ndim == 0) {
        return add_key(t, key);
    }
    const js_array_view *mask = &key->array->view;
    for (unsigned i = 0; i < mask->ndim && axis + i < array->view.ndim; i++) {
        if (mask->shape[i] != array->view.shape[axis + i]) {
            return js_fail(
                t->e, JS_ELIMIT,
                "IndexError: boolean index did not match indexed array along axis %u; size of axis "
                "is %lld but size of corresponding boolean axis is %lld",
                (unsigned)axis + i, (long long)array->view.shape[axis + i], (long long)mask->shape[i]);
        }
    }
    int status = js_nonzero(t->e, key->array, &indices);
    for (uint64_t i = 0; i < indices.count && status == JS_OK; i++) {
        status = add_key(t, &indices.items[i]);
    }
    return status;
}

/* Return the number of axes that a key indexes. */
static uint64_t axes_of(const js_operand *key)
{
    return key->kind == JS_OPERAND_NONE || key->kind == JS_OPERAND_ELLIPSIS ? 0
           : key->kind == JS_OPERAND_ARRAY && key->array->type == JS_BOOL   ? key->array->view.ndim
                                                                            : 1;
}

static int expand_all(taking *t, const js_lazy *array, const js_operand *keys, uint64_t count)
{
    uint64_t axes = 0, ellipses = 0, axis = 0;
    for (uint64_t i = 0; i < count; i++) {
        axes += axes_of(&keys[i]);
        ellipses += keys[i].kind == JS_OPERAND_ELLIPSIS;
    }
    if (axes > array->view.ndim) {
        return js_fail(
            t->e, JS_ELIMIT,
            "IndexError: too many indices for array: array is %u-dimensional, but %llu were indexed",
            array->view.ndim, (unsigned long long)axes);
    }
    if (ellipses > 1) {
        return js_fail(t->e, JS_ELIMIT, "IndexError: an index can only have a single ellipsis ('...')");
    }
    static js_operand none[3] = {
        {.kind = JS_OPERAND_NONE}, {.kind = JS_OPERAND_NONE}, {.kind = JS_OPERAND_NONE}};
    const js_operand whole = {.kind = JS_OPERAND_SLICE, .items = none, .count = 3};
    int status = JS_OK;
    for (uint64_t i = 0; i <= count && status == JS_OK; i++) {
        bool is_rest = i == count ? !ellipses : keys[i].kind == JS_OPERAND_ELLIPSIS;
        for (uint64_t k = axes; is_rest && k < array->view.ndim && status == JS_OK; k++) {
            status = add_key(t, &whole);
            axis++;
        }
        if (i < count && !is_rest) {
            status = expand(t, &keys[i], array, axis);
            axis += axes_of(&keys[i]);
        }
    }
    return status;
}

static bool is_index(const js_operand *key)
{
    return key->kind == JS_OPERAND_ARRAY || key->kind == JS_OPERAND_NUMBER;
}

/* Add a key's indices as int64, and extend the common shape. */
static int add_indices(taking *t, const js_operand *key, unsigned axis)
{
    const js_lazy *wide;
    index_array *added = &t->arrays[t->narrays++];
    int status = js_lazy_of(t->e, key, &wide);
    if (status == JS_OK && (!js_number_is_int(wide->type))) {
        return js_fail(t->e, JS_EUNSUP,
                       "IndexError: arrays used as indices must be of integer (or boolean) type");
    }
    status = status ? status : js_lazy_map(t->e, JS_CAST, JS_INT64, JS_NOT_A_NUMBER, wide, NULL, &wide);
    status = status ? status : js_lazy_kept(t->e, wide, &added->values);
    if (status) {
        return status;
    }
    added->axis = axis;
    const js_array_view *view = &added->values->view;
    if (view->ndim > t->ndim) {
        memmove(t->shape + (view->ndim - t->ndim), t->shape, t->ndim * sizeof *t->shape);
        for (unsigned i = 0; i < view->ndim - t->ndim; i++) {
            t->shape[i] = 1;
        }
        t->ndim = view->ndim;
    }
    for (unsigned i = 0; i < view->ndim; i++) {
        int64_t *common = &t->shape[t->ndim - view->ndim + i];
        if (*common != 1 && view->shape[i] != 1 && *common != view->shape[i]) {
            return js_fail(t->e, JS_ELIMIT,
                           "IndexError: shape mismatch: indexing arrays could not be broadcast together");
        }
        *common = *common == 1 ? view->shape[i] : *common;
    }
    return JS_OK;
}

/* ---- the elements ---- */

/* Return the index at this place of the common shape. */
static int64_t index_at(const taking *t, const index_array *indices, const int64_t *place)
{
    const js_array_view *view = &indices->values->view;
    int64_t offset = 0, index;
    for (unsigned i = 0; i < view->ndim; i++) {
        offset += view->shape[i] == 1 ? 0 : place[t->ndim - view->ndim + i] * view->strides[i];
    }
    memcpy(&index, indices->values->local + offset, sizeof index);
    return index;
}

static int check_bounds(const taking *t, const js_array_view *view)
{
    for (unsigned k = 0; k < t->narrays; k++) {
        const js_lazy *indices = t->arrays[k].values;
        int64_t length = view->shape[t->arrays[k].axis], *all = (int64_t *)(uintptr_t)indices->local;
        for (uint64_t i = 0; i < indices->view.nitems; i++) {
            if (all[i] >= length || all[i] < -length) {
                return js_fail(t->e, JS_ELIMIT,
                               "IndexError: index %lld is out of bounds for axis %u with size %lld",
                               (long long)all[i], t->arrays[k].axis, (long long)length);
            }
            all[i] += all[i] < 0 ? length : 0;
        }
    }
    return JS_OK;
}

typedef struct layout {
    js_array_view view; /* the view of the result */
    unsigned first;     /* axis of the result where the indices' shape begins */
    int apart[AXES]; /* for each axis of the result, the axis of the array that it is; -1: one of the indices
                      */
} layout;

static int lay_out(const taking *t, const js_array_view *view, bool is_together, layout *out)
{
    bool is_indexed[AXES] = {false};
    unsigned first = AXES, ndim = 0;
    for (unsigned k = 0; k < t->narrays; k++) {
        is_indexed[t->arrays[k].axis] = true;
        first = t->arrays[k].axis < first ? t->arrays[k].axis : first;
    }
    first = is_together ? first : 0;
    if (view->ndim - t->narrays + t->ndim > AXES) {
        return js_fail(t->e, JS_EBAD, "IndexError: the result would have more than %d dimensions", AXES);
    }
    out->view.nitems = 1;
    for (unsigned i = 0; i <= view->ndim; i++) {
        if (i == first) {
            out->first = ndim;
            for (unsigned k = 0; k < t->ndim; k++, ndim++) {
                out->view.shape[ndim] = t->shape[k];
                out->apart[ndim] = -1;
            }
        }
        if (i < view->ndim && !is_indexed[i]) {
            out->view.shape[ndim] = view->shape[i];
            out->apart[ndim++] = (int)i;
        }
    }
    out->view.ndim = ndim;
    bool is_empty = false, fits = true;
    for (unsigned i = 0; i < ndim; i++) {
        is_empty |= out->view.shape[i] == 0;
    }
    for (unsigned i = 0; i < ndim && fits && !is_empty; i++) {
        fits = !__builtin_mul_overflow(out->view.nitems, (uint64_t)out->view.shape[i], &out->view.nitems);
    }
    out->view.nitems = is_empty ? 0 : out->view.nitems;
    return fits && out->view.nitems <= JS_EXPRESSION_ELEMENTS
               ? JS_OK
               : js_fail(t->e, JS_ENOMEM,
                         "MemoryError: more than %d elements by indices are too many to hold here",
                         JS_EXPRESSION_ELEMENTS);
}

static int number_elements(const taking *t, const js_lazy *array, const layout *to, uint64_t *out)
{
    int64_t place[AXES] = {0};
    uint64_t apart[AXES], unit = 1;
    for (unsigned i = array->view.ndim; i-- > 0;) {
        apart[i] = unit;
        unit *= (uint64_t)array->view.shape[i];
    }
    for (uint64_t n = 0; n < to->view.nitems; n++) {
        uint64_t number = 0;
        for (unsigned i = 0; i < to->view.ndim; i++) {
            number += to->apart[i] < 0 ? 0 : (uint64_t)place[i] * apart[to->apart[i]];
        }
        for (unsigned k = 0; k < t->narrays; k++) {
            number += (uint64_t)index_at(t, &t->arrays[k], place + to->first) * apart[t->arrays[k].axis];
        }
        out[n] = number;
        for (unsigned i = to->view.ndim; i-- > 0 && ++place[i] == to->view.shape[i];) {
            place[i] = 0;
        }
        int status = js_polled(t->e, 1, n, to->view.nitems);
        if (status) {
            return status;
        }
    }
    return JS_OK;
}

int js_take(js_evaluation *e, const js_lazy *array, const js_operand *keys, uint64_t count, js_operand *out)
{
    taking t = {.e = e};
    js_operand slices[AXES], sliced;
    bool has_arrays;
    static js_operand none[3] = {
        {.kind = JS_OPERAND_NONE}, {.kind = JS_OPERAND_NONE}, {.kind = JS_OPERAND_NONE}};
    unsigned axis = 0, runs = 0;
    int status = expand_all(&t, array, keys, count);
    for (unsigned i = 0; i < t.count && status == JS_OK; i++) {
        bool has_index = is_index(&t.keys[i]);
        slices[i] = has_index ? (js_operand){.kind = JS_OPERAND_SLICE, .items = none, .count = 3} : t.keys[i];
        runs += has_index && (i == 0 || !is_index(&t.keys[i - 1]));
        status = has_index ? add_indices(&t, &t.keys[i], axis) : JS_OK;
        axis++;
    }
    status = status ? status : js_index_array(e, array, slices, t.count, &has_arrays, &sliced);
    if (status) {
        return status;
    }
    layout to = {0};
    const js_lazy *made;
    status = check_bounds(&t, &sliced.array->view);
    status = status ? status : lay_out(&t, &sliced.array->view, runs == 1, &to);
    if (status) {
        return status;
    }
    uint64_t *numbers = js_arena_alloc(&e->arena, (to.view.nitems + 1) * sizeof *numbers);
    status = numbers ? number_elements(&t, sliced.array, &to, numbers) : js_no_memory(e);
    status = status ? status : js_lazy_picked(e, sliced.array, numbers, to.view.ndim, to.view.shape, &made);
    return js_give_array(e, status, made, out);
}
