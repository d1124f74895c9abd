/* Renders any type text, with any bytes as the variable's contents, and a path:
 * "<name>\n<storage>\n<path>\n<contents>". The contents are all of memory too, over and over, up to MEMORY,
 * so that pointers lead somewhere. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bound.h"
#include "contents.h"
#include "values/api/render_api.h"
#include "values/base/value.h"

enum { BYTES_MAX = 32 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The next line as a string of its own; NULL when it is empty. */
static char *next_line(const char **at, const char *end)
{
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    stop = stop ? stop : end;
    char *line = stop > *at ? calloc(1, (size_t)(stop - *at) + 1) : NULL;
    if (line) {
        memcpy(line, *at, (size_t)(stop - *at));
    }
    *at = stop < end ? stop + 1 : end;
    return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *at = (const char *)data, *end = at + size;
    char *name = next_line(&at, end), *storage = next_line(&at, end), *path = next_line(&at, end);
    js_types *types;
    js_bytes bytes;
    const js_type *type;
    contents all = {at, (size_t)(end - at)};
    js_bytes_init_callback(&bytes, memory, &all);
    if (js_types_create(&types) == JS_OK) {
        uint64_t most = size % 16 == 0 ? 1 << 20 : 1 << 12; /* large values would need too long to copy */
        if (js_types_get(types, name ? name : "", storage, &type) == JS_OK && type->size < most) {
            uint8_t *variable = calloc(1, type->size + 1);
            memcpy(variable, at, all.size < type->size ? all.size : type->size);
            char *text = NULL;
            js_render_options options = bound_options(data, size);
            for (unsigned way = 0; way < 3; way++) {
                bound_start(&bytes, data, size);
                js_api_render(types, &bytes, name ? name : "", storage, variable, type->size,
                              way == 2 ? path : NULL, &options, way == 1, &text, NULL);
                js_free(text);
                bound_check(&bytes, BYTES_MAX, CALLS);
            }
            bound_start(&bytes, data, size);
            js_api_children(types, &bytes, name ? name : "", storage, variable, type->size, &options, &text);
            js_free(text);
            bound_check(&bytes, BYTES_MAX, CALLS);
            if (size % 8 == 0) { /* long, and the same for all contents */
                js_api_type_json(types, name ? name : "", storage, &text);
                js_free(text);
            }
            free(variable);
        }
        js_types_destroy(types);
    }
    js_bytes_deinit(&bytes);
    free(name);
    free(storage);
    free(path);
    return 0;
}
