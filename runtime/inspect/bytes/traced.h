/* Threads of a process that the calling thread traces (ptrace), without the debugger that it belongs to. */
#ifndef JS_BYTES_TRACED_H
#define JS_BYTES_TRACED_H

#include "bytes/reader.h"

enum { JS_TRACED_REGISTERS = 17 };

/* A stopped thread's general registers, by DWARF's numbers (System V ABI x86-64 psABI 1.0, figure 3.36).
 * JS_ESYS: it runs, or the caller does not trace it. */
JS_API int js_traced_registers(pid_t thread, uint64_t out[JS_TRACED_REGISTERS]);

#endif
