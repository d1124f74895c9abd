/* Goes through the frames of all threads, and of all tasks of asyncio that no thread runs: such a task may
 * keep a lock of threads while it waits. */
#include "stacks/cpython/locks/held_locks.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"
#include "stacks/cpython/frame.h"
#include "stacks/cpython/locks/lock_walk.h"
#include "stacks/cpython/locks/releasing_code.h"
#include "stacks/cpython/tasks/task_graph.h"

enum {
    MAX_FRAMES = 1 << 16 /* frames of all threads; if there are more, no owner of a plain lock is known */
};

/* A thread whose frames are passed. */
typedef struct thread_walk {
    js_lock_walk walk;
    const js_python_thread *thread;
    const js_python_frame *frame;
} thread_walk;

void js_held_locks_deinit(js_held_locks *held)
{
    for (size_t i = 0; i < held->count; i++) {
        free(held->items[i].task);
    }
    free(held->items);
    *held = (js_held_locks){0};
}

static int add(js_python *python, const js_held_lock *item)
{
    js_held_locks *held = &python->held;
    js_held_lock *items = js_vector_reserve(held->items, &held->capacity, held->count + 1, sizeof *items);
    if (!items) {
        return JS_ENOMEM;
    }
    held->items = items;
    held->items[held->count++] = *item;
    return JS_OK;
}

/* ---- threads ---- */

static int add_statement(void *context, const js_lock_statement *statement)
{
    const thread_walk *self = context;
    js_held_lock item = {.lock = statement->lock,
                         .native_id = self->thread->native_id,
                         .pthread = self->thread->pthread,
                         .frame = self->frame->address,
                         .code = self->frame->code,
                         .instruction = self->frame->instruction,
                         .line = statement->line,
                         .may_be_released = statement->may_be_released};
    return statement->is_of_asyncio ? JS_OK : add(self->walk.python, &item);
}

static int add_thread(thread_walk *self, unsigned *left)
{
    js_python_frame frame;
    uint64_t address;
    self->frame = &frame;
    int status = js_python_innermost_frame(self->walk.python, self->thread->address, &address);
    for (; status == JS_OK && address; address = frame.previous) {
        status = *left ? js_python_read_frame(self->walk.python, address, &frame) : JS_ELIMIT;
        if (status == JS_OK && !frame.shim) {
            --*left;
            status = js_lock_walk_frame(&self->walk, &frame, add_statement, self);
        }
    }
    self->frame = NULL;
    return status;
}

/* ---- tasks ---- */

static int add_task_lock(js_python *python, const js_task_graph *graph, const js_task_lock *lock)
{
    const js_task_node *node = &graph->nodes[lock->node];
    const js_python_frame *frame = &graph->frames.items[lock->frame];
    js_held_lock item = {.lock = lock->statement.lock,
                         .native_id = node->thread ? node->thread->native_id : 0,
                         .pthread = node->thread ? node->thread->pthread : 0,
                         .task = strdup(node->task.name),
                         .frame = frame->address,
                         .code = frame->code,
                         .instruction = frame->instruction,
                         .line = lock->statement.line,
                         .may_be_released = lock->statement.may_be_released};
    int status = item.task ? add(python, &item) : JS_ENOMEM;
    if (status) {
        free(item.task);
    }
    return status;
}

/* Add the locks of threads that tasks of an interpreter hold which no thread runs. */
static int add_tasks(js_python *python, const js_python_threads_list *threads, uint64_t interpreter)
{
    js_task_graph graph;
    int status = js_task_graph_init(&graph, python, threads, interpreter, 0);
    python->held.lacks_tasks |= status ? status != JS_ENOTFOUND : !graph.has_all_locks;
    for (size_t i = 0; i < graph.nlocks && status == JS_OK; i++) {
        const js_task_lock *lock = &graph.locks[i];
        bool is_added = lock->statement.is_of_asyncio || graph.nodes[lock->node].state == JS_TASK_RUNNING;
        status = is_added ? JS_OK : add_task_lock(python, &graph, lock);
    }
    js_task_graph_deinit(&graph);
    return status == JS_ENOMEM ? status : JS_OK;
}

static int fill(js_python *python)
{
    js_python_threads_list list;
    js_address_map releases = {0};
    unsigned left = MAX_FRAMES;
    python->held.is_filled = true;
    int status = js_python_list_threads(python, &list);
    if (status) {
        return status;
    }
    status = list.why ? JS_EBAD : JS_OK;
    for (size_t i = 0; status == JS_OK && i < list.count; i++) {
        thread_walk self = {.walk = {.python = python, .releases = &releases}, .thread = &list.threads[i]};
        status = add_thread(&self, &left);
    }
    for (size_t i = 0; status == JS_OK && i < list.count; i++) {
        uint64_t interpreter = list.threads[i].interpreter;
        bool is_next = i == 0 || interpreter != list.threads[i - 1].interpreter;
        status = is_next ? add_tasks(python, &list, interpreter) : JS_OK;
    }
    js_python_threads_list_deinit(&list);
    js_address_map_deinit(&releases);
    return status;
}

static const js_held_locks *held_locks(js_python *python)
{
    if (!python->held.is_filled) {
        python->held.is_complete = fill(python) == JS_OK;
    }
    return &python->held;
}

static bool is_locked(js_python *python, const js_python_object *object)
{
    js_object_lock lock;
    return js_object_lock_read(python->bytes, object, &lock) == JS_OK && lock.is_locked;
}

const js_held_lock *js_held_lock_find(js_python *python, const js_python_object *lock)
{
    const js_held_locks *held = held_locks(python);
    const js_held_lock *found = NULL;
    if (!held->is_complete || !is_locked(python, lock)) {
        return NULL;
    }
    for (size_t i = 0; i < held->count; i++) {
        if (held->items[i].lock == lock->address) {
            if (found) {
                return NULL;
            }
            found = &held->items[i];
        }
    }
    return found && !found->may_be_released ? found : NULL;
}

bool js_held_lock_is_certain(js_python *python, const js_held_lock *held)
{
    js_held_lock *item = &python->held.items[held - python->held.items];
    uint64_t globals;
    if (!item->is_judged) {
        item->is_certain = js_memory_read_word(&python->memory, item->frame + python->offsets.frame_globals,
                                               &globals) == JS_OK &&
                           !js_may_release(python, item->lock, globals) && !python->held.lacks_tasks;
        item->is_judged = true;
    }
    return item->is_certain;
}

const js_held_lock *js_held_rlock_find(js_python *python, uint64_t lock, uint64_t pthread)
{
    const js_held_locks *held = held_locks(python);
    const js_held_lock *found = NULL;
    for (size_t i = 0; i < held->count; i++) {
        if (held->items[i].lock == lock && held->items[i].pthread == pthread && !held->items[i].task) {
            found = &held->items[i];
        }
    }
    return found;
}
