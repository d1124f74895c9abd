/* Describes elements of an array by few ranges: boxes of indices, with a step along the last axis. records.c
 * adds the elements that a worker has accessed. */
#ifndef JS_PROGRAM_PARALLEL_ACCESS_RANGES_H
#define JS_PROGRAM_PARALLEL_ACCESS_RANGES_H

#include <stdbool.h>

#include "bytes/text.h"
#include "jitscope.h"

/* The elements from low to high on each axis, both included. Axes are in the order of their strides, widest
 * first. */
typedef struct js_box {
    int64_t low[JITSCOPE_DIMENSIONS_MAX], high[JITSCOPE_DIMENSIONS_MAX];
    int64_t step; /* step of the last axis */
} js_box;

/* A set of boxes. Its elements are added in order of addresses. */
typedef struct js_boxes {
    uint32_t ndim;
    js_box *items; /* owned */
    size_t count, capacity;
    uint64_t elements; /* number of all elements */
    uint64_t left_out; /* number of elements for which there was no room */
    js_box run;        /* the run of elements that may still grow */
    int64_t length;    /* number of elements in the run */
} js_boxes;

/* Add the element with the indices at[0 … ndim - 1], which must come after all before it. The element that
 * was added last is not counted again. JS_ENOMEM. */
int js_boxes_add(js_boxes *boxes, const int64_t *at);
/* End the last run and merge boxes. Call it after all elements. JS_ENOMEM. */
int js_boxes_finish(js_boxes *boxes);
void js_boxes_deinit(js_boxes *boxes);

#endif
