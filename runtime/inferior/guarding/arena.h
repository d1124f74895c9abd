/* Memory whose end is the end of a page, with no memory after it. Numba's and NumPy's arrays are put there,
 * so that an access past the end is a fault. */
#ifndef JITSCOPE_GUARDING_ARENA_H
#define JITSCOPE_GUARDING_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "jitscope_guard.h"

/* Reserve the range of addresses. Returns JITSCOPE_OK or JITSCOPE_ENOMEM. */
int arena_begin(void);
/* Return zeroed memory for `head` bytes, anything, and `size` bytes of data; NULL: it cannot be guarded,
 * which is said once. A copy of `made` is kept. */
jitscope_guarded *arena_take(size_t size, uint32_t head, uint32_t kind, const jitscope_guard_place *made);
/* True if the address is in the range, where all memory is arena_take's. */
bool arena_holds(const void *address);
/* Return the live block in which the address is; NULL: there is none. */
jitscope_guarded *arena_find(const void *address);
/* Free the block in which the address is. The program ends if it was freed before, or if bytes before its
 * data were overwritten. */
void arena_give(const void *address, const jitscope_guard_place *freed);
/* Return 1 + the index of a file's name, which is copied; 0: there are too many. */
uint32_t arena_file(const char *path);

#endif
