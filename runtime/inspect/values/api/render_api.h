/* The values layer for callers that hold only pointers, integers and strings (ctypes in GDB's Python). */
#ifndef JS_VALUES_API_RENDER_API_H
#define JS_VALUES_API_RENDER_API_H

#include "values/base/value.h"

/* Renders `contents` (the bytes of a variable of this type), or with `path` (".shape", "[2]"; NULL: none)
 * what it leads to; as JSON when `json` is not 0. *out_text, freed with js_free, is the text; on error the
 * reason in one line (NULL without memory). *exact: 0 when part is not known. `options` may be NULL. */
JS_API int js_api_render(js_types *types, js_bytes *bytes, const char *name, const char *storage,
                         const void *contents, size_t size, const char *path,
                         const js_render_options *options, int json, char **out_text, int *exact);

/* Like js_api_render, for a variable in the target's memory. */
JS_API int js_api_render_at(js_types *types, js_bytes *bytes, const char *name, const char *storage,
                            uint64_t address, const char *path, const js_render_options *options, int json,
                            char **out_text, int *exact);

/* The parts of a container, an instance or an iterator, `options->elements` of them at most, as JSON:
 * [{"name": "[0]", "type": "int64", "text": "7", "address": 139…, "size": 8}]. A part that has an address
 * lies there as a variable of that type lies. */
JS_API int js_api_children(js_types *types, js_bytes *bytes, const char *name, const char *storage,
                           const void *contents, size_t size, const js_render_options *options,
                           char **out_text);

/* The layout as JSON: {"name", "kind", "shape", "size", "align", "members": [{"name", "offset", "role",
 * "type": {…}}]} and, where they apply, "target", "count", "ndim", "order", "readonly", "class", "unit",
 * "signed". */
JS_API int js_api_type_json(js_types *types, const char *name, const char *storage, char **out_text);

/* The checked array that `contents` describes; on error *out_text (may be NULL) is the reason. */
JS_API int js_api_array_view(js_types *types, const char *name, const char *storage, const void *contents,
                             size_t size, js_array_view *view, char **out_text);

/* Bytes asked of the target so far. */
JS_API uint64_t js_bytes_wanted(const js_bytes *bytes);
#endif
