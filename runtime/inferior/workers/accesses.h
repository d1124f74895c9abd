/* Finds which shares of a launch access the same bytes. pool.c reports the shares that it runs;
 * instrumented code reports its accesses (jitscope_access). */
#ifndef JITSCOPE_INFERIOR_ACCESSES_H
#define JITSCOPE_INFERIOR_ACCESSES_H

#include <stdbool.h>
#include <stdint.h>

/* True if this thread is between jitscope_accesses_begin and jitscope_accesses_end. */
bool accesses_are_asked(void);

/* Report that a launch begins in this thread, that the share of this number begins, that the launch has
 * ended. The shares follow one after the other. A launch within a share of another launch belongs to that
 * share. */
void accesses_launch(void);
void accesses_share(uint32_t share);
void accesses_launch_end(void);

#endif
