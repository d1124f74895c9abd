/* Shadow memory: cells of any kind for each byte, where something was accessed. */
#ifndef JITSCOPE_INFERIOR_SHADOW_H
#define JITSCOPE_INFERIOR_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jitscope_descriptor.h"

typedef struct shadow {
    size_t cell_size;
    const uint64_t *limit;
    uint64_t *used;  /* bytes of all shadows that share the limit */
    uint64_t *pages; /* address of the jitscope_pages; whole at any time, for who looks from outside */
} shadow;

typedef void (*shadow_cell_fn)(void *context, void *cell, uint64_t address, uint32_t size);

/* Call `tell` for each cell of these bytes; cells are zeroed before their first access. False: no memory for
 * all of them. */
bool shadow_access(shadow *s, uint64_t address, uint64_t size, shadow_cell_fn tell, void *context);
/* Nothing was accessed. */
void shadow_clear(shadow *s);

#endif
