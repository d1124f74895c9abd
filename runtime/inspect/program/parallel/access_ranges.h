/* Elements of an array as few ranges: boxes of indices, with a step along the last axis. */
#ifndef JS_PROGRAM_PARALLEL_ACCESS_RANGES_H
#define JS_PROGRAM_PARALLEL_ACCESS_RANGES_H

#include <stdbool.h>

#include "bytes/text.h"
#include "jitscope.h"

/* Each axis from low to high, both inclusive. Axes come in the order of their strides, the widest first. */
typedef struct js_box {
    int64_t low[JITSCOPE_DIMENSIONS_MAX], high[JITSCOPE_DIMENSIONS_MAX];
    int64_t step; /* step of the last axis */
} js_box;

/* A set that is filled in order of addresses. */
typedef struct js_boxes {
    uint32_t ndim;
    js_box *items; /* owned */
    size_t count, capacity;
    uint64_t elements;
    uint64_t left_out; /* elements for which there was no room */
    js_box run;        /* that goes on */
    int64_t length;    /* its elements */
} js_boxes;

/* `at` has ndim indices, and comes after all before it; one that is the same again is not counted. */
int js_boxes_add(js_boxes *boxes, const int64_t *at);
/* When all are in. */
int js_boxes_finish(js_boxes *boxes);
void js_boxes_deinit(js_boxes *boxes);

#endif
