/* Source: Lib/asyncio/tasks.py and Modules/_asynciomodule.c of CPython 3.9 to 3.15, Lib/_weakrefset.py,
 * Include/cpython/weakrefobject.h. Up to 3.11 `_all_tasks` has weak references to all tasks. Since 3.12
 * `_scheduled_tasks` does, and `_eager_tasks` has those that have not been suspended yet. Since 3.14 tasks of
 * _asyncio are in a list of the thread that made them, or of the interpreter when that thread has ended. */
#include "stacks/cpython/tasks/task_list.h"

#include <stdlib.h>

#include "bytes/vector.h"
#include "stacks/cpython/modules/modules.h"

enum {
    MAX_TASKS = 1 << 18,
    MAX_SLOTS = 1 << 21, /* places of a set */
    REFERENT = 16,       /* PyWeakReference.wr_object */
};

static const char unreadable[] = "the set of tasks cannot be read";

typedef struct listing {
    js_task_list *list;
    js_async_classes *classes;
} listing;

/* Add a task. An object of another class is none: a reference to a task that has ended is to None. */
static int add(void *context, uint64_t address)
{
    const listing *self = context;
    js_task_list *list = self->list;
    js_async_kind kind = js_async_kind_of(self->classes, address);
    if (kind != JS_ASYNC_TASK && kind != JS_ASYNC_PYTHON_TASK) {
        return JS_OK;
    }
    if (list->count == MAX_TASKS) {
        return JS_ELIMIT;
    }
    int added = js_address_map_add(&list->known, address, (uint32_t)list->count);
    if (added) {
        return added < 0 ? added : JS_OK;
    }
    uint64_t *grown = js_vector_reserve(list->items, &list->capacity, list->count + 1, sizeof *grown);
    if (!grown) {
        return JS_ENOMEM;
    }
    list->items = grown;
    grown[list->count++] = address;
    return JS_OK;
}

static int add_referent(void *context, uint64_t reference)
{
    const listing *self = context;
    uint64_t address;
    js_python *python = self->classes->python;
    int status =
        js_memory_read_word(&python->memory, js_python_member(python, reference, REFERENT), &address);
    return status ? status : add(context, address);
}

int js_task_members(js_async_classes *classes, uint64_t container,
                    int (*each)(void *context, uint64_t member), void *context)
{
    js_bytes *bytes = classes->python->bytes;
    js_python_object object;
    uint64_t member, unused, count = 0;
    int status = js_object_read(bytes, container, &object);
    if (status == JS_OK && object.kind != JS_OBJECT_SET && object.kind != JS_OBJECT_LIST) {
        status = JS_EBAD;
    }
    for (uint64_t slot = 0; status == JS_OK && slot < object.slots && slot < MAX_SLOTS; slot++) {
        status = js_object_item(bytes, &object, slot, &member, &unused);
        bool is_member = status == JS_OK && member && member % 8 == 0;
        count += is_member;
        status = is_member ? each(context, member) : status;
    }
    /* A set that is being enlarged does not have all of its members yet. */
    return status || count == object.length ? status : JS_EBAD;
}

/* Add the tasks of a WeakSet, or of a set, that the module has under a name. */
static int add_set(listing *self, const char *name, bool is_weak)
{
    js_python *python = self->classes->python;
    js_python_object module, set;
    int status = js_object_read(python->bytes, self->classes->tasks, &module);
    status = status ? status : js_python_find_attribute(python, &module, name, &set);
    if (status == JS_ENOTFOUND) {
        return JS_OK; /* another version */
    }
    if (status == JS_OK && is_weak) {
        set.address = js_object_attribute(python->bytes, &set, "data");
    }
    status =
        status ? status : js_task_members(self->classes, set.address, is_weak ? add_referent : add, self);
    if (status && status != JS_ENOMEM) {
        self->list->why = self->list->why ? self->list->why : unreadable;
        status = JS_OK;
    }
    return status;
}

/* Add the tasks of a circular list, whose links {next, previous} are in the tasks. */
static int add_links(listing *self, uint64_t head)
{
    js_memory *memory = &self->classes->python->memory;
    uint64_t links[2], node = head, before = head;
    int status = js_memory_read(memory, head, links, sizeof links);
    if (status == JS_OK && links[0] == 0) {
        return JS_OK; /* the thread has no list yet */
    }
    for (size_t i = 0; status == JS_OK && i <= MAX_TASKS; i++) {
        before = node;
        node = links[0];
        bool is_bad = node % 8 || js_memory_read(memory, node, links, sizeof links) || links[1] != before;
        if (is_bad) {
            break;
        }
        if (node == head) {
            return JS_OK;
        }
        status = add(self, node - self->classes->layout.node);
    }
    self->list->why = self->list->why ? self->list->why : "a list of tasks is inconsistent";
    return status == JS_ENOMEM ? status : JS_OK;
}

/* Add the tasks that 3.14 links. */
static int add_linked(listing *self, const js_python_threads_list *threads)
{
    const js_asyncio_layout *layout = &self->classes->layout;
    int status = add_links(self, self->classes->interpreter + layout->interpreter_tasks);
    for (size_t i = 0; status == JS_OK && i < threads->count; i++) {
        const js_python_thread *thread = &threads->threads[i];
        if (thread->interpreter == self->classes->interpreter) {
            status = add_links(self, thread->address + layout->thread_tasks);
        }
    }
    return status;
}

int js_task_list_init(js_task_list *list, js_async_classes *classes, const js_python_threads_list *threads)
{
    listing self = {list, classes};
    *list = (js_task_list){0};
    if (classes->task && !classes->has_layout) {
        list->why = "the layout of the module _asyncio is not known";
    }
    int status = add_set(&self, "_all_tasks", true);
    status = status ? status : add_set(&self, "_scheduled_tasks", true);
    status = status ? status : add_set(&self, "_eager_tasks", false);
    return status || !classes->layout.node ? status : add_linked(&self, threads);
}

void js_task_list_deinit(js_task_list *list)
{
    free(list->items);
    js_address_map_deinit(&list->known);
    *list = (js_task_list){0};
}
