/* Follows what a coroutine awaits: its frame, that of the coroutine which it awaits, and so on. */
#ifndef JS_STACKS_CPYTHON_TASKS_CHAIN_H
#define JS_STACKS_CPYTHON_TASKS_CHAIN_H

#include <stddef.h>

#include "stacks/cpython/tasks/async_class.h"

struct js_python_frame;
struct js_python_thread;
struct js_python_threads_list;

/* Frames of several tasks, one task's behind the other's. */
typedef struct js_chain_frames {
    struct js_python_frame *items;
    size_t count, capacity;
} js_chain_frames;

/* Append a frame. JS_ENOMEM. */
int js_chain_add(js_chain_frames *frames, const struct js_python_frame *frame);

/* How a chain ends. */
typedef struct js_chain_end {
    uint64_t running; /* address of the frame of the coroutine that runs; 0: none does */
    const char *why;  /* why frames are missing; NULL: none is */
} js_chain_end;

/* Append the frames from the object at `coroutine` on, the innermost one last. Of a coroutine that runs there
 * is no frame. */
int js_chain_follow(js_async_classes *classes, uint64_t coroutine, js_chain_frames *frames,
                    js_chain_end *end);
/* Append the frames of a thread up to the frame `last` of the coroutine that it runs, the innermost one last.
 * JS_ENOTFOUND: none of the interpreter's threads runs it; else *thread is the one that does. */
int js_chain_follow_running(js_async_classes *classes, const struct js_python_threads_list *threads,
                            uint64_t last, js_chain_frames *frames, const struct js_python_thread **thread);

#endif
