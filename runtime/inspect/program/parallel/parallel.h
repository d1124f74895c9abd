/* Questions about parallel loops, for gdbext/jitscope_gdb/target/target.py and gdbext/jitscope_gdb/threads/.
 *
 * `*out` receives JSON text that the caller frees by js_free(); it is NULL after an error. `memory` reads the
 * target. `descriptor` is the address of __jitscope_descriptor; 0: the one that described functions came
 * with. JS_ENOTFOUND: there is none. */
#ifndef JS_PROGRAM_PARALLEL_PARALLEL_H
#define JS_PROGRAM_PARALLEL_PARALLEL_H

#include "program/model/objects.h"
#include "values/base/value.h"

/* List the parallel regions that the target describes (jitscope.h), each with the workers that are in it now:
 * {"name", "function", "file", "schedule", "line", "nworkers", "begin", "end", "chunk", "workers": [{"thread"
 * (the operating system's id), "level" (0: outermost), "innermost", "chunks", "begin", "end"}]}. */
JS_API int js_program_regions(js_program *program, uint64_t descriptor, js_bytes *memory, char **out);

/* Find the highest word of the stack [sp, limit) that is a return address in compiled code: no frame of
 * compiled code lies beyond *last. JS_ENOTFOUND: there is none, so no compiled function waits for a callee.
 * JS_ELIMIT: not all of the stack can be read, or it is too large. */
JS_API int js_program_last_return(js_program *program, js_bytes *memory, uint64_t sp, uint64_t limit,
                                  uint64_t *last);
/* Like js_program_last_return(), for the functions that `is_meant` is true for. */
typedef bool (*js_function_test_fn)(void *context, const js_function *function);
int js_program_return_to(js_program *program, js_bytes *memory, uint64_t sp, uint64_t limit,
                         js_function_test_fn is_meant, void *context, uint64_t *last);

/* List the launches (jitscope.h) that are running: {"launch", "kernel" (address), "thread" (the operating
 * system's id of the thread that waits for it), "level" (0: outermost), "schedule" (address), "rows",
 * "dimensions" (0: no schedule), "nthreads", "parent", "ended" (iterations of rows that have ended; null: not
 * counted), "workers":
 * [{"thread", "worker" (its number in the pool), "level", "innermost", "chunks" (number that it has begun,
 * with this one), "row", "rows", "schedule" (address of `row`), "begin", "end" (the first dimension's
 * indices: [begin, end)), "place" (its jitscope_waiting as a list; null: it does not wait)}]}. */
JS_API int js_program_launches(js_program *program, uint64_t descriptor, js_bytes *memory, char **out);

/* Describe the reads and writes that the workers of the newest launch have recorded (jitscope.h): {"on",
 * "limit" and "used" (bytes), "launch" (0: nothing is recorded), "name", "file", "line" (of the loop's
 * header), "workers":
 * [{"worker", "thread", "accesses", "lost", "late", "had": [{"array", "kind", "file", "line", "elements",
 * "complete", "ranges": [[[first, last, step] of each axis], …]}]}], "overlaps": [{"array", "first" and
 * "second": {"kind", "file", "line"}, "elements", "indices", "workers": [[first's, second's] of each]}],
 * "complete"}. JS_ENOTFOUND also where the target records nothing. */
JS_API int js_program_records(js_program *program, uint64_t descriptor, js_bytes *memory, char **out);

/* The frame of a kernel that waits, as the program has recorded it. */
typedef struct js_waiting {
    uint64_t pc, sp, kept[6]; /* as in jitscope_waiting */
    uint64_t cfa;             /* canonical frame address */
    uint64_t caller; /* the kernel's return address; the frame is valid if the word below the CFA is this */
} js_waiting;

/* List {"region": as in js_program_chunk(), "variables": as in js_program_locals()} for each of `count`
 * frames; null for a frame that is not valid or not of a parallel kernel. "variables" is null without debug
 * information. */
JS_API int js_program_waiting(js_program *program, const js_waiting *waiting, size_t count, js_bytes *memory,
                              const js_render_options *options, char **out);

#endif
