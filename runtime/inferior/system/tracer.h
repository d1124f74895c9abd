/* The process that traces this one. Async-signal-safe. */
#ifndef JITSCOPE_TRACER_H
#define JITSCOPE_TRACER_H

#include <stdbool.h>
#include <stddef.h>

/* True if this tracer is a debugger, by its command's name (which comes in `name`, of at least 2 bytes). */
bool tracer_is_gdb(int pid, char *name, size_t size);

#endif
