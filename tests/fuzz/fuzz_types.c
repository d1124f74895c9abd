/* Any type text, with any bytes as the variable's contents and a path:
 * "<name>\n<storage>\n<path>\n<contents>". */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "values/render_api.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The next line as a string of its own; NULL when it is empty. */
static char *next_line(const char **at, const char *end)
{
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    stop = stop ? stop : end;
    char *line = stop > *at ? strndup(*at, (size_t)(stop - *at)) : NULL;
    *at = stop < end ? stop + 1 : end;
    return line;
}

static int zeros(void *context, uint64_t address, void *buffer, size_t size)
{
    (void)context;
    memset(buffer, (int)(address & 1), size);
    return address >> 40 ? JS_EFAULT : JS_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *at = (const char *)data, *end = at + size;
    char *name = next_line(&at, end), *storage = next_line(&at, end), *path = next_line(&at, end);
    js_types *types;
    js_bytes bytes;
    const js_type *type;
    js_bytes_init_callback(&bytes, zeros, NULL);
    if (js_types_create(&types) == JS_OK) {
        if (js_types_get(types, name ? name : "", storage, &type) == JS_OK && type->size < 1 << 20) {
            uint8_t *contents = calloc(1, type->size + 1);
            size_t left = (size_t)(end - at);
            memcpy(contents, at, left < type->size ? left : type->size);
            for (int json = 0; json < 2 && contents; json++) {
                char *text = NULL;
                js_api_render(types, &bytes, name ? name : "", storage, contents, type->size,
                              json ? path : NULL, NULL, json, &text, NULL);
                js_free(text);
            }
            free(contents);
        }
        js_types_destroy(types);
    }
    js_bytes_deinit(&bytes);
    free(name);
    free(storage);
    free(path);
    return 0;
}
