/* Looks at the process that traces this one. Called by attach.c. Async-signal-safe. */
#ifndef JITSCOPE_TRACER_H
#define JITSCOPE_TRACER_H

#include <stdbool.h>
#include <stddef.h>

/* True if this tracer is GDB or LLDB, by its command's name, or if the process cannot be looked at. `name`,
 * of `size` bytes (at least 2), gets the name, or "". */
bool tracer_is_gdb(int pid, char *name, size_t size);

#endif
