/* Which shares of a launch get in each other's way: pool.c runs the shares, instrumented code reports its
 * accesses. */
#ifndef JITSCOPE_INFERIOR_ACCESSES_H
#define JITSCOPE_INFERIOR_ACCESSES_H

#include <stdbool.h>
#include <stdint.h>

/* True if this thread asks for accesses. */
bool accesses_are_asked(void);

/* A launch begins in this thread, its shares follow one after the other in it. A launch in one of another's
 * shares belongs to that share. */
void accesses_launch(void);
void accesses_share(uint32_t share);
void accesses_launch_end(void);

#endif
