/* A statement proves that the lock was acquired, but the body may release it: by Condition.wait(), which is
 * recognised, or by a call of release(), which is suspected where a frame's code has that name. Source:
 * Lib/threading.py, Modules/_threadmodule.c, Lib/asyncio/{locks,mixins,timeouts}.py of CPython 3.9 to 3.15.
 */
#include "stacks/cpython/locks/lock_walk.h"

#include <string.h>

#include "layouts/cpython/object.h"
#include "stacks/cpython/frame.h"
#include "stacks/cpython/locks/releasing_code.h"
#include "stacks/cpython/locks/with_blocks.h"
#include "stacks/cpython/modules/modules.h"
#include "stacks/cpython/variables.h"

bool js_is_asyncio_lock(const js_python_object *object)
{
    return strcmp(object->class_name, "asyncio.locks.Lock") == 0;
}

static bool is_lock(const js_python_object *object)
{
    return strcmp(object->class_name, "_thread.lock") == 0 ||
           strcmp(object->class_name, "_thread.RLock") == 0 || js_is_asyncio_lock(object);
}

static bool is_condition(const js_python_object *object)
{
    return strcmp(object->class_name, "threading.Condition") == 0 ||
           strcmp(object->class_name, "asyncio.locks.Condition") == 0;
}

/* Find the lock that `with` an object acquires. JS_ENOTFOUND: none that is known. */
static int find_lock(js_python *python, const js_python_object *manager, js_python_object *out)
{
    *out = *manager;
    if (is_condition(manager)) {
        int status = js_python_find_attribute(python, manager, "_lock", out);
        return status ? status : is_lock(out) ? JS_OK : JS_ENOTFOUND;
    }
    return is_lock(manager) ? JS_OK : JS_ENOTFOUND;
}

/* Find out whether the object is a timeout of asyncio that has a time. */
static int look_for_time(js_lock_walk *walk, const js_python_object *manager)
{
    js_python_object when;
    if (strcmp(manager->class_name, "asyncio.timeouts.Timeout") != 0) {
        return JS_OK;
    }
    int status = js_python_find_attribute(walk->python, manager, "_when", &when);
    walk->is_timed |= status == JS_OK && when.kind != JS_OBJECT_NONE;
    return status == JS_ENOTFOUND ? JS_OK : status;
}

/* ---- what may release a lock ---- */

/* Note the lock that a call of Condition.wait() has released. */
static int note_wait(js_lock_walk *walk, const js_python_frame *frame)
{
    js_python_object object, lock;
    const char *reason;
    uint64_t address;
    int status = js_python_find_variable(walk->python, frame->address, "self", &address, &reason);
    if (status || !address) {
        return status ? status : JS_EBAD;
    }
    status = js_object_read(walk->python->bytes, address, &object);
    status = status ? status : js_python_find_attribute(walk->python, &object, "_lock", &lock);
    if (status) {
        return status == JS_ENOTFOUND ? JS_OK : status; /* Event.wait(), Barrier.wait() */
    }
    if (walk->nwaits == JS_LOCK_WAITS) {
        return JS_ELIMIT;
    }
    walk->waits[walk->nwaits++] = lock.address;
    return JS_OK;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = text ? strlen(text) : 0, wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

/* Note what a frame may do to a lock that an outer frame holds, or that it holds itself. */
static int note_frame(js_lock_walk *walk, const js_python_frame *frame)
{
    const js_python_code *code;
    uint32_t has_release = 0;
    bool names_release = false;
    int status = js_python_find_code(walk->python, frame->code, &code);
    if (status == JS_OK &&
        (ends_with(code->file, "/threading.py") || ends_with(code->file, "/asyncio/locks.py"))) {
        bool is_wait = code->function && strcmp(code->function, "wait") == 0;
        return is_wait ? note_wait(walk, frame) : JS_OK;
    }
    if (status == JS_OK && !walk->has_release &&
        !js_address_map_find(walk->releases, frame->code, &has_release)) {
        status = js_code_names_release(walk->python, frame->code, &names_release);
        has_release = names_release;
        status = status ? status : js_address_map_add(walk->releases, frame->code, has_release);
    }
    walk->has_release |= has_release;
    return status < 0 ? status : JS_OK;
}

/* ---- the statements ---- */

static int pass_block(js_lock_walk *walk, const js_with_block *block,
                      int (*each)(void *context, const js_lock_statement *statement), void *context)
{
    js_python_object lock;
    int status = find_lock(walk->python, &block->manager, &lock);
    if (status) {
        return status == JS_ENOTFOUND ? look_for_time(walk, &block->manager) : status;
    }
    js_lock_statement statement = {.lock = lock.address,
                                   .line = block->line,
                                   .is_of_asyncio = js_is_asyncio_lock(&lock),
                                   .may_be_released = walk->has_release};
    for (unsigned i = 0; i < walk->nwaits; i++) {
        if (walk->waits[i] == lock.address) {
            return JS_OK; /* a thread that stops where wait() has acquired the lock again is not its owner yet
                           */
        }
    }
    return each(context, &statement);
}

int js_lock_walk_frame(js_lock_walk *walk, const js_python_frame *frame,
                       int (*each)(void *context, const js_lock_statement *statement), void *context)
{
    js_with_block blocks[JS_WITH_BLOCKS];
    size_t count;
    int status = note_frame(walk, frame);
    status = status ? status : js_with_blocks_find(walk->python, frame, blocks, JS_WITH_BLOCKS, &count);
    for (size_t i = 0; status == JS_OK && i < count; i++) {
        status = pass_block(walk, &blocks[i], each, context);
    }
    return status;
}
