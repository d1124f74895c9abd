/* jitscope: what a debugged process and its debugger agree on.
 *
 * The one header that both sides include. Structures start with `version` and `size`, and fields are only
 * ever added at their end; a reader of another version takes as many bytes as both know.
 *
 * A program links with libjitscope.so, or loads it. Every function may be called from any thread. */
#ifndef JITSCOPE_H
#define JITSCOPE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define JITSCOPE_API __attribute__((visibility("default")))

/* ---- stops ---- */

/* A debugger with jitscope's extension stops here, on the line of the caller. Does nothing without one. */
JITSCOPE_API void jitscope_breakpoint(void);

#ifdef __cplusplus
}
#endif

#endif
