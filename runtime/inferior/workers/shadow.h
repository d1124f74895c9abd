/* Shadow memory, which holds a cell of the caller's for each byte that was accessed. Used by
 * accesses.c and records.c. */
#ifndef JITSCOPE_INFERIOR_SHADOW_H
#define JITSCOPE_INFERIOR_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jitscope_descriptor.h"

/* One shadow memory. Zeroed pages and counters are an empty one. */
typedef struct shadow {
    size_t cell_size;      /* bytes of a cell */
    const uint64_t *limit; /* most bytes that `used` may reach */
    uint64_t *used;        /* bytes that all shadows with this counter have allocated */
    uint64_t *pages;       /* address of the jitscope_pages, or 0; it can be read at any time by a debugger */
} shadow;

/* Receives a cell, and the bytes that it covers. */
typedef void (*shadow_cell_fn)(void *context, void *cell, uint64_t address, uint32_t size);

/* Call `tell` for each cell of the `size` bytes at `address`. A cell is zeroed before its first access.
 * False: there was no memory for some of the cells, and they were left out. */
bool shadow_access(shadow *s, uint64_t address, uint64_t size, shadow_cell_fn tell, void *context);
/* Forget all accesses, and free the memory. */
void shadow_clear(shadow *s);

#endif
