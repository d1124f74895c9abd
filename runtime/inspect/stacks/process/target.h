/* A process or a core whose stacks are read: its memory, files, compiled code and interpreter. */
#ifndef JS_STACKS_PROCESS_TARGET_H
#define JS_STACKS_PROCESS_TARGET_H

#include "bytes/core/core.h"
#include "bytes/mapped_files.h"
#include "program/session/jit_list.h"
#include "stacks/cpython/threads/thread_record.h"
#include "stacks/process/snapshot.h"
#include "stacks/python.h"
#include "stacks/unwind/unwinder.h"

typedef struct js_stack_target {
    pid_t pid;      /* that of a process, or of a thread of it when its first one has ended; 0: a core */
    bool is_nested; /* it is in another PID namespace than /proc, so that it knows its threads by other ids */
    js_core *core;  /* borrowed; NULL: a process */
    js_bytes process;     /* the process's memory, as it is now */
    js_snapshot snapshot; /* and as it was in the last pause */
    js_bytes *now;        /* borrowed: the process's memory, or the core's */
    js_bytes *paused;     /* borrowed: the snapshot's, or the core's */
    js_mapped_files files;
    js_mappings mappings;
    js_debuginfod debuginfod;
    js_modules modules;
    struct js_program *program;
    struct js_registered *registered;
    uint64_t descriptors[JS_REGISTERED_LISTS];
    size_t ndescriptors;
    uint64_t described; /* address of __jitscope_descriptor (jitscope.h); 0: libjitscope.so is not loaded */
    js_python *python;  /* NULL: there is no interpreter, or python_status says why it cannot be read */
    bool is_running;    /* the process runs while it is read */
    bool is_python_unproven; /* it was begun while the process ran */
    int python_status;
    uint64_t runtime;        /* address of _PyRuntime; 0: there is no interpreter */
    uint32_t version;        /* as js_python_create() takes it */
    js_thread_record record; /* where the C library records threads, if CPython does not record enough */
    size_t loaded;           /* number of the JIT's objects that were decoded since the target was made */
} js_stack_target;

/* Begin with a process, or with a core, which is borrowed. `fetch` is called while a file is fetched. The
 * target's address must not change afterwards. JS_ENOTFOUND: there is no such process; JS_ESYS: it may not be
 * read. The caller calls js_stack_target_deinit after any result. */
int js_stack_target_init_process(js_stack_target *target, pid_t process, js_fetch fetch);
int js_stack_target_init_core(js_stack_target *target, js_core *core, js_fetch fetch);
void js_stack_target_deinit(js_stack_target *target);
/* Read what a running process has mapped and compiled since the last call. JS_EFAULT: it has ended. */
int js_stack_target_update(js_stack_target *target);

/* Begin to read the interpreter, unless that is done. The process rests, because an interpreter that runs may
 * seem to have another version's layout; or it does not, and the caller tries again where python_status is an
 * error. */
void js_stack_target_read_python(js_stack_target *target);
/* Say whether the process runs while it is read. */
void js_stack_target_set_running(js_stack_target *target, bool is_running);
/* Forget what was read of the interpreter, because the process has run, or runs. is_proven: the process
 * rested when the reading began; otherwise that is proved again. */
void js_stack_target_forget_python(js_stack_target *target, bool is_proven);
/* Return an unwinder of the target whose stack is read by `stack`. */
js_unwinder js_stack_target_unwinder(js_stack_target *target, js_bytes *stack);

#endif
