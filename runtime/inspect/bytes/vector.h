/* An array that grows as it is filled: how many items are in a target is known when it has been read. */
#ifndef JS_BYTES_VECTOR_H
#define JS_BYTES_VECTOR_H

#include <stddef.h>

/* `items` (from malloc, or NULL) with room for `count` items of `size` bytes; `*capacity` is in items. What
 * is there stays, the rest is not cleared. NULL: there is no memory; then `items` is as it was, and still the
 * caller's. */
void *js_vector_reserve(void *items, size_t *capacity, size_t count, size_t size);

#endif
