/* Threads of a process that the calling thread traces (ptrace), without the debugger that it belongs to. */
#ifndef JS_BYTES_TRACED_H
#define JS_BYTES_TRACED_H

#include "bytes/reader.h"

/* All that have stopped at `from` go on at `to` when they are resumed, with the stack pointer `below` bytes
 * lower, where `back` lies. *count: how many. JS_EUNSUP: not on this processor. */
JS_API int js_traced_send(pid_t process, uint64_t from, uint64_t to, uint64_t back, uint64_t below,
                          size_t *count);

#endif
