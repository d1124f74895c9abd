/* Notes reads of watched ranges. */
#include "bytes/watch.h"

#include <stdlib.h>

#include "bytes/vector.h"

void js_watch_clear(js_watch *watch)
{
    for (size_t i = 0; i < watch->count; i++) {
        free(watch->ranges[i].label);
    }
    free(watch->ranges);
    free(watch->everywhere);
    *watch = (js_watch){.find = watch->find, .context = watch->context, .is_immutable = watch->is_immutable};
}

int js_watch_add(js_watch *watch, uint64_t lo, uint64_t hi, char *label)
{
    if (!label) {
        return JS_ENOMEM;
    }
    if (lo == 0 && hi == UINT64_MAX) {
        free(watch->everywhere);
        watch->everywhere = label;
        return JS_OK;
    }
    js_watched *ranges = js_vector_reserve(watch->ranges, &watch->capacity, watch->count + 1, sizeof *ranges);
    if (!ranges) {
        free(label);
        return JS_ENOMEM;
    }
    watch->ranges = ranges;
    watch->ranges[watch->count++] = (js_watched){lo, hi, label};
    return JS_OK;
}

void js_watch_read(js_watch *watch, uint64_t address, size_t size, bool are_elements)
{
    if (are_elements && !watch->is_found) {
        watch->is_found = true; /* reads by `find` itself are not noted */
        if (watch->find) {
            watch->find(watch->context);
        }
        watch->seen = NULL;
    }
    for (size_t i = 0; i < watch->count && !watch->seen; i++) {
        const js_watched *range = &watch->ranges[i];
        if (address < range->hi && range->lo < address + size) {
            watch->seen = range->label;
        }
    }
    if (are_elements && !watch->seen && !watch->is_immutable) {
        watch->seen = watch->everywhere;
    }
}

void js_bytes_set_watch(js_bytes *bytes, js_watch *watch)
{
    bytes->watch = watch;
}

const char *js_bytes_seen(js_bytes *bytes)
{
    const char *seen = bytes && bytes->watch ? bytes->watch->seen : NULL;
    if (seen) {
        bytes->watch->seen = NULL;
    }
    return seen;
}
