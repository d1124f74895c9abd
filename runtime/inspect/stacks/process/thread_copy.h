/* What is kept of a thread of a process that rests: its registers, and its Python frames. */
#ifndef JS_STACKS_PROCESS_THREAD_COPY_H
#define JS_STACKS_PROCESS_THREAD_COPY_H

#include <jansson.h>

#include "bytes/traced.h"

struct js_python;

/* What the frames say about pools of threads, which run the parallel loops of compiled code. */
typedef struct js_pool_frames {
    bool is_inside;    /* the innermost Python or compiled function, if there is one, has called a pool */
    bool is_called;    /* it is compiled, so that the pool runs its parallel loop */
    bool has_function; /* there is such a function */
    const char *layer; /* layer of the pool that it is in: "workqueue", "omp", "tbb"; NULL: not known */
} js_pool_frames;

typedef struct js_thread_copy {
    pid_t id;
    pid_t own_id; /* by which the thread knows itself, in its own PID namespace; 0: not known */
    char name[32];
    char state;       /* before the rest: 'R', 'S' …; 0: not known */
    bool is_at_rest;  /* false: it has no registers */
    bool is_in_call;  /* it has not answered, and stops before its system call returns: its Python frames stay
                       */
    bool is_unpaused; /* it was read without a pause: there are only Python frames, and no registers */
    bool is_unproven; /* it ran meanwhile, so that its frames may be those of several instants */
    js_traced registers;
    int python_status;      /* that of js_python_frames_json() */
    char *python;           /* its JSON; NULL: the interpreter does not know the thread */
    char *activity;         /* that of js_python_activity() */
    char *python_name;      /* the name of its threading.Thread; NULL: it has none */
    json_t *frames, *notes; /* as js_thread_frames() gives them, if they were made in the pause; else NULL */
    js_pool_frames pool;    /* the pool's frames */
    bool is_partial;        /* the pause was over before all were made: `frames` has the innermost ones */
} js_thread_copy;

/* Add a thread to those that are copied, where there is room for one more, and return it. */
js_thread_copy *js_thread_copy_add(js_thread_copy *threads, size_t *count, pid_t id, pid_t own_id);
/* Read the thread's Python frames and its activity; `python` may be NULL. The thread runs no code of its own.
 */
void js_thread_copy_python(js_thread_copy *copy, struct js_python *python);
void js_thread_copy_deinit(js_thread_copy *copy);

#endif
