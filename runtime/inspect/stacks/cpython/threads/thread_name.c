/* Source: Lib/threading.py of CPython 3.9 to 3.14. Thread._bootstrap() is the outermost function of each
 * thread that the module starts, and Thread._name is the name. */
#include "stacks/cpython/threads/thread_name.h"

#include <jansson.h>
#include <string.h>

static bool is_text(json_t *frame, const char *key, const char *wanted)
{
    const char *found = json_string_value(json_object_get(frame, key));
    size_t length = found ? strlen(found) : 0, end = strlen(wanted);
    return length >= end && strcmp(found + length - end, wanted) == 0;
}

int js_python_thread_name(js_python *python, js_types *types, const char *frames, char **out)
{
    json_t *all = json_loads(frames, JSON_ALLOW_NUL, NULL), *list = json_object_get(all, "frames");
    json_t *outermost = json_array_get(list, json_array_size(list) - 1);
    bool is_started =
        is_text(outermost, "function", "_bootstrap") && is_text(outermost, "file", "/threading.py");
    uint64_t address = (uint64_t)json_integer_value(json_object_get(outermost, "address"));
    js_render_options options;
    char *text = NULL;
    js_text name;
    js_render_options_init(&options);
    json_decref(all);
    *out = NULL;
    int status = is_started
                     ? js_python_print(python, types, address, "self._name", &options, NULL, NULL, &text)
                     : JS_ENOTFOUND;
    json_t *found = text ? json_loads(text, JSON_ALLOW_NUL, NULL) : NULL;
    const char *value = json_string_value(json_object_get(found, "value"));
    js_text_init(&name, 0);
    js_text_put(&name, value ? value : "");
    status = js_text_give(&name, status == JS_OK && !value ? JS_ENOTFOUND : status, out);
    json_decref(found);
    js_free(text);
    return status;
}
