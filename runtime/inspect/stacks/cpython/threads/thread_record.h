/* Reads the kernel's thread id from the C library's record of a thread, struct pthread, whose address is the
 * value of pthread_self(): CPython before 3.11 records no more of a thread than that. */
#ifndef JS_STACKS_CPYTHON_THREADS_THREAD_RECORD_H
#define JS_STACKS_CPYTHON_THREADS_THREAD_RECORD_H

#include <stdint.h>

#include "bytes/mapped_files.h"
#include "bytes/reader.h"
#include "stacks/cpython/memory.h"

/* Offsets of members of struct pthread. Zeroed, they are not known. */
typedef struct js_thread_record {
    uint32_t id;   /* the kernel's thread id */
    uint32_t list; /* the record's place in a doubly linked list of all records */
} js_thread_record;

/* Find the offsets that the process's C library declares for debuggers. JS_ENOTFOUND: it declares none, as
 * other libraries than glibc do. */
int js_thread_record_find(const js_mapped_files *files, js_bytes *bytes, js_thread_record *out);

/* Return the id in the record at this address; 0: that is no record, or the thread has ended. */
uint64_t js_thread_record_read(const js_thread_record *record, js_memory *memory, uint64_t pthread);

#endif
