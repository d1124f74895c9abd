/* Finds circles of tasks of asyncio. Each task of a circle awaits the next one, or a lock that the next one
 * holds, so that none goes on unless one is cancelled. */
#ifndef JS_STACKS_CPYTHON_TASKS_TASK_CIRCLES_H
#define JS_STACKS_CPYTHON_TASKS_TASK_CIRCLES_H

#include "bytes/text.h"
#include "stacks/cpython/tasks/task_graph.h"

/* Append the circles as lists of numbers, each of them preceded by ", " unless it is the first that `out`
 * gets (*is_first): those of the nodes, and `before` is added to each. Nodes from `shown` on are left out.
 * asyncio's wait() may end when one of several tasks is done, and is no part of a circle. A wait that
 * ends at a time is none, either. JS_ENOMEM. */
int js_task_circles_put(const js_task_graph *graph, size_t shown, size_t before, bool *is_first,
                        js_text *out);

#endif
