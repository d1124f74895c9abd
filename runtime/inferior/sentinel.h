/* Where the program stops for its debugger. */
#ifndef JITSCOPE_INFERIOR_SENTINEL_H
#define JITSCOPE_INFERIOR_SENTINEL_H

#include "jitscope.h"

/* What a debugger's breakpoint is set on. Exported, so that it is found by name in a stripped library. */
JITSCOPE_API void jitscope_stopped(void);
/* As jitscope_breakpoint, whoever gathers. */
void sentinel_stop(void);

#endif
