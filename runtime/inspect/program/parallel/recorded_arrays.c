/* Finds the array of a record, and the element in it, that an address belongs to. */
#include "program/parallel/records.h"

static uint64_t width(int64_t stride)
{
    return stride < 0 ? -(uint64_t)stride : (uint64_t)stride;
}

void js_array_axes(const jitscope_recorded_array *array, uint32_t *axes)
{
    for (uint32_t i = 0; i < array->ndim; i++) {
        uint32_t at = i;
        while (at && width(array->strides[axes[at - 1]]) < width(array->strides[i])) {
            axes[at] = axes[at - 1];
            at--;
        }
        axes[at] = i;
    }
}

/* Set `at` to the indices, in the order of js_box, of the array's element that has this byte. False: none
 * has. */
static bool element_at(const jitscope_recorded_array *array, uint64_t address, int64_t *at)
{
    uint32_t axes[JITSCOPE_DIMENSIONS_MAX];
    uint64_t low = array->data;
    js_array_axes(array, axes);
    for (uint32_t i = 0; i < array->ndim; i++) {
        if (array->shape[i] <= 0) {
            return false;
        }
        if (array->strides[i] < 0) { /* the indices count from the other end */
            low += (uint64_t)(array->shape[i] - 1) * (uint64_t)array->strides[i];
        }
    }
    uint64_t left = address - low;
    for (uint32_t i = 0; i < array->ndim; i++) {
        uint64_t stride = width(array->strides[axes[i]]);
        uint64_t index = stride && array->shape[axes[i]] > 1 ? left / stride : 0;
        if (index >= (uint64_t)array->shape[axes[i]]) {
            return false;
        }
        left -= index * stride;
        at[i] = (int64_t)index;
    }
    return left < array->itemsize;
}

uint32_t js_array_at(const jitscope_record *record, uint64_t address, int64_t *at)
{
    for (uint32_t i = 0; i < record->narrays; i++) {
        if (element_at(&record->arrays[i], address, at)) {
            return i;
        }
    }
    return record->narrays;
}
