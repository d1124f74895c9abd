/* Finds _PyRuntime in a core. Like find_runtime.c, but by the files that the core says were mapped. */
#include <string.h>

#include "stacks/python.h"

static int search_file(js_core *core, const js_core_file *file, uint64_t *runtime, uint32_t *version)
{
    static const char *const names[] = {"_PyRuntime", "Py_Version"};
    uint64_t values[2], value;
    if (js_core_file_symbols(core, file, names, 2, values) || values[0] == 0) {
        return JS_ENOTFOUND;
    }
    *runtime = values[0];
    if (values[1] && js_bytes_read_uint(js_core_bytes(core), values[1], 4, &value) == JS_OK) {
        *version = (uint32_t)value;
    }
    return JS_OK;
}

int js_python_find_core_runtime(js_core *core, uint64_t *runtime, uint32_t *version)
{
    size_t count;
    const js_core_file *files = js_core_files(core, &count);
    *runtime = 0;
    *version = 0;
    for (int is_likely = 1; is_likely >= 0; is_likely--) {
        for (size_t i = 0; i < count; i++) {
            bool is_named = strstr(js_core_file_name(&files[i]), "python") != NULL;
            if (is_named == (is_likely == 1) && files[i].is_code &&
                search_file(core, &files[i], runtime, version) == JS_OK) {
                return JS_OK;
            }
        }
    }
    return JS_ENOTFOUND;
}
