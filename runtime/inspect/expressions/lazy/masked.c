/* Computes a[mask]: the elements where a mask is true, which are found again when they are asked for. */
#include <stdlib.h>
#include <string.h>

#include "expressions/front/tree.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/lazy/lazy.h"

enum { BLOCKS = 1 << 16, BLOCK = 1 << 16 };

struct js_masked {
    const js_lazy *values, *mask;
    uint64_t rest;    /* number of elements of `values` for one of the mask */
    uint64_t block;   /* number of elements of the mask for one entry of `before` */
    uint64_t *before; /* for each block: how many elements are true before it */
    uint64_t nblocks, total;
    uint64_t ordinal, index; /* where the last fetch ended: `ordinal` elements are true before `index` */
};

static int count_true(js_evaluation *e, js_masked *masked)
{
    const js_lazy *mask = masked->mask;
    int64_t *lanes = malloc(JS_CHUNK * sizeof *lanes);
    int status = lanes ? JS_OK : js_no_memory(e);
    for (uint64_t at = 0; at < mask->view.nitems && status == JS_OK;) {
        uint64_t left = masked->block - at % masked->block, count = mask->view.nitems - at;
        if (at % masked->block == 0) {
            masked->before[at / masked->block] = masked->total;
        }
        count = count < left ? count : left;
        count = count < JS_CHUNK ? count : JS_CHUNK;
        status = js_lazy_fill(e, mask, at, count, lanes);
        for (uint64_t i = 0; i < count && status == JS_OK; i++) {
            masked->total += lanes[i] != 0;
        }
        at += count;
        status = status ? status : js_polled(e, count, at, mask->view.nitems);
    }
    free(lanes);
    return status;
}

static int check_shape(js_evaluation *e, const js_lazy *values, const js_lazy *mask)
{
    if (mask->view.ndim > values->view.ndim) {
        return js_fail(e, JS_ELIMIT,
                       "IndexError: too many indices for array: array is %u-dimensional, but %u were indexed",
                       values->view.ndim, mask->view.ndim);
    }
    for (unsigned i = 0; i < mask->view.ndim; i++) {
        if (mask->view.shape[i] != values->view.shape[i]) {
            return js_fail(
                e, JS_ELIMIT,
                "IndexError: boolean index did not match indexed array along axis %u; size of axis "
                "is %lld but size of corresponding boolean axis is %lld",
                i, (long long)values->view.shape[i], (long long)mask->view.shape[i]);
        }
    }
    return JS_OK;
}

/* Put the cursor at the ordinal-th true element, or before it in its block. */
static void seek(js_masked *masked, uint64_t ordinal)
{
    uint64_t low = 0, high = masked->nblocks;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        bool is_used = middle * masked->block < masked->mask->view.nitems;
        if (is_used && masked->before[middle] <= ordinal) {
            low = middle;
        } else {
            high = middle;
        }
    }
    bool is_ahead = masked->ordinal <= ordinal && masked->index >= low * masked->block;
    if (!is_ahead) {
        masked->ordinal = masked->before[low];
        masked->index = low * masked->block;
    }
}

/* Read one row of `rest` elements, or the part of it that is wanted. */
static int fetch_row(js_evaluation *e, const js_masked *masked, uint64_t index, uint64_t from, uint64_t count,
                     uint8_t *out)
{
    int status = JS_OK;
    while (count && status == JS_OK) {
        uint64_t part = count < JS_CHUNK ? count : JS_CHUNK;
        status = js_lazy_raw(e, masked->values, index * masked->rest + from, part, out);
        from += part;
        out += part * masked->values->view.itemsize;
        count -= part;
    }
    return status;
}

