/* Values, and the functions that write them as a Python programmer would. The entry of values/ for the rest
 * of the library. */
#ifndef JS_VALUES_BASE_VALUE_H
#define JS_VALUES_BASE_VALUE_H

#include "bytes/reader.h"
#include "bytes/text.h"
#include "layouts/type.h"

/* One value: a type and the bytes that a variable of it holds. */
typedef struct js_value {
    const js_type *type;
    uint8_t *contents; /* type->size bytes; owned */
    bool has_address;
    uint64_t address; /* address of the contents in the target, if has_address */
} js_value;

/* Limits of a rendering: those that GDB's `show print …` gives. elements 0: no limit but max_bytes. */
typedef struct js_render_options {
    unsigned elements;  /* most elements of one array, and characters of one string; 200 by default */
    unsigned repeats;   /* runs of this many equal elements fold to `x <repeats N times>`; 0: never */
    unsigned depth;     /* nesting shown before {...} */
    uint64_t max_bytes; /* most bytes of the target that one rendering reads; 64 KiB by default */
    bool summary;       /* one short line, for a frame's list of arguments: array(float64, shape=(10, 7)) */
    bool digits;        /* floats in arrays have all digits, and not NumPy's eight */
    bool brief;         /* for js_program_locals, js_program_waiting: no JSON of values that have parts */
} js_render_options;

/* Set the default options. */
JS_API void js_render_options_init(js_render_options *options);

/* Make a value of a copy of the first type->size bytes of `contents`. The caller calls js_value_deinit.
 * JS_EARG: `size` is less; JS_ELIMIT: the type is too large for a value; JS_ENOMEM. */
JS_API int js_value_init(js_value *value, const js_type *type, const void *contents, size_t size);
/* Make a value of the bytes at an address in the target. */
JS_API int js_value_init_at(js_value *value, const js_type *type, js_bytes *bytes, uint64_t address);
/* Free what a value holds. */
JS_API void js_value_deinit(js_value *value);

/* Write the value as a Python programmer would. Memory that cannot be read is shown in its place
 * ("<unreadable: 0x… …>"): the status is that of the text only (JS_ENOMEM, JS_ELIMIT). `bytes` NULL: memory
 * cannot be read. `options` NULL: the default ones. */
JS_API int js_value_render_text(const js_value *value, js_bytes *bytes, const js_render_options *options,
                                js_text *out);
/* Write the value as JSON (docs/schema): a scalar; {"shape": […], "data": [the first 64, C order]}; {"tuple":
 * […]}; or text. *exact becomes false if a part could not be read. */
JS_API int js_value_render_json(const js_value *value, js_bytes *bytes, js_text *out, bool *exact);

/* True if the text in a label "<unknown: …>" says that an array's strides contradict the order of its type.
 */
bool js_array_is_order_label(const char *label);

/* Write the members that an entry of js_program_locals has for a value: `, "value": …, "text": …`. *exact
 * becomes false if a part could not be read or is too long to show; "value" is null then, and where `options`
 * asks for no JSON of values that have parts. *are_older: the value has elements that the source has newer
 * values for (bytes/watch.h); the text says so. */
int js_value_put(js_text *out, const js_value *value, js_bytes *bytes, const js_render_options *options,
                 bool *exact, bool *are_older);
/* Write " <LABEL>" after the text of a value with such elements. `label` NULL: nothing. */
void js_put_older(js_text *out, const char *label);

/* Follow a path of attributes, integer indices and slices: ".shape", "[2]", "[1:3, ::2]", ".x[0].y",
 * "['field']". The caller frees `out` with js_value_deinit. A slice of an array is an array value (a view,
 * for which no element is read). JS_EBAD: syntax error; JS_ENOTFOUND: no such attribute; JS_ELIMIT: index out
 * of range; JS_EUNSUP: the value has no subscripts. `why` (may be NULL) gets one line as Python would write
 * it. */
JS_API int js_value_select(js_types *types, const js_value *value, js_bytes *bytes, const char *path,
                           js_value *out, js_text *why);

/* ---- arrays ---- */
/* An array: the address of the element whose indices are all 0, bytes of an element, number of elements, and
 * their shape. */
typedef struct js_array_view {
    uint64_t data, itemsize, nitems;
    unsigned ndim;
    int64_t shape[32], strides[32]; /* in elements; in bytes */
} js_array_view;
/* Check the array that a value of JS_KIND_ARRAY (or a buffer) describes, and give it as a view. JS_EBAD: it
 * is invalid. */
JS_API int js_array_view_init(js_array_view *view, const js_value *value);

#endif
