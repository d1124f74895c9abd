/* How a pool deals out the rows of a launch. */
#ifndef JITSCOPE_INFERIOR_POOL_H
#define JITSCOPE_INFERIOR_POOL_H

#include <stdbool.h>

#include "jitscope.h"

/* Workers that have rows; 0: the pool's threads take what is there, and it is not known before. */
uint32_t pool_shares(const jitscope_launch *launch);
/* Do workers run at once, so that one may wait for the others? */
bool pool_is_parallel(void);
/* Are these rows the last ones of their worker's share? */
bool pool_share_ends(const jitscope_launch *launch, const jitscope_work *work);

#endif
