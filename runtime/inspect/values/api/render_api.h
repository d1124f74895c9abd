/* The functions of values/ for callers that hold only pointers, integers and strings: gdbext, by ctypes.
 * Types are given by their text, `name` and `storage`, as in js_types_get(). */
#ifndef JS_VALUES_API_RENDER_API_H
#define JS_VALUES_API_RENDER_API_H

#include "values/base/value.h"

/* Render `contents`, the `size` bytes of a variable of this type, or with `path` (".shape", "[2]"; NULL:
 * none) what the path leads to. `json`: 0 for text, else JSON. *out_text is freed with js_free: the text, or
 * on an error its reason in one line (NULL if there is no memory). *exact is 0 if a part is not known.
 * `options` may be NULL. */
JS_API int js_api_render(js_types *types, js_bytes *bytes, const char *name, const char *storage,
                         const void *contents, size_t size, const char *path,
                         const js_render_options *options, int json, char **out_text, int *exact);

/* Like js_api_render(), for a variable at `address` in the target's memory. */
JS_API int js_api_render_at(js_types *types, js_bytes *bytes, const char *name, const char *storage,
                            uint64_t address, const char *path, const js_render_options *options, int json,
                            char **out_text, int *exact);

/* Give the parts of a container, an instance or an iterator as JSON, at most `options->elements` of them:
 * [{"name": "[0]", "type": "int64", "text": "7", "address": 139…, "size": 8}]. If a part has an address, a
 * variable of that type is there in memory. *out_text is freed with js_free; on an error it is the reason, or
 * NULL. */
JS_API int js_api_children(js_types *types, js_bytes *bytes, const char *name, const char *storage,
                           const void *contents, size_t size, const js_render_options *options,
                           char **out_text);

/* Give the layout as JSON: {"name", "kind", "shape", "size", "align", "members": [{"name", "offset", "role",
 * "type": {…}}]} and, where they apply, "target", "count", "ndim", "order", "readonly", "class", "unit",
 * "signed". *out_text is freed with js_free. */
JS_API int js_api_type_json(js_types *types, const char *name, const char *storage, char **out_text);

/* Check the array that `contents` describes, and give it as a view. On an error *out_text (`out_text` may be
 * NULL) is the reason, freed with js_free. */
JS_API int js_api_array_view(js_types *types, const char *name, const char *storage, const void *contents,
                             size_t size, js_array_view *view, char **out_text);

/* Return how many bytes of the target were asked for so far. */
JS_API uint64_t js_bytes_wanted(const js_bytes *bytes);
#endif
