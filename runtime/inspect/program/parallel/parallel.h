/* What may be asked of parallel loops. */
#ifndef JS_PROGRAM_PARALLEL_PARALLEL_H
#define JS_PROGRAM_PARALLEL_PARALLEL_H

#include "program/model/objects.h"
#include "values/base/value.h"

/* JSON list of the parallel regions that the target describes (jitscope.h), each with the workers that are in
 * it now: {"name", "function", "file", "schedule", "line", "nworkers", "begin", "end", "chunk", "workers":
 * [{"thread" (the kernel's id), "level" (0 outermost), "innermost", "chunks", "begin", "end"}]}.
 * `descriptor`: where
 * __jitscope_descriptor lies; 0: where the functions' was. JS_ENOTFOUND: there is none. */
JS_API int js_program_regions(js_program *program, uint64_t descriptor, js_bytes *memory, char **out);

/* The highest word of the stack [sp, limit) that is an address of compiled code: no frame of compiled code
 * lies beyond. JS_ENOTFOUND: there is none, so that no compiled function is being called from; JS_ELIMIT: not
 * all of it can be read, or it is larger than is looked through. */
JS_API int js_program_last_return(js_program *program, js_bytes *memory, uint64_t sp, uint64_t limit,
                                  uint64_t *last);
/* JSON list of the launches (jitscope.h) that are running: {"launch", "kernel" (address), "thread" (the
 * kernel's id; of the one that waits for it), "level" (0 outermost), "schedule" (address), "rows",
 * "dimensions" (0: no schedule), "nthreads", "parent", "ended" (iterations of rows that are over; null: not
 * counted), "workers": [{"thread", "worker" (its number in the
 * pool), "level", "innermost", "chunks" (begun by it, this one included), "row", "rows", "schedule" (address
 * of `row`), "begin", "end" (the first dimension's indices: [begin, end)), "place" (its jitscope_waiting as a
 * list; null: it does not wait)}]}. `descriptor` and errors as in
 * js_program_regions. */
JS_API int js_program_launches(js_program *program, uint64_t descriptor, js_bytes *memory, char **out);

/* What the workers of the newest launch have recorded of their reads and writes (jitscope.h): {"on", "limit"
 * and "used" (bytes), "launch" (0: nothing is recorded), "name", "file", "line" (of the loop's header),
 * "workers": [{"worker", "thread", "accesses", "lost", "late", "had": [{"array", "kind", "file", "line",
 * "elements", "complete", "ranges": [[[first, last, step] of each axis], …]}]}], "overlaps": [{"array",
 * "first" and "second": {"kind", "file", "line"}, "elements", "indices", "workers": [[first's, second's] of
 * each]}], "complete"}. `descriptor` and errors as in js_program_regions. */
JS_API int js_program_records(js_program *program, uint64_t descriptor, js_bytes *memory, char **out);

/* A kernel's frame, by what the program recorded of it. */
typedef struct js_waiting {
    uint64_t pc, sp, kept[6]; /* jitscope_waiting */
    uint64_t cfa;
    uint64_t caller; /* where the kernel returns to: the frame is believed where that lies below the CFA */
} js_waiting;

/* JSON list of {"region": as js_program_chunk's, "variables": as js_program_locals's}; null for a frame that
 * is not believed, or of no parallel kernel; "variables" null: it has no debug information. */
JS_API int js_program_waiting(js_program *program, const js_waiting *waiting, size_t count, js_bytes *memory,
                              const js_render_options *options, char **out);

#endif
