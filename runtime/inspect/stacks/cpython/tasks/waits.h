/* Says in words what a suspended task waits for. */
#ifndef JS_STACKS_CPYTHON_TASKS_WAITS_H
#define JS_STACKS_CPYTHON_TASKS_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct js_python;
struct js_python_frame;

/* Functions of asyncio in which a task waits for other tasks: for all of a TaskGroup, for all or some of
 * wait(), for the one of wait_for(). */
typedef enum js_wait_for_tasks {
    JS_WAIT_NOT,
    JS_WAIT_TASK_GROUP,
    JS_WAIT_SEVERAL,
    JS_WAIT_ONE,
} js_wait_for_tasks;

/* What a task waits for. */
typedef struct js_task_wait {
    const char *kind;        /* "for" of docs/schema/stack.json; NULL: its frames do not say */
    const char *words;       /* "sleep()", "a lock" …; NULL: likewise */
    js_wait_for_tasks tasks; /* by the innermost frame */
    bool is_lock;            /* `object` is the lock that it waits for */
    uint64_t object;         /* the first argument of the innermost frame's function; 0: not known */
} js_task_wait;

/* Find what a task waits for by the functions of asyncio among its innermost frames; `frames` has the
 * innermost one last. */
void js_wait_find(struct js_python *python, const struct js_python_frame *frames, size_t count,
                  js_task_wait *out);

/* True for a file of asyncio itself. */
bool js_wait_is_asyncio(const char *file);

#endif
