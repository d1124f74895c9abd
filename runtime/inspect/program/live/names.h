/* Names of JIT-compiled code of a running process, for profilers and other tools: which Python function, file
 * and line is at an address? The process needs no preparation, and is neither traced nor stopped. This header
 * is all that a tool needs, which may load the library by dlopen(); docs/c-library.md has an example.
 *
 * One js_names may be used by one thread at a time. No function prints anything, changes the process, or
 * keeps a file open between calls, except /proc/PID/mem where process_vm_readv(2) is refused. */
#ifndef JS_PROGRAM_LIVE_NAMES_H
#define JS_PROGRAM_LIVE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bytes/status.h"
#include "bytes/text.h"

typedef struct js_names js_names;

/* A frame at an address. The texts are what the process has given: the names without control characters, the
 * path as it is. They belong to the js_names and are valid until the next js_names_update(). */
typedef struct js_names_frame {
    const char *name;      /* name in the source: "foo", "Point.norm"; a parallel kernel: "foo.prange" */
    const char *qualified; /* with its module: "module.Point.norm"; "" if that is not known */
    const char *file;      /* absolute path of the source; "" if the code has no lines */
    uint32_t line;         /* line that the code at the address is of; 0: not known */
    uint32_t first_line;   /* line of the `def`; of a parallel kernel, that of the loop; 0: not known */
    const char *kind;      /* "function", "parfor-kernel", "generator-next", "cpython-wrapper",
                              "cfunc-wrapper", "gufunc-wrapper", "ufunc-wrapper", "generator-finalize", "runtime"
                              (helpers of the compiler), "other"; static storage */
    uint64_t low, high;    /* machine code of the compiled function, [low, high); frames that are inlined in
                              it have the same */
    bool is_inlined;       /* the frame has no call of its own: the next frame's code contains it */
    bool is_line_certain; /* false: code of the compiler's library may have been given this line: the function
                             was compiled without jitscope, and its source is not at hand
                             (js_names_set_flow()) */
} js_names_frame;

/* How to find the caller of a compiled function: its call frame information (DWARF 5, 6.4), without pointers.
 * The memory belongs to the js_names and is valid until the next js_names_update(). */
typedef struct js_names_rules {
    uint64_t low, high;            /* machine code that they describe, [low, high) */
    const uint8_t *initial, *rows; /* the instructions of the CIE, and those of the FDE */
    size_t initial_size, rows_size;
    uint64_t code_alignment;
    int64_t data_alignment;
    uint64_t return_register;
} js_names_rules;

/* A call in machine code. */
typedef struct js_names_call {
    uint64_t after;  /* the address that it returns to */
    uint64_t target; /* the address that it calls; 0: not known, or not always the same */
} js_names_call;

/* What is known at the moment. */
typedef struct js_names_counts {
    size_t objects;   /* objects of compiled code that have been read */
    size_t functions; /* functions in them, the compiler's wrappers and helpers among them */
    size_t added;     /* objects that the last update has added */
    size_t removed;   /* objects that it has removed */
    size_t left_out;  /* objects that could not be read, or are malformed */
    bool has_jit;     /* the process has a library that registers compiled code for debuggers */
    bool is_torn;     /* the process changed its list each time that it was read: update again */
} js_names_counts;

/* Begin to read the process `pid`; the caller releases *out by js_names_destroy(). Nothing is known before
 * the first js_names_update(). JS_ENOTFOUND: there is no such process; JS_ESYS: it may not be read, as errno
 * says (js_access_explain() has the reason in words); JS_ENOMEM. */
JS_API int js_names_create(pid_t pid, js_names **out);
JS_API void js_names_destroy(js_names *names);

/* Read what the process has compiled, and forget what it has freed, since the last update: some 30 ms the
 * first time, then less than 1 ms if nothing has changed. A process without a JIT is no error: it may load
 * one later. After an error, what was known before may be incomplete. JS_ENOTFOUND: the process has ended;
 * JS_ESYS: it may not be read (any more); JS_EFAULT: it has started another program meanwhile, so that the
 * next update begins anew; JS_ENOMEM. */
JS_API int js_names_update(js_names *names);

/* Like js_names_update(), but of the objects that are new read only which code they have, and wholly the one
 * that has the code at this address. Nothing is known of the others then. From the first call on,
 * js_names_update() leaves new objects out, too. */
JS_API int js_names_update_at(js_names *names, uint64_t address);

/* Find the frames at an address as of the last update, innermost inlined code first; the last one is the
 * compiled function itself. Fills `frames` with the first `capacity` of them, and returns how many
 * there are in all; 0: no compiled code is there. For the caller of another frame, pass the return address
 * minus 1. Takes some 1 µs. */
JS_API size_t js_names_at(js_names *names, uint64_t address, js_names_frame *frames, size_t capacity);

/* Find the rules for the caller of the code at an address, as of the last update. JS_ENOTFOUND: no compiled
 * code is there, or nothing describes it. */
JS_API int js_names_rules_at(const js_names *names, uint64_t address, js_names_rules *out);

/* Find the calls in the compiled function with code at an address, as of the last update. Fills `calls` with
 * the first `capacity` of them, and *count with how many there are in all. JS_ENOTFOUND: no compiled code is
 * there; JS_EUNSUP: the code cannot be followed; JS_ELIMIT: it is too large; JS_EFAULT; JS_ENOMEM. */
JS_API int js_names_calls_at(js_names *names, uint64_t address, js_names_call *calls, size_t capacity,
                             size_t *count);

/* Find which of these calls in a function, by the addresses that they return to, is the last one that has run
 * when the function's call runs that returns to `after`, on all ways there. JS_ENOTFOUND: it may be several
 * ones, or none is known; other errors as above. */
JS_API int js_names_call_before(js_names *names, uint64_t after, const uint64_t *calls, size_t ncalls,
                                uint64_t *out);

/* Return what is known at the moment; valid until the next update. */
JS_API const js_names_counts *js_names_counted(const js_names *names);

/* Read code of the process: `size` bytes at `address`. JS_EFAULT. */
JS_API int js_names_read(js_names *names, uint64_t address, void *buffer, size_t size);

/* Set the callback that gives facts of sources (program/source/flow.h), before the first update; NULL: no
 * source is at hand. */
JS_API void js_names_set_flow(js_names *names,
                              int (*flow)(void *context, const char *path, uint32_t line, const char *name,
                                          js_text *out),
                              void *context);

/* Give all functions as JSON (docs/schema/names.json), in order of addresses: {"process", "machine" (EM_… of
 * ELF), "objects", "left_out", "torn", "functions": [{"name", "qualified", "module", "signature", "kind",
 * "file", "line", "low", "high", "linkage_name", "object" (changes when the code is replaced), "ranges":
 * [{"low", "high", "frames": [{"name", "file", "line", "first_line"}]}]}]}. The ranges have the lines, with
 * inlined code innermost first; code without lines has none. The caller frees *out by js_free(). JS_ENOMEM,
 * JS_ELIMIT: more than 1 GiB. */
JS_API int js_names_json(js_names *names, char **out);

#endif
