/* Reads registers of threads that the calling thread traces, by ptrace and not by functions of the debugger
 * that calls. */
#ifndef JS_BYTES_TRACED_H
#define JS_BYTES_TRACED_H

#include "bytes/reader.h"

enum { JS_TRACED_REGISTERS = 17 };

/* Read a stopped thread's general registers, in the order of DWARF's numbers (System V ABI x86-64 psABI 1.0,
 * figure 3.36). JS_ESYS: the thread runs, or the caller does not trace it. */
JS_API int js_traced_registers(pid_t thread, uint64_t out[JS_TRACED_REGISTERS]);

#endif
