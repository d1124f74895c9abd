/* One step of a path on one value; the parts of select.c. Internal to values/. */
#ifndef JS_VALUES_SELECT_SELECT_H
#define JS_VALUES_SELECT_SELECT_H

#include "values/base/path.h"
#include "values/base/rendering.h"

typedef struct js_selection {
    js_types *types;
    js_bytes *bytes;
    const js_value *value;
    const js_path_step *step;
    js_text *why;
} js_selection;

/* Writes the reason, returns the status. */
int js_select_fail(const js_selection *at, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The part of a value that holds its bytes at this offset. */
int js_select_part(const js_value *value, const js_type *type, uint64_t offset, js_value *out);
int js_select_int(const js_selection *at, uint64_t number, js_value *out);
int js_select_memory(const js_selection *at, const js_type *type, uint64_t address, js_value *out);
/* A whole number as an index into `length`, negative from the end; JS_ELIMIT. */
int js_select_wrap(int64_t index, int64_t length, int64_t *out);

int js_select_array_attribute(const js_selection *at, js_value *out);
int js_select_array_items(const js_selection *at, js_value *out);
/* An array, or a buffer of bytes, that is this view. */
int js_select_view(const js_selection *at, const js_array_view *view, const js_type *dtype, js_value *out);
int js_select_text(const js_selection *at, js_value *out);
/* The length of a list, set or dict, and an item of a list, without a walk. */
int js_select_length(const js_selection *at, uint64_t *out);
int js_select_list_item(const js_selection *at, js_value *out);
int js_select_dict_value(const js_selection *at, js_value *out);
/* An attribute of an instance; JS_ENOTFOUND without a reason when it has none of that name. */
int js_select_attribute(const js_selection *at, js_value *out);
/* What an object of the interpreter holds itself. */
int js_select_pyobject_attribute(const js_selection *at, js_value *out);
int js_select_pyobject_item(const js_selection *at, js_value *out);
/* One step; what js_value_select does with each of a path. */
int js_select_step(js_types *types, const js_value *value, js_bytes *bytes, const js_path_step *step,
                   js_value *out, js_text *why);
/* Subscripts change a view: indices take axes away, slices shorten them, None adds one; nothing is read.
 * *is_element: all axes were taken. */
int js_view_items(js_array_view *view, const js_path_item *items, unsigned count, js_text *why,
                  bool *is_element);
/* What an array value says, checked; an array that lies in a record is one at the record's place. */
int js_select_view_of(const js_selection *at, js_array_view *view);
/* As Python names the type: "int", "numpy.ndarray" … */
const char *js_select_type_name(const js_type *type);
#endif
