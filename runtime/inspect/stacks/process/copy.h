/* Copies what the stacks of a live process consist of, while its threads rest. */
#ifndef JS_STACKS_PROCESS_COPY_H
#define JS_STACKS_PROCESS_COPY_H

#include "program/session/registered.h"
#include "stacks/process/snapshot.h"
#include "stacks/process/thread_frames.h"

/* What is copied from, all borrowed. */
typedef struct js_copy_source {
    pid_t pid;
    js_snapshot *memory; /* receives the copies; js_python and js_modules read it, too */
    js_modules *modules;
    js_program *program;
    js_python *python; /* NULL: there is no interpreter */
    js_registered *registered;
    bool wants_values; /* variables are read, too, so that the frames are found in the pause */
    bool shows_all;    /* of these frames, as in js_frames_wanted */
    uint64_t longest;  /* nanoseconds of the pause after which no more variables are read */
} js_copy_source;

typedef struct js_copy {
    js_thread_copy *threads;
    size_t count;
    uint64_t pause;          /* nanoseconds that the threads rested */
    bool is_program_current; /* the JIT's objects were those that had been read before */
} js_copy;

/* Copy. The process is stopped by a thread of its own, with whose end the kernel lets go of the process.
 * JS_ENOTFOUND: there is no such process; JS_ESYS: it may not be traced. The caller calls js_copy_deinit
 * after any result. */
int js_copy_init(js_copy *copy, const js_copy_source *source);
void js_copy_deinit(js_copy *copy);

#endif
