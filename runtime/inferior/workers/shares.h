/* How a pool deals out the rows of a launch. */
#ifndef JITSCOPE_INFERIOR_SHARES_H
#define JITSCOPE_INFERIOR_SHARES_H

#include <stdbool.h>
#include <stddef.h>

#include "jitscope_descriptor.h"

/* Which threads get the rows that are left, JITSCOPE_LEFT_TO_…; the order in which shares run,
 * JITSCOPE_PARALLEL … (jitscope.h). */
void shares_set_left(uint32_t left);
void shares_set_order(uint32_t order);
uint32_t shares_order(void);

/* The rows of a thread: from *row on, as many as are returned. */
size_t shares_of(const jitscope_launch *launch, size_t thread, size_t *row);
/* Workers that have rows; 0: the pool's threads take what is there, and it is not known before. */
uint32_t shares_count(const jitscope_launch *launch);
/* True if workers run at once, so that one may wait for the others. */
bool shares_are_parallel(void);
/* True if these rows are the last ones of their worker's share. */
bool shares_end(const jitscope_launch *launch, const jitscope_work *work);

#endif
