/* Takes one step of a path from one value. The parts of select.c. Internal to values/. */
#ifndef JS_VALUES_SELECT_SELECT_H
#define JS_VALUES_SELECT_SELECT_H

#include "values/base/path.h"
#include "values/base/rendering.h"

/* A step that is being taken. Everything is borrowed; `why` may be NULL. */
typedef struct js_selection {
    js_types *types;
    js_bytes *bytes;
    const js_value *value;
    const js_path_step *step;
    js_text *why;
} js_selection;

/* Write the reason, and return the status. */
int js_select_fail(const js_selection *selection, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Give a value of this type that is a part of `value`, at this offset in its bytes. */
int js_select_part(const js_value *value, const js_type *type, uint64_t offset, js_value *out);
/* Give an int, or the value of this type at an address in the target. */
int js_select_int(const js_selection *selection, uint64_t number, js_value *out);
int js_select_memory(const js_selection *selection, const js_type *type, uint64_t address, js_value *out);
/* Convert an index, which counts from the end if it is negative, to one from 0. JS_ELIMIT: it is out of
 * range. */
int js_select_wrap(int64_t index, int64_t length, int64_t *out);

/* Take an attribute, or the items of a subscript, of an array. */
int js_select_array_attribute(const js_selection *selection, js_value *out);
int js_select_array_items(const js_selection *selection, js_value *out);
/* Give the array, or buffer of bytes, of this view. */
int js_select_view(const js_selection *selection, const js_array_view *view, const js_type *dtype,
                   js_value *out);
/* Take a character or a slice of a text. */
int js_select_text(const js_selection *selection, js_value *out);
/* Give the length of a list, set or dict, and the item of a list, without a walk over the items. */
int js_select_length(const js_selection *selection, uint64_t *out);
int js_select_list_item(const js_selection *selection, js_value *out);
int js_select_dict_value(const js_selection *selection, js_value *out);
/* Give an attribute of an instance. JS_ENOTFOUND, without a reason: it has none of this name. */
int js_select_attribute(const js_selection *selection, js_value *out);
/* Give an attribute or an item of an object of the interpreter. */
int js_select_pyobject_attribute(const js_selection *selection, js_value *out);
int js_select_pyobject_item(const js_selection *selection, js_value *out);
/* Take one step, as js_value_select does for each step of its path. */
int js_select_step(js_types *types, const js_value *value, js_bytes *bytes, const js_path_step *step,
                   js_value *out, js_text *why);
/* Change a view by subscripts: an index removes an axis, a slice shortens one, None adds one. Nothing is
 * read. *is_element: all axes were removed. */
int js_view_items(js_array_view *view, const js_path_item *items, unsigned count, js_text *why,
                  bool *is_element);
/* Check an array and give its view. An array within a record is one at the record's place. */
int js_select_view_of(const js_selection *selection, js_array_view *view);
/* Return Python's name of the type: "int", "numpy.ndarray" … */
const char *js_select_type_name(const js_type *type);
#endif
