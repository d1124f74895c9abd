/* Finds the memory that an array has, for a fault at an address within its shape. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "program/queries/fault.h"

typedef struct mapping {
    uint64_t lo, hi;
    bool is_readable, is_writable;
} mapping;

/* Read a line of /proc/PID/maps (proc(5)) and go to the next one. False: there is no such line. */
static bool read_mapping(const char **maps, mapping *out)
{
    char read, write;
    if (sscanf(*maps, "%" SCNx64 "-%" SCNx64 " %c%c", &out->lo, &out->hi, &read, &write) != 4) {
        return false;
    }
    out->is_readable = read == 'r';
    out->is_writable = write == 'w';
    *maps += strcspn(*maps, "\n");
    *maps += **maps == '\n';
    return true;
}

static bool has(const mapping *of, uint64_t address)
{
    return of->lo <= address && address < of->hi;
}

void js_fault_find_memory(const char *maps, uint64_t data, uint64_t address, js_fault *out)
{
    mapping at;
    uint64_t end = 0; /* the memory from the data on has no gap up to here */
    out->memory = maps && *maps ? JS_MEMORY_NONE : JS_MEMORY_UNKNOWN;
    while (maps && read_mapping(&maps, &at)) {
        if (at.is_readable && (has(&at, data) || (end && at.lo == end))) {
            end = at.hi;
        }
        if (has(&at, address)) {
            out->memory = !at.is_readable  ? JS_MEMORY_PROTECTED
                          : at.is_writable ? JS_MEMORY_UNKNOWN
                                           : JS_MEMORY_READ_ONLY;
        }
    }
    bool is_accessible = out->memory != JS_MEMORY_NONE && out->memory != JS_MEMORY_PROTECTED;
    if (!is_accessible && data < end && end <= address) {
        out->memory = JS_MEMORY_SHORT;
        out->has_bytes = end - data;
    }
}

/* Find the indices of the element at `offset` bytes from the first one in memory: those of larger strides
 * first. False: the strides do not determine them. */
static bool find_indices(const js_array_view *view, uint64_t offset, int64_t indices[JS_SUBSCRIPT_INDICES])
{
    bool used[JS_SUBSCRIPT_INDICES] = {false};
    for (unsigned n = 0; n < view->ndim; n++) {
        unsigned best = UINT32_MAX;
        for (unsigned axis = 0; axis < view->ndim && axis < JS_SUBSCRIPT_INDICES; axis++) {
            if (!used[axis] &&
                (best == UINT32_MAX || js_fault_stride(view, axis) > js_fault_stride(view, best))) {
                best = axis;
            }
        }
        if (best == UINT32_MAX || js_fault_stride(view, best) == 0) {
            return false;
        }
        used[best] = true;
        uint64_t index = offset / js_fault_stride(view, best);
        offset %= js_fault_stride(view, best);
        if (index >= (uint64_t)view->shape[best]) {
            return false;
        }
        indices[best] = view->strides[best] < 0 ? view->shape[best] - 1 - (int64_t)index : (int64_t)index;
    }
    return view->ndim && offset < view->itemsize;
}

bool js_fault_find_element(const js_array_view *view, uint64_t address, int64_t indices[JS_SUBSCRIPT_INDICES])
{
    uint64_t first = view->data; /* the address of the element that is first in memory */
    for (unsigned axis = 0; axis < view->ndim; axis++) {
        if (view->strides[axis] < 0) {
            first -= (uint64_t)(view->shape[axis] - 1) * js_fault_stride(view, axis);
        }
    }
    return find_indices(view, address - first, indices);
}

/* True if the elements are without gaps, in the order of C or of Fortran. */
bool js_fault_is_contiguous(const js_array_view *view)
{
    bool is_c = true, is_f = true;
    int64_t down = (int64_t)view->itemsize, up = down;
    for (unsigned axis = 0; axis < view->ndim; axis++) {
        unsigned last = view->ndim - 1 - axis;
        is_f = is_f && view->strides[axis] == up && !__builtin_mul_overflow(up, view->shape[axis], &up);
        is_c = is_c && view->strides[last] == down && !__builtin_mul_overflow(down, view->shape[last], &down);
    }
    return is_c || is_f;
}
