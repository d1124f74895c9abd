/* The tasks of one interpreter that are not done: what each does, its frames, and which await each other. */
#ifndef JS_STACKS_CPYTHON_TASKS_TASK_GRAPH_H
#define JS_STACKS_CPYTHON_TASKS_TASK_GRAPH_H

#include "bytes/status.h"
#include "stacks/cpython/tasks/chain.h"
#include "stacks/cpython/tasks/task.h"
#include "stacks/cpython/tasks/task_list.h"
#include "stacks/cpython/tasks/task_locks.h"
#include "stacks/cpython/tasks/waits.h"

typedef enum js_task_state { JS_TASK_NEW, JS_TASK_READY, JS_TASK_RUNNING, JS_TASK_WAITING } js_task_state;

typedef struct js_task_node {
    js_task task;
    js_task_state state;
    const struct js_python_thread *thread; /* that runs its loop; NULL: not known, or none does */
    size_t first, count;                   /* its frames, the innermost last */
    const char *why;                       /* why frames are missing; NULL: none is */
    js_task_wait wait;
    bool is_gathering; /* it waits for the `awaited` objects of asyncio.gather() */
    size_t awaited;
    bool is_timed;              /* it waits until a time at most */
    bool is_free;               /* no task holds the lock that it waits for */
    const js_task_lock *holder; /* the statement by which a task holds it; NULL: not known */
} js_task_node;

/* One task awaits another, or a lock that it holds; indices of nodes. */
typedef struct js_task_edge {
    uint32_t waiting, awaited;
    bool is_lock;
} js_task_edge;

typedef struct js_task_graph {
    js_async_classes classes;
    js_chain_frames frames;
    js_task_node *nodes; /* by thread and name */
    size_t count, capacity;
    js_address_map places; /* indices of the nodes, by the addresses of their tasks */
    js_task_edge *edges;   /* by the awaited one */
    size_t nedges, edge_capacity;
    js_task_lock *locks;
    size_t nlocks, lock_capacity;
    bool has_all_locks; /* no frame was left out */
    size_t left_out;    /* tasks that were not read, because the time was over */
    const char *why;    /* why tasks may be missing; NULL: none is */
} js_task_graph;

/* Read the tasks of an interpreter, until `deadline` (nanoseconds of CLOCK_MONOTONIC; 0: none). JS_ENOTFOUND:
 * it has not imported asyncio. The caller calls js_task_graph_deinit after any result. */
int js_task_graph_init(js_task_graph *graph, struct js_python *python,
                       const struct js_python_threads_list *threads, uint64_t interpreter, uint64_t deadline);
void js_task_graph_deinit(js_task_graph *graph);

#endif
