/* Computes how a pool deals out the rows of a launch among its threads. Used by pool.c and
 * gather.c. */
#ifndef JITSCOPE_INFERIOR_SHARES_H
#define JITSCOPE_INFERIOR_SHARES_H

#include <stdbool.h>
#include <stddef.h>

#include "jitscope_descriptor.h"

/* Set which threads get the rows that remain (JITSCOPE_LEFT_TO_…), and set or return the order in which
 * shares run (JITSCOPE_PARALLEL …); see jitscope.h. */
void shares_set_left(uint32_t left);
void shares_set_order(uint32_t order);
uint32_t shares_order(void);

/* Return how many rows a thread gets; *row is the index of the first. */
size_t shares_of(const jitscope_launch *launch, size_t thread, size_t *row);
/* Return the number of threads that get rows; 0: not known, because the pool's threads steal rows. */
uint32_t shares_count(const jitscope_launch *launch);
/* True if workers run at once, so that one may wait for the others. */
bool shares_are_parallel(void);
/* True if these rows are the last ones of their worker's share. */
bool shares_end(const jitscope_launch *launch, const jitscope_work *work);

#endif
