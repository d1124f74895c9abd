/* All stacks of a live process or a core, without a debugger. Called by the command `jitscope stack`, by
 * ctypes. */
#ifndef JS_STACKS_API_STACKS_H
#define JS_STACKS_API_STACKS_H

#include <sys/types.h>

#include "array_reports/array_report.h"
#include "bytes/core/core.h"
#include "program/model/objects.h"

typedef struct js_stacks js_stacks;

/* What is wanted of the stacks. */
typedef struct js_stacks_request {
    int shows_all;     /* wrappers, and frames of the interpreter, the dispatcher and the pools, too */
    int wants_values;  /* the variables of each frame, which are read while the process rests */
    uint64_t longest;  /* nanoseconds of the pause after which no more variables are read */
    int without_pause; /* the process is not stopped: only Python frames are read, without their variables */
} js_stacks_request;

/* Prepare: read what does not change often (mapped files, the interpreter, the JIT's objects), without
 * stopping the process. `fetch` is called, by the thread that calls a function here, while a missing file or
 * its debug information is fetched from debuginfod. The caller releases *out by js_stacks_destroy.
 * JS_ENOTFOUND: there is no such process; JS_ESYS: it may not be read. */
JS_API int js_stacks_create(pid_t pid, js_fetch fetch, js_stacks **out);
/* Likewise for a core, an open file that the caller may close afterwards. Errors as in js_core_create(). */
JS_API int js_stacks_create_core(int fd, js_fetch fetch, js_stacks **out);
/* Likewise for a process that answers reads over a socket, as js_core_create_served() takes it. */
JS_API int js_stacks_create_served(int fd, const void *head, size_t size, js_stacks **out);
JS_API void js_stacks_destroy(js_stacks *stacks);

/* Set the callback that gives the flows of sources, which variables of code without the hook need; NULL: no
 * source is known. Call this before the first js_stacks_take(). */
JS_API void js_stacks_set_flow(js_stacks *stacks, js_flow_fn flow, void *context);

/* Stop all threads of the process for some milliseconds, copy what their stacks consist of, let them run on,
 * and give the stacks as JSON (docs/schema/stack.json). The caller frees *out with js_free. JS_ENOTFOUND: the
 * process has ended; JS_ESYS: it may not be traced. */
JS_API int js_stacks_take(js_stacks *stacks, const js_stacks_request *request, char **out);

/* Explain the fault of a core's first thread by the arrays of its innermost compiled frame, as
 * js_program_explain_fault() does with these texts. JS_ENOTFOUND: the thread has received no fault, or no
 * array explains it. The caller frees *out with js_free. */
JS_API int js_stacks_explain_fault(js_stacks *stacks, const char *subscripts, const char *maps, char **out);

/* Describe an array of a compiled frame of a core's first thread, as js_program_array() does. `number`: of
 * the frame among those of the source's compiled functions, from the innermost one, which is 0. Call this
 * after js_stacks_take(). JS_ENOTFOUND: there is no such frame. The caller frees *out with js_free. */
JS_API int js_stacks_array(js_stacks *stacks, unsigned number, const char *expression,
                           const js_array_request *request, js_progress_fn progress, void *context,
                           char **out);

/* Give the text of code that was compiled from no file, as js_python_source() does. Call this after
 * js_stacks_take(). The caller frees *out with js_free. */
JS_API int js_stacks_source(js_stacks *stacks, const char *name, char **out);

/* Give the value that a module of the first interpreter has under a name, as JSON: of a process
 * that runs, as it is now. Call this after js_stacks_take(). JS_ENOTFOUND: there is no such module or name,
 * or no interpreter; JS_EBAD: JSON cannot say the value. The caller frees *out with js_free. */
JS_API int js_stacks_global(js_stacks *stacks, const char *module, const char *name, char **out);

#endif
