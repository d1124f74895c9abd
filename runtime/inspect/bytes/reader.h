/* Reads the target's memory, bounded and counted, from a process, a callback or a buffer. Every reader of
 * this library reads by these functions. */
#ifndef JS_BYTES_READER_H
#define JS_BYTES_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bytes/status.h"

/* Fills `buffer` with the `size` bytes at `address`. Returns JS_OK, or a negative js_status, with `buffer`
 * unspecified. */
typedef int (*js_read_fn)(void *context, uint64_t address, void *buffer, size_t size);

/* A reader. */
typedef struct js_bytes {
    js_read_fn read;
    void *context;
    uint64_t budget; /* bytes that may still be asked for, then JS_ELIMIT; UINT64_MAX: no bound */
    uint64_t
        effort; /* effort that reading may still take (js_question), then JS_ELIMIT; UINT64_MAX: no bound */
    uint64_t reads;               /* number of calls of `read` */
    uint64_t wanted;              /* bytes asked for, whether they could be read or not */
    struct js_cache_lines *lines; /* what the current question has read; NULL: there is no question */
    struct js_watch *watch;       /* ranges whose reads are noted (watch.h); NULL: none */
    const void *data;             /* buffer source; borrowed */
    uint64_t base;                /* buffer source: address of data[0] */
    uint64_t size;                /* buffer source: bytes at data */
    pid_t pid;                    /* process source */
    int fd; /* process source: /proc/PID/mem, for reads that process_vm_readv refuses; -1: not open */
} js_bytes;

/* Begin to read a live process, by process_vm_readv, or by /proc/PID/mem where that is refused. JS_ESYS:
 * neither is allowed; JS_EARG: `pid` is not positive. */
JS_API int js_bytes_init_process(js_bytes *bytes, pid_t pid);
/* Begin to read by a callback, such as a debugger's own reader (which also reads cores). JS_EARG: `read` is
 * NULL. */
JS_API int js_bytes_init_callback(js_bytes *bytes, js_read_fn read, void *context);
/* Begin to read from a buffer: `size` bytes at `data`, which are the target's memory from `base` on. `data`
 * is borrowed. */
JS_API int js_bytes_init_buffer(js_bytes *bytes, uint64_t base, const void *data, size_t size);
/* Close what the reader has opened, and free what it has kept. */
JS_API void js_bytes_deinit(js_bytes *bytes);

/* Like the functions above, with a reader from malloc, for callers that hold only pointers (ctypes).
 * js_bytes_destroy frees it. */
JS_API int js_bytes_create_process(pid_t pid, js_bytes **out);
JS_API int js_bytes_create_callback(js_read_fn read, void *context, js_bytes **out);
JS_API void js_bytes_destroy(js_bytes *bytes);

/* A question: many small reads, during which the target does not run. What is near the bytes that are asked
 * for is read with them, and kept. After `effort` is spent, reads return JS_ELIMIT: a read of the target
 * costs JS_CALL, a read of what is kept costs 1. Questions nest, and each has an effort of its own. */
enum { JS_CALL = 256 };
typedef struct js_question {
    uint64_t effort; /* effort that the question around it had left */
    bool is_outermost;
} js_question;
/* Begin and end a question; every question that was begun is ended. */
JS_API void js_question_begin(js_question *question, js_bytes *bytes, uint64_t effort);
JS_API void js_question_end(const js_question *question, js_bytes *bytes);

/* Read all `size` bytes at `address`, or return an error. Never reads a part only, and never beyond the end
 * of the address space. */
JS_API int js_bytes_read(js_bytes *bytes, uint64_t address, void *buffer, size_t size);
/* Like js_bytes_read(), for elements of an array: what the watch says of elements is noted. */
int js_bytes_read_elements(js_bytes *bytes, uint64_t address, void *buffer, size_t size);
/* One of several ranges that are read at once. */
typedef struct js_piece {
    uint64_t address;
    void *buffer;
    size_t size;
} js_piece;
/* Read the pieces in their order, of a process by one system call for many. *done: the bytes that were read
 * before the first one that cannot be read. JS_EFAULT: there is such a byte. */
int js_bytes_read_pieces(js_bytes *bytes, const js_piece *pieces, size_t count, size_t *done);
/* Read a little-endian unsigned integer of 1, 2, 4 or 8 bytes. */
JS_API int js_bytes_read_uint(js_bytes *bytes, uint64_t address, size_t size, uint64_t *out);
static inline int js_bytes_read_word(js_bytes *bytes, uint64_t address, uint64_t *out)
{
    return js_bytes_read_uint(bytes, address, 8, out);
}
/* Read a NUL-terminated string of at most `capacity` - 1 bytes. JS_ELIMIT: it is longer, and `out` has its
 * beginning with a NUL. */
JS_API int js_bytes_read_string(js_bytes *bytes, uint64_t address, size_t capacity, char *out);

#endif
