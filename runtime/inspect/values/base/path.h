/* Reads a path of attributes and subscripts, such as ".x[0, 1:3]['f']", step by step. Internal to values/. */
#ifndef JS_VALUES_BASE_PATH_H
#define JS_VALUES_BASE_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JS_PATH_ITEMS = 33, JS_PATH_NAME = 128 };

/* An item of a subscript: an index, a slice with or without its ends, an ellipsis or None. */
typedef struct js_path_item {
    enum { JS_ITEM_INDEX, JS_ITEM_SLICE, JS_ITEM_ELLIPSIS, JS_ITEM_NEWAXIS } kind;
    int64_t index;
    int64_t start, stop, step;
    bool has_start, has_stop;
} js_path_item;

/* A step of a path, with `count` items if it is a subscript. */
typedef struct js_path_step {
    bool is_attribute; /* the step is .name; false: a subscript */
    bool is_field;     /* the subscript is ['name'] */
    char name[JS_PATH_NAME];
    js_path_item items[JS_PATH_ITEMS];
    unsigned count;
} js_path_step;

/* Read the step at *path, and move *path after it. JS_ENOTFOUND: the path ends here; JS_EBAD: it has no such
 * syntax; JS_ELIMIT: a subscript has more than 33 items, or a number is above 2^63 - 1. */
int js_path_next(const char **path, js_path_step *step);
/* Compute Python's slice.indices(length): *start is the first index, and the result is the number of indices.
 */
int64_t js_path_slice(const js_path_item *item, int64_t length, int64_t *start);
#endif
