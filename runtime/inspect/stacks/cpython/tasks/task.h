/* Reads one task or future of asyncio. */
#ifndef JS_STACKS_CPYTHON_TASKS_TASK_H
#define JS_STACKS_CPYTHON_TASKS_TASK_H

#include "stacks/cpython/tasks/async_class.h"

typedef struct js_task {
    uint64_t address, loop, coroutine;
    uint64_t waiter; /* the future that it waits for; 0: none */
    char *name;      /* UTF-8 */
    bool is_done;
} js_task;

/* Read a task, which js_async_kind_of() has found to be one. JS_EBAD: it contradicts itself; JS_EUNSUP: the
 * layout of _asyncio is not known. The caller calls js_task_deinit after success. */
int js_task_read(js_async_classes *classes, uint64_t address, js_task *out);
void js_task_deinit(js_task *task);
/* Find out whether a future (a task is one) has its result, or was cancelled. */
int js_future_is_done(js_async_classes *classes, uint64_t address, bool *out);

#endif
