/* Compares the address of a fault with the elements that indices of one array lead to. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "program/queries/fault.h"

/* A distance in bytes that no address space reaches; sums and quotients of shorter ones cannot overflow. */
#define REACH_MAX (INT64_C(1) << 62)
/* A distance in bytes that an index leads to only if it is very large, and the product with the stride may
 * have lost its upper bits. */
#define FAR (INT64_C(1) << 48)

/* Find the bytes [*low, *high) of the array, from its data's start; false for an array that fits no memory.
 */
static bool extent(const js_array_view *view, int64_t *low, int64_t *high)
{
    *low = 0;
    *high = (int64_t)view->itemsize;
    for (unsigned axis = 0; axis < view->ndim; axis++) {
        int64_t reach, *end;
        if (view->shape[axis] <= 0) {
            continue;
        }
        if (__builtin_mul_overflow(view->shape[axis] - 1, view->strides[axis], &reach)) {
            return false;
        }
        end = reach < 0 ? low : high;
        if (__builtin_add_overflow(*end, reach, end)) {
            return false;
        }
    }
    return *low > -REACH_MAX && *high < REACH_MAX;
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

/* True if indices within the bounds of the axes that are not `fixed` may make up `rest` bytes, up to an
 * item's end. Takes the largest stride first. */
static bool others_reach(const js_array_view *view, const bool fixed[32], int64_t rest)
{
    bool used[32];
    memcpy(used, fixed, sizeof used);
    if (magnitude(rest) >= REACH_MAX) {
        return false;
    }
    for (;;) {
        unsigned best = UINT32_MAX;
        for (unsigned axis = 0; axis < view->ndim; axis++) {
            if (!used[axis] &&
                (best == UINT32_MAX || magnitude(view->strides[axis]) > magnitude(view->strides[best]))) {
                best = axis;
            }
        }
        if (best == UINT32_MAX) {
            return rest >= 0 && rest < (int64_t)view->itemsize;
        }
        used[best] = true;
        if (view->strides[best] == 0) {
            continue;
        }
        int64_t steps = rest / view->strides[best];
        if (steps < 0 || view->shape[best] <= 0) {
            continue;
        }
        if (steps >= view->shape[best]) {
            steps = view->shape[best] - 1;
        }
        rest -= steps * view->strides[best];
    }
}

/* Subtract the distance of an index of the axis from the offset, modulo 2^64 as the machine does. */
static void take(const js_array_view *view, unsigned axis, int64_t index, int64_t *offset)
{
    *offset = (int64_t)((uint64_t)*offset - (uint64_t)index * (uint64_t)view->strides[axis]);
}

static bool is_within(const js_array_view *view, unsigned axis, int64_t index)
{
    return index >= 0 && index < view->shape[axis];
}

/* Return the index of the access; a negative index counts from the end (numba/np/arrayobj.py
 * fix_integer_index). */
static int64_t wrap(const js_array_view *view, unsigned axis, int64_t index)
{
    return index < 0 ? index + view->shape[axis] : index;
}

/* The value of an index in the source. */
typedef struct index_value {
    int64_t value; /* modulo 2^64 */
    bool is_unsigned;
} index_value;

/* Return the index that the access used. */
static int64_t used(const js_array_view *view, unsigned axis, index_value index)
{
    return index.is_unsigned ? index.value : wrap(view, axis, index.value);
}

/* True if index `value` on `axis` explains an access `offset` bytes from the data's start. */
static bool explains(const js_array_view *view, unsigned axis, int64_t value, int64_t offset)
{
    bool fixed[32] = {false};
    fixed[axis] = true;
    take(view, axis, value, &offset);
    return !is_within(view, axis, value) && others_reach(view, fixed, offset);
}

/* True if the address is outside of the array; *offset receives its bytes from the data's start, and
 * out->distance is set. */
static bool is_outside(const js_array_view *view, uint64_t address, int64_t *offset, js_fault *out)
{
    int64_t low, high;
    *offset = (int64_t)(address - view->data);
    if (!extent(view, &low, &high) || (*offset >= low && *offset < high)) {
        return false;
    }
    out->distance = *offset < low ? *offset - low : *offset - high + 1;
    return true;
}

bool js_fault_is_inside(const js_array_view *view, uint64_t address)
{
    int64_t low, high, offset = (int64_t)(address - view->data);
    return view->nitems && extent(view, &low, &high) && offset >= low && offset < high;
}

/* Set an index that was computed from the address, `rest` bytes away. If it is negative, the source's index
 * is not known: a signed one was counted from the end, and an unsigned one is equal to it modulo 2^64. */
static void put_computed(int64_t index, int64_t rest, js_fault *out)
{
    out->is_known = index >= 0 && rest < FAR && rest > -FAR;
    out->index = index;
}

js_explanation js_fault_explain_array(const js_array_view *view, const char *name,
                                      const js_fault_integer *integers, size_t nintegers, uint64_t address,
                                      js_fault *out)
{
    int64_t offset;
    *out = (js_fault){.array = name, .is_known = true};
    if (!is_outside(view, address, &offset, out)) {
        return JS_EXPLAINS_NOTHING;
    }
    for (size_t i = 0; i < nintegers; i++) {
        for (unsigned axis = 0; axis < view->ndim; axis++) {
            index_value value = {integers[i].value, integers[i].is_unsigned};
            if (!explains(view, axis, used(view, axis, value), offset)) {
                continue;
            }
            bool is_other_sign = value.value < 0 && out->is_unsigned != value.is_unsigned;
            if (out->nnames && (out->axis != axis || out->index != value.value || is_other_sign)) {
                return JS_EXPLAINS_TOO_MUCH;
            }
            out->axis = axis;
            out->index = value.value;
            out->is_unsigned = value.is_unsigned;
            out->size = view->shape[axis];
            if (out->nnames < JS_FAULT_NAMES) {
                out->names[out->nnames++] = integers[i].name;
            }
        }
    }
    if (out->nnames) {
        return JS_EXPLAINS_BY_NAME;
    }
    if (view->ndim == 1 && view->strides[0] && magnitude(offset) < REACH_MAX &&
        offset % view->strides[0] == 0) {
        put_computed(offset / view->strides[0], offset, out);
        out->size = view->shape[0];
        return JS_EXPLAINS_BY_ADDRESS;
    }
    return JS_EXPLAINS_NOTHING;
}

/* ---- by the subscripts of the source ---- */

/* Find the value of an index by its text, or by a variable that has a value. */
static bool value_of(const js_index *index, const js_fault_integer *integers, size_t nintegers,
                     index_value *out)
{
    *out = (index_value){0, false};
    const char *number = index->kind == JS_INDEX_CONSTANT ? index->text : index->value;
    if (number) {
        bool is_negative = *number == '-';
        errno = 0;
        uint64_t value = strtoull(number + is_negative, NULL, 10);
        if (errno) {
            return false; /* it has more than 64 bits */
        }
        out->value = is_negative ? (int64_t)(0 - value) : (int64_t)value;
        out->is_unsigned = !is_negative && value > INT64_MAX;
        return true;
    }
    for (size_t i = 0; index->kind == JS_INDEX_NAME && i < nintegers; i++) {
        if (strcmp(index->text, integers[i].name) == 0) {
            *out = (index_value){integers[i].value, integers[i].is_unsigned};
            return true;
        }
    }
    return false;
}

static void put_axis(const js_subscript *subscript, const js_array_view *view, unsigned axis, js_fault *out)
{
    out->axis = axis;
    out->size = view->shape[axis];
    out->expression = subscript->indices[axis].text;
}

/* True if the subscript takes the whole axis, or a slice of it. */
static bool is_free(const js_subscript *subscript, unsigned axis)
{
    return axis >= subscript->count || subscript->indices[axis].kind == JS_INDEX_SLICE;
}

/* True if at most one index of the subscript is not known, and no ellipsis or the like makes its axes
 * unknown. */
static bool is_resolved(const js_subscript *subscript, const js_fault_integer *integers, size_t nintegers)
{
    unsigned unknown = 0;
    for (size_t i = 0; i < subscript->count; i++) {
        const js_index *index = &subscript->indices[i];
        index_value value;
        if (index->kind == JS_INDEX_OTHER) {
            return false;
        }
        unknown += index->kind != JS_INDEX_SLICE && !value_of(index, integers, nintegers, &value);
    }
    return unknown <= 1;
}

/* Subtract the known indices from the distance in bytes. *unknown: the axis of the one that is not known;
 * UINT32_MAX: all are. */
static void take_known(const js_subscript *subscript, const js_array_view *view,
                       const js_fault_integer *integers, size_t nintegers,
                       index_value values[JS_SUBSCRIPT_INDICES], uint32_t *unknown, int64_t *rest)
{
    *unknown = UINT32_MAX;
    for (unsigned axis = 0; axis < view->ndim; axis++) {
        if (is_free(subscript, axis)) {
            continue;
        }
        const js_index *index = &subscript->indices[axis];
        if (!value_of(index, integers, nintegers, &values[axis])) {
            *unknown = axis;
        } else {
            take(view, axis, used(view, axis, values[axis]), rest);
        }
    }
}

/* Compute the index of the axis that is not known from the distance in bytes, which loses it. False: several
 * indices lead there with others within the axes that have none. */
static bool take_unknown(const js_subscript *subscript, const js_array_view *view, uint32_t unknown,
                         int64_t *rest, int64_t *computed)
{
    int64_t stride = view->strides[unknown], span = (int64_t)view->itemsize, reach;
    for (unsigned axis = 0; axis < view->ndim; axis++) {
        if (!is_free(subscript, axis)) {
            continue;
        }
        if (view->shape[axis] <= 0 || view->strides[axis] < 0 ||
            __builtin_mul_overflow(view->shape[axis] - 1, view->strides[axis], &reach) ||
            __builtin_add_overflow(span, reach, &span)) {
            return false;
        }
    }
    if (!stride || magnitude(stride) < (uint64_t)span || magnitude(*rest) >= REACH_MAX) {
        return false;
    }
    *computed = *rest / stride - (*rest % stride < 0 ? (stride > 0 ? 1 : -1) : 0);
    take(view, unknown, *computed, rest);
    return true;
}

js_explanation js_fault_explain_subscript(const js_subscript *subscript, const js_array_view *view,
                                          const char *name, const js_fault_integer *integers,
                                          size_t nintegers, uint64_t address, js_fault *out)
{
    int64_t rest, computed = 0;
    index_value values[JS_SUBSCRIPT_INDICES];
    uint32_t unknown, axis;
    bool fixed[32];
    *out = (js_fault){.array = name, .is_known = true};
    if (!is_resolved(subscript, integers, nintegers)) {
        return JS_EXPLAINS_UNKNOWN;
    }
    if (!is_outside(view, address, &rest, out)) {
        return JS_EXPLAINS_NOTHING;
    }
    take_known(subscript, view, integers, nintegers, values, &unknown, &rest);
    int64_t distance = rest;
    if (unknown != UINT32_MAX && !take_unknown(subscript, view, unknown, &rest, &computed)) {
        return JS_EXPLAINS_UNKNOWN;
    }
    for (axis = 0; axis < 32; axis++) {
        fixed[axis] = axis >= view->ndim || !is_free(subscript, axis);
    }
    if (!others_reach(view, fixed, rest)) {
        /* a very large index leads to multiples of its stride modulo 2^64 */
        bool may_lead = unknown != UINT32_MAX && magnitude(distance) >= FAR;
        return may_lead ? JS_EXPLAINS_UNKNOWN : JS_EXPLAINS_NOTHING;
    }
    for (axis = 0; axis < view->ndim; axis++) {
        if (!is_free(subscript, axis) &&
            !is_within(view, axis, axis == unknown ? computed : used(view, axis, values[axis]))) {
            break;
        }
    }
    if (axis == view->ndim) {
        return JS_EXPLAINS_NOTHING;
    }
    if (axis != unknown && unknown != UINT32_MAX && !is_within(view, unknown, computed)) {
        return JS_EXPLAINS_UNKNOWN; /* any address can be reached by both */
    }
    put_axis(subscript, view, axis, out);
    if (axis == unknown) {
        put_computed(computed, distance, out);
        return JS_EXPLAINS_BY_ADDRESS;
    }
    out->is_matched = unknown == UINT32_MAX && rest >= 0 && rest < (int64_t)view->itemsize;
    out->index = values[axis].value;
    out->is_unsigned = values[axis].is_unsigned;
    out->is_wrapped =
        out->is_unsigned && out->index < 0 && (magnitude(view->strides[axis]) > 1 || address < view->data);
    for (size_t i = 0; i < nintegers; i++) {
        if (strcmp(subscript->indices[axis].text, integers[i].name) == 0) {
            out->names[out->nnames++] = integers[i].name;
        }
    }
    return JS_EXPLAINS_BY_NAME;
}

bool js_fault_leads_to(const js_subscript *subscript, const js_array_view *view,
                       const js_fault_integer *integers, size_t nintegers, uint64_t address)
{
    int64_t rest = (int64_t)(address - view->data);
    index_value values[JS_SUBSCRIPT_INDICES];
    uint32_t unknown;
    if (subscript->count != view->ndim || !is_resolved(subscript, integers, nintegers)) {
        return false;
    }
    for (unsigned axis = 0; axis < view->ndim; axis++) {
        if (is_free(subscript, axis)) {
            return false;
        }
    }
    take_known(subscript, view, integers, nintegers, values, &unknown, &rest);
    return unknown == UINT32_MAX && rest >= 0 && rest < (int64_t)view->itemsize;
}

uint64_t js_fault_stride(const js_array_view *view, unsigned axis)
{
    return magnitude(view->strides[axis]);
}

bool js_fault_is_same(const js_fault *a, const js_fault *b)
{
    return strcmp(a->array, b->array) == 0 && a->axis == b->axis && a->index == b->index &&
           strcmp(a->expression, b->expression) == 0;
}
