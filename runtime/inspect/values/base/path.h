/* A path of attributes and subscripts, a step at a time: ".x[0, 1:3]['f']". Internal to values/. */
#ifndef JS_VALUES_BASE_PATH_H
#define JS_VALUES_BASE_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JS_PATH_ITEMS = 33, JS_PATH_NAME = 128 };

typedef struct js_path_item {
    enum { JS_ITEM_INDEX, JS_ITEM_SLICE, JS_ITEM_ELLIPSIS, JS_ITEM_NEWAXIS } kind;
    int64_t index;
    int64_t start, stop, step;
    bool has_start, has_stop;
} js_path_item;

typedef struct js_path_step {
    bool is_attribute; /* .name, else a subscript */
    bool is_field;     /* ['name'] */
    char name[JS_PATH_NAME];
    js_path_item items[JS_PATH_ITEMS];
    unsigned count;
} js_path_step;

/* Read the step at *path, and move *path after it. JS_ENOTFOUND: the path ends here; JS_EBAD: no such syntax;
 * JS_ELIMIT: more than 33 indices or a number past 2^63. */
int js_path_next(const char **path, js_path_step *step);
/* Python's slice.indices(length): start and step, returns the count. */
int64_t js_path_slice(const js_path_item *item, int64_t length, int64_t *start);
#endif
