#include "stacks/process/frame_place.h"

#include <string.h>

#include "stacks/cpython/symbols.h"

static const char *string(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

bool js_frame_has_kind(const json_t *frame, const char *kind)
{
    const char *own = string(frame, "kind");
    return own && strcmp(own, kind) == 0;
}

bool js_frame_is_function(const json_t *frame)
{
    return js_frame_has_kind(frame, "python") || js_frame_has_kind(frame, "jit");
}

json_t *js_frame_find(const json_t *thread, bool (*fits)(const json_t *frame))
{
    json_t *frames = json_object_get(thread, "frames");
    for (size_t i = 0; i < json_array_size(frames); i++) {
        json_t *frame = json_array_get(frames, i);
        if (js_frame_has_kind(frame, "region")) {
            break;
        }
        if (fits(frame)) {
            return frame;
        }
    }
    return NULL;
}

static bool is_users(const json_t *frame)
{
    const char *file = string(frame, "file");
    return js_frame_is_function(frame) &&
           !(js_frame_has_kind(frame, "python") && file && js_cpython_is_library(file));
}

json_t *js_frame_of_user(const json_t *thread)
{
    json_t *frame = js_frame_find(thread, is_users);
    return frame ? frame : js_frame_find(thread, js_frame_is_function);
}

/* Return the function's name as a JSON string; NULL: it is not known. */
static json_t *name_of(const json_t *frame)
{
    static const char *const keys[] = {"name", "qualname", "function"};
    json_t *name = NULL;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !json_is_string(name); i++) {
        name = json_object_get(frame, keys[i]);
    }
    return json_is_string(name) ? name : NULL;
}

json_t *js_frame_summary(const json_t *frame)
{
    json_t *name = name_of(frame), *file = json_object_get(frame, "file"),
           *line = json_object_get(frame, "line");
    return json_pack("{sO? sO? sO?}", "function", name, "file", file, "line", line);
}

void js_frame_put_place(js_text *text, const json_t *frame)
{
    const char *name = json_string_value(name_of(frame)), *file = string(frame, "file");
    json_int_t line = json_integer_value(json_object_get(frame, "line"));
    js_text_plain(text, name ? name : "?");
    if (file) {
        const char *slash = strrchr(file, '/');
        js_text_put(text, " at ");
        js_text_plain(text, slash ? slash + 1 : file);
        if (line > 0) {
            js_text_printf(text, ":%lld", (long long)line);
        }
    }
}
