/* Reads registers of threads that the calling thread traces, by ptrace and not by functions of the debugger
 * that calls. */
#ifndef JS_BYTES_TRACED_H
#define JS_BYTES_TRACED_H

#include "bytes/reader.h"

enum { JS_TRACED_REGISTERS = 17 };

/* The registers of a stopped thread. */
typedef struct js_traced {
    uint64_t general[JS_TRACED_REGISTERS]; /* in the order of DWARF's numbers (System V ABI x86-64 psABI 1.0,
                                              figure 3.36) */
    uint64_t thread_pointer;               /* fs_base, which is pthread_self() in the C library */
    uint64_t called;                       /* the number of the system call that it is in; ~0: none */
} js_traced;

/* Read them. JS_ESYS: the thread runs, or the caller does not trace it. */
int js_traced_read(pid_t thread, js_traced *out);

enum { JS_TRACED_VECTORS = 16, JS_TRACED_VECTOR_SIZE = 16 };

/* The vector registers xmm0 to xmm15 of a stopped thread. */
typedef struct js_traced_vectors {
    uint8_t bytes[JS_TRACED_VECTORS][JS_TRACED_VECTOR_SIZE];
} js_traced_vectors;

/* Read them. JS_ESYS as in js_traced_read(). */
int js_traced_read_vectors(pid_t thread, js_traced_vectors *out);

/* Like js_traced_read(), for the general registers alone. */
JS_API int js_traced_registers(pid_t thread, uint64_t out[JS_TRACED_REGISTERS]);

#endif
