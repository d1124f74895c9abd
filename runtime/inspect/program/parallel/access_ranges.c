/* Merges elements into runs, and runs into boxes, as they come in order of addresses. */
#include "program/parallel/access_ranges.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"

/* NEAR: how many of the last boxes are compared, as rows of one shape come soon after each other. */
enum { BOXES_MAX = 4096, NEAR = 64 };

/* True if box b continues a along this axis, and both are alike on the others. */
static bool is_beside(const js_box *a, const js_box *b, uint32_t ndim, uint32_t axis)
{
    if (a->step != b->step || a->high[axis] + 1 != b->low[axis]) {
        return false;
    }
    for (uint32_t i = 0; i < ndim; i++) {
        if (i != axis && (a->low[i] != b->low[i] || a->high[i] != b->high[i])) {
            return false;
        }
    }
    return true;
}

/* Merge a box into one of the last ones that it continues along `axis`; false: there is none. */
static bool merge(js_boxes *boxes, size_t count, const js_box *box, uint32_t axis)
{
    for (size_t i = count; i-- > 0 && i + NEAR >= count;) {
        if (is_beside(&boxes->items[i], box, boxes->ndim, axis)) {
            boxes->items[i].high[axis] = box->high[axis];
            return true;
        }
    }
    return false;
}

static uint64_t elements_of(const js_box *box, uint32_t ndim)
{
    uint64_t product = 1;
    for (uint32_t i = 0; i < ndim; i++) {
        product *= (uint64_t)((box->high[i] - box->low[i]) / (i + 1 == ndim ? box->step : 1) + 1);
    }
    return product;
}

static int put(js_boxes *boxes, const js_box *box)
{
    if (boxes->ndim > 1 && merge(boxes, boxes->count, box, boxes->ndim - 2)) {
        return JS_OK;
    }
    if (boxes->count == BOXES_MAX) {
        boxes->left_out += elements_of(box, boxes->ndim);
        return JS_OK;
    }
    js_box *grown = js_vector_reserve(boxes->items, &boxes->capacity, boxes->count + 1, sizeof *grown);
    if (!grown) {
        return JS_ENOMEM;
    }
    boxes->items = grown;
    grown[boxes->count++] = *box;
    return JS_OK;
}

/* End the run. Two elements with a gap between them become two boxes; unless is_last, the second one goes on
 * as the run. */
static int end_run(js_boxes *boxes, bool is_last)
{
    js_box *run = &boxes->run;
    uint32_t last = boxes->ndim - 1;
    if (boxes->length == 2 && run->step > 1) {
        js_box first = *run;
        first.high[last] = first.low[last];
        first.step = 1;
        int status = put(boxes, &first);
        run->low[last] = run->high[last];
        run->step = boxes->length = 1;
        if (status || !is_last) {
            return status;
        }
    }
    return put(boxes, run);
}

static bool has_same_row(const js_boxes *boxes, const int64_t *at)
{
    return memcmp(boxes->run.low, at, (boxes->ndim - 1) * sizeof *at) == 0;
}

int js_boxes_add(js_boxes *boxes, const int64_t *at)
{
    js_box *run = &boxes->run;
    uint32_t last = boxes->ndim - 1;
    while (boxes->length) {
        bool is_row = has_same_row(boxes, at);
        int64_t gap = at[last] - run->high[last];
        if (is_row && gap == 0) {
            return JS_OK;
        }
        if (is_row && gap > 0 && (boxes->length == 1 || gap == run->step)) {
            run->step = gap;
            run->high[last] = at[last];
            boxes->length++;
            boxes->elements++;
            return JS_OK;
        }
        bool is_pair = boxes->length == 2 && run->step > 1;
        int status = end_run(boxes, !is_row);
        if (status) {
            return status;
        }
        if (!is_pair || !is_row) {
            break; /* else the second element of the pair may be in a run with this one */
        }
    }
    memcpy(run->low, at, boxes->ndim * sizeof *at);
    memcpy(run->high, at, boxes->ndim * sizeof *at);
    run->step = boxes->length = 1;
    boxes->elements++;
    return JS_OK;
}

int js_boxes_finish(js_boxes *boxes)
{
    int status = boxes->length ? end_run(boxes, true) : JS_OK;
    boxes->length = 0;
    for (uint32_t axis = boxes->ndim; axis-- > 0;) {
        size_t kept = 0;
        for (size_t i = 0; i < boxes->count; i++) {
            js_box box = boxes->items[i];
            if ((axis + 1 == boxes->ndim && box.step != 1) || !merge(boxes, kept, &box, axis)) {
                boxes->items[kept++] = box;
            }
        }
        boxes->count = kept;
    }
    return status;
}

void js_boxes_deinit(js_boxes *boxes)
{
    free(boxes->items);
    *boxes = (js_boxes){0};
}
