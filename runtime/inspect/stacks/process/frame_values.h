/* The variables of the frames of a process that rests. */
#ifndef JS_STACKS_PROCESS_FRAME_VALUES_H
#define JS_STACKS_PROCESS_FRAME_VALUES_H

#include <jansson.h>

#include "array_reports/array_report.h"
#include "bytes/traced.h"
#include "stacks/process/raw_json.h"
#include "stacks/unwind/native_stack.h"

struct js_program;
struct js_python;

typedef struct js_frame_values {
    struct js_program *program;
    struct js_python *python; /* NULL: there is no interpreter */
    js_bytes *memory;
    js_raw_json *raw;          /* keeps the texts of the values */
    uint64_t deadline;         /* CLOCK_MONOTONIC in nanoseconds, after which nothing more is read; 0: none */
    js_traced_vectors vectors; /* registers of the thread's innermost frame */
    bool has_vectors;
} js_frame_values;

/* What is asked of a fault: its address, and what js_program_explain_fault() takes. */
typedef struct js_fault_asked {
    uint64_t address;
    const char *subscripts, *maps; /* NULL: not known */
} js_fault_asked;

/* What is asked of an array: what js_program_array() takes, and the depth (js_frame). */
typedef struct js_array_asked {
    const char *expression;
    const js_array_request *request;
    js_progress_fn progress;
    void *context;
    unsigned depth;
} js_array_asked;

/* True if the deadline has passed. */
bool js_frame_values_is_late(const js_frame_values *values);

/* Add "arguments" and "locals", lists as in docs/schema/locals.json, to the entry of a compiled frame, or of
 * inlined code at this depth (js_frame) of it. Code without descriptions of its variables gets empty
 * "arguments" alone. JS_ENOMEM.
 */
int js_frame_values_compiled(js_frame_values *values, const js_native_frame *frame, unsigned depth,
                             json_t *entry);
/* Likewise for the Python frame at this address. */
int js_frame_values_python(js_frame_values *values, uint64_t address, json_t *entry);
/* Add empty "arguments" to the entry of a frame whose arguments are not known. JS_ENOMEM. */
int js_frame_values_none(json_t *entry);

/* Note what elements the frame's code may keep in registers (js_program_watch_pending). JS_ENOMEM. */
int js_frame_values_watch(struct js_program *program, js_bytes *memory, const js_native_frame *frame);

/* Explain the fault of a thread at its innermost compiled frame, as js_program_explain_fault() does. `memory`
 * reads the stack. */
int js_frame_values_fault(struct js_program *program, js_bytes *memory, const js_native_frame *frame,
                          const js_fault_asked *asked, char **out);

/* Describe an array of the frame, as js_program_array() does. `memory` reads the stack. */
int js_frame_values_array(struct js_program *program, js_bytes *memory, const js_native_frame *frame,
                          const js_array_asked *asked, char **out);

/* Add "chunk", the iterations that the frame of a parallel kernel was given: [[first, last] of each
 * dimension]. Nothing is added where they are not known. `memory` reads the stack. JS_ENOMEM. */
int js_frame_values_chunk(struct js_program *program, js_bytes *memory, const js_native_frame *frame,
                          json_t *entry);

#endif
