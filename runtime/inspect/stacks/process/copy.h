/* Copies what the stacks of a live process consist of, while its threads rest. */
#ifndef JS_STACKS_PROCESS_COPY_H
#define JS_STACKS_PROCESS_COPY_H

#include "stacks/process/raw_json.h"
#include "stacks/process/target.h"
#include "stacks/process/thread_copy.h"

/* How a process is copied. */
typedef struct js_copy_request {
    bool wants_values; /* variables are read, too, so that the frames are found in the pause */
    bool shows_all;    /* as in js_frames_wanted */
    uint64_t longest;  /* nanoseconds of the pause after which no more variables are read; 0: no limit */
} js_copy_request;

typedef struct js_copy {
    js_thread_copy *threads;
    size_t count;
    js_raw_json values;            /* the values of the frames that were read */
    struct js_python_tasks *tasks; /* NULL: none were read */
    json_t *task_values;           /* their JSON with the variables of their frames; NULL: without */
    char *launches; /* what js_program_launches() gives; NULL: the process does not record parallel loops */
    uint64_t pause; /* nanoseconds that the threads rested, in all pauses */
    bool is_program_current; /* the JIT's objects were those that had been read before */
} js_copy;

/* Copy. The process is stopped by a thread of its own, with whose end the kernel lets go of the process.
 * JS_ENOTFOUND: there is no such process; JS_ESYS: it may not be traced. The caller calls js_copy_deinit
 * after any result. */
int js_copy_init_process(js_copy *copy, js_stack_target *target, const js_copy_request *request);
/* Likewise without a pause: the Python frames of each thread. Those of a thread that has not run meanwhile,
 * by its numbers of context switches, are those of one instant. */
int js_copy_init_running(js_copy *copy, js_stack_target *target);
/* Likewise for the threads of a core, without any pause. */
int js_copy_init_core(js_copy *copy, js_stack_target *target, const js_copy_request *request);
void js_copy_deinit(js_copy *copy);

#endif
