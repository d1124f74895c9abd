/* Grows arrays whose length becomes known while they are filled. */
#ifndef JS_BYTES_VECTOR_H
#define JS_BYTES_VECTOR_H

#include <stddef.h>

/* Return `items` (from malloc, or NULL) with room for `count` items of `size` bytes. `*capacity` is in items.
 * The items that are there stay, and the rest is not cleared. NULL: there is no memory; `items` stays valid,
 * and the caller's. */
void *js_vector_reserve(void *items, size_t *capacity, size_t count, size_t size);

#endif
