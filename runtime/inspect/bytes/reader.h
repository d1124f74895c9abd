/* Bounded and counted reads of the target's memory, over a process, a callback or a buffer. */
#ifndef JS_BYTES_READER_H
#define JS_BYTES_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bytes/status.h"

/* Fill all `size` bytes from `address`, or return a negative js_status and leave `buffer` unspecified. */
typedef int (*js_read_fn)(void *context, uint64_t address, void *buffer, size_t size);

typedef struct js_bytes {
    js_read_fn read;
    void *context;
    uint64_t budget; /* bytes that may still be asked for, then JS_ELIMIT; UINT64_MAX: no bound */
    uint64_t effort; /* that reading may still take (js_question), then JS_ELIMIT; UINT64_MAX: no bound */
    uint64_t reads;  /* calls made */
    uint64_t wanted; /* bytes asked for, whether they came or not */
    struct js_cache_lines *lines; /* what a question has read; NULL: none is asked */
    struct js_watch *watch;       /* what is noted of reads (watch.h); NULL: nothing */
    const void *data;             /* buffer source; borrowed */
    uint64_t base;                /* buffer source: address of data[0] */
    uint64_t size;                /* buffer source: bytes at data */
    pid_t pid;                    /* process source */
    int fd; /* process source: /proc/PID/mem, the way round where process_vm_readv is refused; -1 */
} js_bytes;

/* Live process: process_vm_readv first, /proc/PID/mem where that is refused. JS_ESYS when neither may be
 * used. */
JS_API int js_bytes_init_process(js_bytes *bytes, pid_t pid);
/* Any reader, for example a debugger's own memory (so cores work). */
JS_API int js_bytes_init_callback(js_bytes *bytes, js_read_fn read, void *context);
/* `size` bytes at `data`, which are read as the target's memory from `base`; `data` is borrowed. */
JS_API int js_bytes_init_buffer(js_bytes *bytes, uint64_t base, const void *data, size_t size);
JS_API void js_bytes_deinit(js_bytes *bytes);

/* Readers on the heap, for a caller that only holds pointers (ctypes). */
JS_API int js_bytes_create_process(pid_t pid, js_bytes **out);
JS_API int js_bytes_create_callback(js_read_fn read, void *context, js_bytes **out);
JS_API void js_bytes_destroy(js_bytes *bytes);

/* A question of many small reads, during which the target does not run: what lies around each is read with
 * it. After `effort` its reads are JS_ELIMIT: a call of the target is JS_CALL of it, what has been read
 * before 1. Questions nest; what one has used is not taken from those around it. */
enum { JS_CALL = 256 };
typedef struct js_question {
    uint64_t effort; /* that was left outside of it */
    bool is_outermost;
} js_question;
/* Begin and end a question; every question that was begun is ended. */
JS_API void js_question_begin(js_question *question, js_bytes *bytes, uint64_t effort);
JS_API void js_question_end(const js_question *question, js_bytes *bytes);

/* All `size` bytes or an error; never partial success, never past the address space's end. */
JS_API int js_bytes_read(js_bytes *bytes, uint64_t address, void *buffer, size_t size);
/* As js_bytes_read, for an array's elements: what the watch says of elements is noted. */
int js_bytes_read_elements(js_bytes *bytes, uint64_t address, void *buffer, size_t size);
/* Little-endian unsigned of 1, 2, 4 or 8 bytes. */
JS_API int js_bytes_read_uint(js_bytes *bytes, uint64_t address, size_t size, uint64_t *out);
static inline int js_bytes_read_word(js_bytes *bytes, uint64_t address, uint64_t *out)
{
    return js_bytes_read_uint(bytes, address, 8, out);
}
/* NUL-terminated string of at most `capacity - 1` bytes; JS_ELIMIT when no NUL came by then (out is cut
 * there). */
JS_API int js_bytes_read_string(js_bytes *bytes, uint64_t address, size_t capacity, char *out);

#endif
