/* Says in words what a suspended task waits for. */
#ifndef JS_STACKS_CPYTHON_TASKS_WAITS_H
#define JS_STACKS_CPYTHON_TASKS_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct js_python;
struct js_python_frame;

/* Functions of asyncio in which a task waits for other tasks, all of them. */
typedef enum js_wait_for_all { JS_WAIT_NOT, JS_WAIT_TASK_GROUP, JS_WAIT_SEVERAL } js_wait_for_all;

/* Return what a task waits for, "sleep()", "a lock" …, by the functions of asyncio among its innermost
 * frames; `frames` has the innermost one last. NULL: they do not say. *all: whether it waits for other tasks,
 * in the innermost frame. */
const char *js_wait_reason(struct js_python *python, const struct js_python_frame *frames, size_t count,
                           js_wait_for_all *all);

/* True for a file of asyncio itself. */
bool js_wait_is_asyncio(const char *file);

/* Return the object that the first argument of a frame's function is; 0: it is not known. */
uint64_t js_wait_first_argument(struct js_python *python, const struct js_python_frame *frame);

#endif
