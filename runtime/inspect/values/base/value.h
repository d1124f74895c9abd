/* Values, as a Python programmer would write them. */
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
    uint64_t address; /* where contents came from, when has_address */
} js_value;

/* GDB's own limits, as `show print …` gives them. 0 elements: unlimited (then limited by max_bytes). */
typedef struct js_render_options {
    unsigned elements;  /* at most this many elements of one array or characters of one string: 200 */
    unsigned repeats;   /* runs of this many equal elements fold to `x <repeats N times>`; 0: never */
    unsigned depth;     /* nesting shown before {...} */
    uint64_t max_bytes; /* target bytes one rendering may read: 64 KiB */
    bool summary;       /* one short line for a frame's argument list: array(float64, shape=(10, 7)) */
    bool digits;        /* floats in arrays have all their digits, not NumPy's eight */
    bool brief;         /* js_program_locals, js_program_waiting: no JSON of what has parts */
} js_render_options;

/* Set the limits to their defaults. */
JS_API void js_render_options_init(js_render_options *options);

/* Copy the first type->size bytes of `contents`. JS_EARG: `size` is less; JS_ELIMIT: the type is too large
 * for a value. */
JS_API int js_value_init(js_value *value, const js_type *type, const void *contents, size_t size);
/* Reads type->size bytes at address. */
JS_API int js_value_init_at(js_value *value, const js_type *type, js_bytes *bytes, uint64_t address);
/* Free what a value holds. */
JS_API void js_value_deinit(js_value *value);

/* Text as a Python programmer would write it. Unreadable memory is written in place ("<unreadable: 0x… …>");
 * the status is that of the text only (JS_ENOMEM, JS_ELIMIT). */
JS_API int js_value_render_text(const js_value *value, js_bytes *bytes, const js_render_options *options,
                                js_text *out);
/* The JSON of docs/schema: scalars; {"shape": […], "data": [first 64, C order]}; {"tuple": […]}; or text.
 * *exact is set false where part of it could not be read. */
JS_API int js_value_render_json(const js_value *value, js_bytes *bytes, js_text *out, bool *exact);

/* What an entry of js_program_locals has of a value: `, "value": …, "text": …`. *exact is set false where
 * part of it could not be read, or is too long to show; "value" is null then, and where `options` asks for no
 * JSON of what has parts. *are_older: it has elements that the source has newer values for (bytes/watch.h);
 * the text says so. */
int js_value_put(js_text *out, const js_value *value, js_bytes *bytes, const js_render_options *options,
                 bool *exact, bool *are_older);
/* Behind the text of what has such elements: " <LABEL>". Nothing for NULL. */
void js_put_older(js_text *out, const char *label);

/* Follow a path of attributes, integer indices and slices: ".shape", "[2]", "[1:3, ::2]", ".x[0].y",
 * "['field']". out owns its contents. A slice of an array is an array value (a view, no element read).
 * JS_EBAD: syntax; JS_ENOTFOUND: no such attribute; JS_ELIMIT: index out of range; JS_EUNSUP: not
 * subscriptable. `why` (may be NULL) receives one line as Python would say it. */
JS_API int js_value_select(js_types *types, const js_value *value, js_bytes *bytes, const char *path,
                           js_value *out, js_text *why);

/* ---- the arrays of a crash: see values/outside.c ---- */
typedef struct js_array_view {
    uint64_t data, itemsize, nitems;
    unsigned ndim;
    int64_t shape[32], strides[32]; /* elements; bytes */
} js_array_view;
/* The array that a JS_KIND_ARRAY (or buffer) value describes, checked: JS_EBAD for nonsense. */
JS_API int js_array_view_init(js_array_view *view, const js_value *value);

#endif
