/* Source: Lib/asyncio/locks.py of CPython 3.9 to 3.15: `_locked` is true from the return of acquire() to the
 * call of release(), which __aexit__() calls. A lock that is free and has waiters goes to the first of them.
 */
#include "stacks/cpython/tasks/task_locks.h"

#include "bytes/vector.h"
#include "layouts/cpython/object.h"
#include "stacks/cpython/frame.h"
#include "stacks/cpython/locks/releasing_code.h"
#include "stacks/cpython/modules/modules.h"
#include "stacks/cpython/tasks/deadline.h"
#include "stacks/cpython/tasks/task_graph.h"

enum {
    TIMED = 8,        /* tasks between two looks at the clock */
    MAX_TASKS = 20000 /* beyond which what more is read would not fit in the copy of the process */
};

typedef struct lock_search {
    js_task_graph *graph;
    js_address_map releases; /* as in js_lock_walk */
    js_address_map places;   /* indices of the locks of the graph, by their addresses */
    size_t node, frame;
} lock_search;

static int add_lock(void *context, const js_lock_statement *statement)
{
    lock_search *self = context;
    js_task_graph *graph = self->graph;
    js_task_lock *grown =
        js_vector_reserve(graph->locks, &graph->lock_capacity, graph->nlocks + 1, sizeof *grown);
    if (!grown) {
        return JS_ENOMEM;
    }
    graph->locks = grown;
    uint32_t other;
    int added = js_address_map_add(&self->places, statement->lock, (uint32_t)graph->nlocks);
    bool is_only = added == 0;
    if (added == 1 && js_address_map_find(&self->places, statement->lock, &other)) {
        grown[other].is_only = false;
    }
    grown[graph->nlocks++] =
        (js_task_lock){.statement = *statement, .node = self->node, .frame = self->frame, .is_only = is_only};
    return added < 0 ? added : JS_OK;
}

/* Find the locks of one task, from its innermost frame outward. */
static int find_locks(lock_search *self, size_t index)
{
    js_task_graph *graph = self->graph;
    js_task_node *node = &graph->nodes[index];
    js_lock_walk walk = {.python = graph->classes.python, .releases = &self->releases};
    int status = JS_OK;
    self->node = index;
    for (size_t i = node->count; i-- > 0 && status == JS_OK;) {
        self->frame = node->first + i;
        status = js_lock_walk_frame(&walk, &graph->frames.items[self->frame], add_lock, self);
    }
    node->is_timed |= walk.is_timed;
    graph->has_all_locks &= status == JS_OK && !node->why;
    return status == JS_ENOMEM ? status : JS_OK;
}

/* Find out whether no code may have released the lock. */
static bool is_certain(const js_task_graph *graph, const js_task_lock *lock)
{
    js_python *python = graph->classes.python;
    uint64_t globals, frame = graph->frames.items[lock->frame].address;
    return graph->has_all_locks &&
           js_memory_read_word(&python->memory, frame + python->offsets.frame_globals, &globals) == JS_OK &&
           !js_may_release(python, lock->statement.lock, globals);
}

/* Find the statement by which a task holds the lock that this one waits for. */
static void find_holder(const lock_search *self, js_task_node *node)
{
    js_task_graph *graph = self->graph;
    js_python *python = graph->classes.python;
    js_python_object object, is_locked;
    uint32_t place;
    if (node->state != JS_TASK_WAITING || !node->wait.is_lock ||
        js_object_read(python->bytes, node->wait.object, &object) || !js_is_asyncio_lock(&object) ||
        js_python_find_attribute(python, &object, "_locked", &is_locked) ||
        is_locked.kind != JS_OBJECT_BOOL) {
        return;
    }
    node->is_free = is_locked.length == 0;
    if (node->is_free || !js_address_map_find(&self->places, object.address, &place)) {
        return;
    }
    js_task_lock *lock = &graph->locks[place];
    if (!lock->is_only || lock->statement.may_be_released) {
        return;
    }
    if (!lock->is_judged) {
        lock->is_certain = is_certain(graph, lock);
        lock->is_judged = true;
    }
    node->holder = lock;
}

int js_task_locks_find(js_task_graph *graph, uint64_t deadline)
{
    lock_search self = {.graph = graph};
    int status = JS_OK;
    graph->has_all_locks = !graph->left_out && !graph->why && graph->count <= MAX_TASKS;
    if (graph->count > MAX_TASKS) {
        return JS_OK;
    }
    for (size_t i = 0; i < graph->count && status == JS_OK; i++) {
        if (i % TIMED == 0 && js_deadline_is_over(deadline)) {
            graph->has_all_locks = false;
            break;
        }
        status = find_locks(&self, i);
    }
    for (size_t i = 0; i < graph->count && status == JS_OK; i++) {
        find_holder(&self, &graph->nodes[i]);
    }
    js_address_map_deinit(&self.releases);
    js_address_map_deinit(&self.places);
    return status;
}
