/* Goes through the frames of all threads. A statement proves that the lock was acquired, but the body may
 * release it: by Condition.wait(), which is recognised, or by a call of release(), which is suspected where a
 * frame's code has that name. Source: Lib/threading.py, Modules/_threadmodule.c of CPython 3.9 to 3.15. */
#include "stacks/cpython/locks/held_locks.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"
#include "stacks/cpython/frame.h"
#include "stacks/cpython/locks/releasing_code.h"
#include "stacks/cpython/locks/with_blocks.h"
#include "stacks/cpython/modules/modules.h"
#include "stacks/cpython/object.h"
#include "stacks/cpython/variables.h"

enum {
    MAX_FRAMES = 1 << 16, /* frames of all threads; if there are more, no owner of a plain lock is known */
    MAX_WAITS = 16,       /* nested calls of Condition.wait() of one thread */
};

/* What the frames of a thread that were passed, from the innermost on, say about those outside of them. */
typedef struct thread_walk {
    js_python *python;
    const js_python_thread *thread;
    js_address_map *releases;  /* 1 for code with the name release, else 0 */
    uint64_t waits[MAX_WAITS]; /* locks that a call of Condition.wait() has released */
    unsigned nwaits;
    bool has_release;
} thread_walk;

void js_held_locks_deinit(js_held_locks *held)
{
    free(held->items);
    *held = (js_held_locks){0};
}

static bool is_lock(const js_python_object *object)
{
    return strcmp(object->class_name, "_thread.lock") == 0 ||
           strcmp(object->class_name, "_thread.RLock") == 0;
}

/* Find the lock that `with` an object acquires; *out 0: none that is known. */
static int find_lock(js_python *python, const js_python_object *manager, uint64_t *out)
{
    js_python_object lock;
    *out = is_lock(manager) ? manager->address : 0;
    if (*out || strcmp(manager->class_name, "threading.Condition") != 0) {
        return JS_OK;
    }
    int status = js_python_find_attribute(python, manager, "_lock", &lock);
    *out = status == JS_OK && is_lock(&lock) ? lock.address : 0;
    return status;
}

/* ---- what may release a lock ---- */

/* Note the lock that a call of Condition.wait() has released. */
static int note_wait(thread_walk *self, const js_python_frame *frame)
{
    js_python_object object, lock;
    const char *reason;
    uint64_t address;
    int status = js_python_find_variable(self->python, frame->address, "self", &address, &reason);
    if (status || !address) {
        return status ? status : JS_EBAD;
    }
    status = js_object_read(self->python->bytes, address, &object);
    status = status ? status : js_python_find_attribute(self->python, &object, "_lock", &lock);
    if (status) {
        return status == JS_ENOTFOUND ? JS_OK : status; /* Event.wait(), Barrier.wait() */
    }
    if (self->nwaits == MAX_WAITS) {
        return JS_ELIMIT;
    }
    self->waits[self->nwaits++] = lock.address;
    return JS_OK;
}

/* Note what a frame may do to a lock that an outer frame holds, or that it holds itself. */
static int note_frame(thread_walk *self, const js_python_frame *frame)
{
    static const char threading[] = "/threading.py";
    const js_python_code *code;
    uint32_t has_release = 0;
    bool names_release = false;
    int status = js_python_find_code(self->python, frame->code, &code);
    size_t length = status == JS_OK && code->file ? strlen(code->file) : 0;
    if (length >= sizeof threading - 1 &&
        strcmp(code->file + length - (sizeof threading - 1), threading) == 0) {
        bool is_wait = code->function && strcmp(code->function, "wait") == 0;
        return is_wait ? note_wait(self, frame) : JS_OK;
    }
    if (status == JS_OK && !self->has_release &&
        !js_address_map_find(self->releases, frame->code, &has_release)) {
        status = js_code_names_release(self->python, frame->code, &names_release);
        has_release = names_release;
        status = status ? status : js_address_map_add(self->releases, frame->code, has_release);
    }
    self->has_release |= has_release;
    return status < 0 ? status : JS_OK;
}

/* ---- the statements ---- */

static int add_statement(thread_walk *self, const js_python_frame *frame, const js_with_block *block)
{
    js_held_locks *held = &self->python->held;
    uint64_t lock;
    int status = find_lock(self->python, &block->manager, &lock);
    if (status || !lock) {
        return status;
    }
    js_held_lock *items = js_vector_reserve(held->items, &held->capacity, held->count + 1, sizeof *items);
    if (!items) {
        return JS_ENOMEM;
    }
    bool is_released = self->has_release;
    for (unsigned i = 0; i < self->nwaits; i++) {
        is_released |= self->waits[i] == lock;
    }
    held->items = items;
    held->items[held->count++] = (js_held_lock){.lock = lock,
                                                .native_id = self->thread->native_id,
                                                .pthread = self->thread->pthread,
                                                .frame = frame->address,
                                                .code = frame->code,
                                                .instruction = frame->instruction,
                                                .line = block->line,
                                                .may_be_released = is_released};
    return JS_OK;
}

static int add_frame(thread_walk *self, const js_python_frame *frame)
{
    js_with_block blocks[JS_WITH_BLOCKS];
    size_t count;
    int status = note_frame(self, frame);
    status = status ? status : js_with_blocks_find(self->python, frame, blocks, JS_WITH_BLOCKS, &count);
    for (size_t i = 0; status == JS_OK && i < count; i++) {
        status = add_statement(self, frame, &blocks[i]);
    }
    return status;
}

static int add_thread(thread_walk *self, unsigned *left)
{
    js_python_frame frame;
    uint64_t address;
    int status = js_python_innermost_frame(self->python, self->thread->address, &address);
    for (; status == JS_OK && address; address = frame.previous) {
        status = *left ? js_python_read_frame(self->python, address, &frame) : JS_ELIMIT;
        if (status == JS_OK && !frame.shim) {
            --*left;
            status = add_frame(self, &frame);
        }
    }
    return status;
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
        thread_walk walk = {.python = python, .thread = &list.threads[i], .releases = &releases};
        status = add_thread(&walk, &left);
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
                           !js_may_release(python, item->lock, globals);
        item->is_judged = true;
    }
    return item->is_certain;
}

const js_held_lock *js_held_rlock_find(js_python *python, uint64_t lock, uint64_t pthread)
{
    const js_held_locks *held = held_locks(python);
    const js_held_lock *found = NULL;
    for (size_t i = 0; i < held->count; i++) {
        if (held->items[i].lock == lock && held->items[i].pthread == pthread) {
            found = &held->items[i];
        }
    }
    return found;
}