/* Read the start-th and following elements that the mask selects. */
static int fetch_some(js_evaluation *e, js_masked *masked, uint64_t start, uint64_t count, uint8_t *out)
{
    uint64_t size = masked->values->view.itemsize, rest = masked->rest;
    const js_lazy *mask = masked->mask;
    if (rest == 0) {
        return JS_OK;
    }
    int64_t *lanes = malloc(JS_CHUNK * sizeof *lanes);
    uint8_t *values = malloc(JS_CHUNK * (size ? size : 1));
    int status = lanes && values ? JS_OK : js_no_memory(e);
    uint64_t ordinal = start / rest, from = start % rest;
    seek(masked, ordinal);
    while (count && status == JS_OK && masked->index < mask->view.nitems) {
        uint64_t part = mask->view.nitems - masked->index;
        part = part < JS_CHUNK ? part : JS_CHUNK;
        status = js_lazy_fill(e, mask, masked->index, part, lanes);
        bool has_values = false;
        uint64_t i = 0;
        for (; i < part && count && status == JS_OK; i++) {
            if (!lanes[i]) {
                continue;
            }
            if (masked->ordinal++ < ordinal) {
                continue;
            }
            if (rest == 1) {
                if (!has_values) {
                    status = js_lazy_raw(e, masked->values, masked->index, part, values);
                    has_values = true;
                }
                memcpy(out, values + i * size, size);
                out += size;
                count--;
                continue;
            }
            uint64_t wanted = rest - from < count ? rest - from : count;
            status = fetch_row(e, masked, masked->index + i, from, wanted, out);
            out += wanted * size;
            count -= wanted;
            if (from + wanted < rest) { /* this row goes on */
                masked->ordinal--;
                break;
            }
            from = 0;
        }
        masked->index += i;
        status = status ? status : js_polled(e, part, 0, 0);
    }
    free(lanes);
    free(values);
    return status  ? status
           : count ? js_fail(e, JS_EFAULT, "<unknown: the mask has changed while it was read>")
                   : JS_OK;
}

static int fetch(js_evaluation *e, const js_lazy *leaf, uint64_t start, int64_t stride, uint64_t count,
                 uint8_t *out)
{
    int status = JS_OK;
    if (stride == 1) {
        return fetch_some(e, leaf->masked, start, count, out);
    }
    for (uint64_t i = 0; i < count && status == JS_OK; i++) {
        status = fetch_some(e, leaf->masked, start + i * (uint64_t)stride, 1, out + i * leaf->view.itemsize);
    }
    return status;
}

int js_lazy_masked(js_evaluation *e, const js_lazy *values, const js_lazy *mask, const js_lazy **out)
{
    int status = check_shape(e, values, mask);
    if (status == JS_OK && (values->depth > JS_TREE_DEPTH || mask->depth > JS_TREE_DEPTH)) {
        status = js_fail(e, JS_ELIMIT, "RecursionError: too much in one expression");
    }
    if (status) {
        return status;
    }
    js_masked *masked = js_arena_alloc(&e->arena, sizeof *masked);
    if (!masked) {
        return js_no_memory(e);
    }
    masked->values = values;
    masked->mask = mask;
    masked->rest = 1;
    js_array_view view = {.itemsize = values->view.itemsize, .ndim = 1};
    for (unsigned i = mask->view.ndim; i < values->view.ndim; i++) {
        masked->rest *=
            (uint64_t)values->view.shape[i]; /* not larger than that of the values, except empty ones */
        view.shape[view.ndim++] = values->view.shape[i];
    }
    masked->block = mask->view.nitems / BLOCKS + 1;
    masked->block = masked->block < BLOCK ? BLOCK : masked->block;
    masked->nblocks = mask->view.nitems / masked->block + 1;
    masked->before = js_arena_alloc(&e->arena, (masked->nblocks + 1) * sizeof *masked->before);
    if (!masked->before) {
        return js_no_memory(e);
    }
    status = count_true(e, masked);
    if (status) {
        return status;
    }
    view.shape[0] = (int64_t)masked->total;
    uint64_t stride = 1;
    for (unsigned i = view.ndim; i-- > 0;) {
        view.strides[i] = (int64_t)stride;
        stride *= (uint64_t)view.shape[i];
    }
    view.nitems = masked->total * masked->rest;
    status = js_lazy_leaf(e, &view, values->dtype, NULL, out);
    if (status == JS_OK) {
        js_lazy *leaf = (js_lazy *)*out;
        leaf->source = JS_SOURCE_FOUND;
        leaf->fetch = fetch;
        leaf->masked = masked;
        leaf->depth = 1 + (values->depth > mask->depth ? values->depth : mask->depth);
    }
    return status;
}
