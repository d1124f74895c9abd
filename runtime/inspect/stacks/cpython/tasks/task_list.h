/* Lists the tasks that asyncio knows. */
#ifndef JS_STACKS_CPYTHON_TASKS_TASK_LIST_H
#define JS_STACKS_CPYTHON_TASKS_TASK_LIST_H

#include <stddef.h>

#include "stacks/cpython/tasks/async_class.h"

struct js_python_threads_list;

/* Addresses of tasks, each once. */
typedef struct js_task_list {
    uint64_t *items;
    size_t count, capacity;
    js_address_map known; /* places in `items` */
    const char *why;      /* why tasks may be missing; NULL: none is */
} js_task_list;

/* List the tasks of an interpreter, done ones, too. The caller calls js_task_list_deinit after any result. */
int js_task_list_init(js_task_list *list, js_async_classes *classes,
                      const struct js_python_threads_list *threads);
void js_task_list_deinit(js_task_list *list);

/* Call `each` with the members of a set or list; it returns a status. JS_EBAD: it is no such object, or
 * is being changed. */
int js_task_members(js_async_classes *classes, uint64_t container,
                    int (*each)(void *context, uint64_t member), void *context);

#endif
