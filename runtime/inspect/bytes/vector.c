/* Grows arrays, by doubling. */
#include "bytes/vector.h"

#include <stdint.h>
#include <stdlib.h>

enum { CAPACITY_MIN = 16 };

void *js_vector_reserve(void *items, size_t *capacity, size_t count, size_t size)
{
    if (items && count <= *capacity) {
        return items;
    }
    size_t wanted = *capacity > CAPACITY_MIN ? *capacity : CAPACITY_MIN;
    while (wanted < count) {
        wanted = wanted > SIZE_MAX / 2 ? SIZE_MAX : wanted * 2;
    }
    void *grown = wanted > SIZE_MAX / size ? NULL : realloc(items, wanted * size);
    if (grown) {
        *capacity = wanted;
    }
    return grown;
}
