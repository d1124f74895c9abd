/* Finds the locks that tasks hold by `with` and `async with` statements, and who holds those that others wait
 * for. */
#ifndef JS_STACKS_CPYTHON_TASKS_TASK_LOCKS_H
#define JS_STACKS_CPYTHON_TASKS_TASK_LOCKS_H

#include "stacks/cpython/locks/lock_walk.h"

struct js_task_graph;

/* A statement on a lock, whose body a task is in. */
typedef struct js_task_lock {
    js_lock_statement statement;
    size_t node;                /* index of the task */
    size_t frame;               /* index of the frame among those of the graph */
    bool is_only;               /* no other statement of a task is on this lock */
    bool is_judged, is_certain; /* is_certain: no code of the program may have released it */
} js_task_lock;

/* Set the locks of the graph, and `is_timed` and `holder` of its nodes, until `deadline`. JS_ENOMEM. */
int js_task_locks_find(struct js_task_graph *graph, uint64_t deadline);

#endif
