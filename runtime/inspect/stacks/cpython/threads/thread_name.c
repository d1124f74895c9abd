/* Source: Lib/threading.py of CPython 3.9 to 3.15. Thread._bootstrap() is the outermost function of each
 * thread that the module starts, and Thread._name is the name. */
#include "stacks/cpython/threads/thread_name.h"

#include <stdlib.h>
#include <string.h>

#include "layouts/cpython/object.h"
#include "stacks/cpython/modules/modules.h"
#include "stacks/cpython/object.h"
#include "stacks/cpython/variables.h"

enum { EFFORT = 1 << 20 /* effort of one name (js_question) */ };

/* Return the address of the outermost frame if it is that of Thread._bootstrap(); 0: it is not. The text is
 * searched and not parsed, because a process rests meanwhile: within a string of JSON, a quote has a
 * backslash before it. */
static uint64_t find_bootstrap(const char *frames)
{
    static const char begin[] = "{\"function\": \"_bootstrap\"", file[] = "/threading.py\"";
    static const char address[] = "\"address\": ", any[] = "{\"function\": ";
    const char *last = NULL;
    for (const char *at = frames; (at = strstr(at, any)); at++) {
        last = at;
    }
    bool is_started = last && strncmp(last, begin, sizeof begin - 1) == 0 && strstr(last, file);
    const char *number = is_started ? strstr(last, address) : NULL;
    return number ? strtoull(number + sizeof address - 1, NULL, 10) : 0;
}

/* Read self._name of the function's frame. */
static int read_name(js_python *python, uint64_t frame, char **out)
{
    uint64_t address;
    const char *reason;
    js_python_object thread, name;
    char text[JS_PYTHON_NAME_LIMIT + 4];
    size_t length;
    js_memory_reset(&python->memory);
    int status = js_python_find_variable(python, frame, "self", &address, &reason);
    status = status || address ? status : JS_ENOTFOUND;
    status = status ? status : js_object_read(python->bytes, address, &thread);
    status = status ? status : js_python_find_attribute(python, &thread, "_name", &name);
    status =
        status ? status : js_python_read_str(&python->memory, &python->offsets, name.address, text, &length);
    *out = status ? NULL : strdup(text);
    return status || *out ? status : JS_ENOMEM;
}

int js_python_thread_name(js_python *python, const char *frames, char **out)
{
    uint64_t address = find_bootstrap(frames);
    js_question question;
    *out = NULL;
    if (!address) {
        return JS_ENOTFOUND;
    }
    js_question_begin(&question, python->bytes, EFFORT);
    int status = read_name(python, address, out);
    js_question_end(&question, python->bytes);
    return status;
}
