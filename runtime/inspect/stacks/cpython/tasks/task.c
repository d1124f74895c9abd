/* Source: Modules/_asynciomodule.c, Lib/asyncio/{tasks,futures}.py of CPython 3.9 to 3.15. */
#include "stacks/cpython/tasks/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layouts/cpython/object.h"
#include "stacks/cpython/interpreter.h"
#include "stacks/cpython/object.h"

enum {
    PENDING = 0, /* fut_state; then cancelled, finished */
    FINISHED = 2,
    DIGIT = 30, /* bits of a digit of an int */
};

/* Give the name of a task. Since 3.12 it is kept as a number until it is asked for. */
static int read_name(js_python *python, uint64_t address, char **out)
{
    char text[JS_PYTHON_NAME_LIMIT + 4];
    js_python_object object;
    uint32_t digits[2] = {0};
    size_t length;
    int status = js_object_read(python->bytes, address, &object);
    if (status == JS_OK && object.kind == JS_OBJECT_STR) {
        status = js_python_read_str(&python->memory, &python->offsets, address, text, &length);
    } else if (status == JS_OK && object.kind == JS_OBJECT_INT && object.length <= 2) {
        status = js_memory_read(&python->memory, object.data, digits, object.length * 4);
        snprintf(text, sizeof text, "Task-%llu", (unsigned long long)digits[1] << DIGIT | digits[0]);
    } else {
        status = status ? status : JS_EBAD;
    }
    *out = status ? NULL : strdup(text);
    return status || *out ? status : JS_ENOMEM;
}

static int check_state(int32_t state, bool *is_done)
{
    *is_done = state != PENDING;
    return state < PENDING || state > FINISHED ? JS_EBAD : JS_OK;
}

static int read_native(js_async_classes *classes, uint64_t address, js_task *out, uint64_t *name)
{
    const js_asyncio_layout *layout = &classes->layout;
    uint8_t bytes[256];
    int32_t state;
    if (!classes->has_layout || layout->size > sizeof bytes) {
        return JS_EUNSUP;
    }
    int status = js_memory_read(&classes->python->memory, address, bytes, layout->size);
    if (status) {
        return status;
    }
    memcpy(&out->loop, bytes + layout->loop, 8);
    memcpy(&out->coroutine, bytes + layout->coroutine, 8);
    memcpy(&out->waiter, bytes + layout->waiter, 8);
    memcpy(&state, bytes + layout->state, 4);
    memcpy(name, bytes + layout->name, 8);
    return check_state(state, &out->is_done);
}

/* Find out whether a future that is written in Python is done. */
static int read_python_state(js_python *python, const js_python_object *object, bool *is_done)
{
    char text[16];
    js_python_object state;
    uint64_t address = js_object_attribute(python->bytes, object, "_state");
    *is_done = false;
    if (!address) {
        return JS_OK; /* its class has the state that it begins with */
    }
    int status = js_object_read(python->bytes, address, &state);
    if (status || !js_object_short(python->bytes, &state, text, sizeof text)) {
        return status ? status : JS_EBAD;
    }
    *is_done = strcmp(text, "PENDING") != 0;
    return JS_OK;
}

static int read_python(js_async_classes *classes, uint64_t address, js_task *out, uint64_t *name)
{
    js_bytes *bytes = classes->python->bytes;
    js_python_object object;
    int status = js_object_read(bytes, address, &object);
    if (status) {
        return status;
    }
    out->loop = js_object_attribute(bytes, &object, "_loop");
    out->coroutine = js_object_attribute(bytes, &object, "_coro");
    out->waiter = js_object_attribute(bytes, &object, "_fut_waiter");
    *name = js_object_attribute(bytes, &object, "_name");
    return read_python_state(classes->python, &object, &out->is_done);
}

int js_task_read(js_async_classes *classes, uint64_t address, js_task *out)
{
    uint64_t name = 0;
    bool is_native = js_async_kind_of(classes, address) == JS_ASYNC_TASK;
    *out = (js_task){.address = address};
    int status =
        is_native ? read_native(classes, address, out, &name) : read_python(classes, address, out, &name);
    if (status == JS_OK && js_async_kind_of(classes, out->waiter) == JS_ASYNC_NONE) {
        out->waiter = 0;
    }
    return status || out->is_done ? status : read_name(classes->python, name, &out->name);
}

void js_task_deinit(js_task *task)
{
    free(task->name);
    *task = (js_task){0};
}

int js_future_is_done(js_async_classes *classes, uint64_t address, bool *out)
{
    js_python *python = classes->python;
    js_python_object object;
    int32_t state;
    int status;
    switch (js_async_kind_of(classes, address)) {
    case JS_ASYNC_TASK:
    case JS_ASYNC_FUTURE:
        if (!classes->has_layout) {
            return JS_EUNSUP;
        }
        status = js_memory_read_int(&python->memory, address + classes->layout.state, &state);
        return status ? status : check_state(state, out);
    case JS_ASYNC_PYTHON_TASK:
    case JS_ASYNC_PYTHON_FUTURE:
        status = js_object_read(python->bytes, address, &object);
        return status ? status : read_python_state(python, &object, out);
    default:
        return JS_EBAD;
    }
}
