/* Source: Lib/asyncio of CPython 3.9 to 3.15. */
#include "stacks/cpython/tasks/waits.h"

#include <stdio.h>
#include <string.h>

#include "layouts/cpython/object.h"
#include "stacks/cpython/frame.h"
#include "stacks/cpython/symbols.h"

enum {
    LOOKED_AT = 8,    /* innermost frames: those of asyncio are few */
    REFERENCE_TAG = 3 /* pycore_stackref.h 3.14: Py_TAG_BITS */
};

typedef struct wait {
    const char *file, *class, *function; /* class NULL: none */
    const char *kind, *words;
    js_wait_for_tasks tasks;
} wait;

static const wait waits[] = {
    {"locks.py", "Lock", "acquire", "lock", "a lock", JS_WAIT_NOT},
    {"locks.py", "Event", "wait", "event", "an event", JS_WAIT_NOT},
    {"locks.py", "Condition", "wait", "notification", "a notification", JS_WAIT_NOT},
    {"locks.py", "Semaphore", "acquire", "semaphore", "a semaphore", JS_WAIT_NOT},
    {"locks.py", "BoundedSemaphore", "acquire", "semaphore", "a semaphore", JS_WAIT_NOT},
    {"locks.py", "Barrier", "wait", "barrier", "a barrier", JS_WAIT_NOT},
    {"queues.py", "Queue", "get", "item", "an item of a queue", JS_WAIT_NOT},
    {"queues.py", "LifoQueue", "get", "item", "an item of a queue", JS_WAIT_NOT},
    {"queues.py", "PriorityQueue", "get", "item", "an item of a queue", JS_WAIT_NOT},
    {"queues.py", "Queue", "put", "room", "room in a queue", JS_WAIT_NOT},
    {"queues.py", "LifoQueue", "put", "room", "room in a queue", JS_WAIT_NOT},
    {"queues.py", "PriorityQueue", "put", "room", "room in a queue", JS_WAIT_NOT},
    {"queues.py", "Queue", "join", "tasks", "the tasks of a queue", JS_WAIT_NOT},
    {"queues.py", "LifoQueue", "join", "tasks", "the tasks of a queue", JS_WAIT_NOT},
    {"queues.py", "PriorityQueue", "join", "tasks", "the tasks of a queue", JS_WAIT_NOT},
    {"taskgroups.py", "TaskGroup", "__aexit__", "task group", "the tasks of a TaskGroup", JS_WAIT_TASK_GROUP},
    {"taskgroups.py", "TaskGroup", "_aexit", "task group", "the tasks of a TaskGroup", JS_WAIT_TASK_GROUP},
    {"tasks.py", NULL, "sleep", "sleep", "sleep()", JS_WAIT_NOT},
    {"tasks.py", NULL, "_wait", "wait", "asyncio.wait()", JS_WAIT_SEVERAL},
    {"tasks.py", NULL, "wait_for", "wait_for", "wait_for()", JS_WAIT_ONE},
    {"threads.py", NULL, "to_thread", "call", "a call in a thread", JS_WAIT_NOT},
    {"streams.py", "StreamReader", "_wait_for_data", "data", "data of a stream", JS_WAIT_NOT},
    {"streams.py", "FlowControlMixin", "_drain_helper", "drain", "a stream to drain", JS_WAIT_NOT},
    {"streams.py", "StreamReaderProtocol", "_drain_helper", "drain", "a stream to drain", JS_WAIT_NOT},
    {"streams.py", "StreamWriter", "wait_closed", "close", "a stream to close", JS_WAIT_NOT},
    {"base_subprocess.py", "BaseSubprocessTransport", "_wait", "process", "the end of a process",
     JS_WAIT_NOT},
    {"base_subprocess.py", "_UnixSubprocessTransport", "_wait", "process", "the end of a process",
     JS_WAIT_NOT},
    {"base_events.py", "Server", "serve_forever", "server", "the end of a server", JS_WAIT_NOT},
};

bool js_wait_is_asyncio(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    static const char folder[] = "/asyncio";
    size_t length = sizeof folder - 1;
    return slash && (size_t)(slash - file) > length && strncmp(slash - length, folder, length) == 0 &&
           js_cpython_is_library(file);
}

/* Return the object that the first argument of a frame's function is; 0: it is not known. */
static uint64_t first_argument(js_python *python, const js_python_frame *frame)
{
    const js_python_slots *slots;
    uint64_t value, at = frame->address + python->offsets.frame_slots;
    if (js_python_find_slots(python, frame->code, &slots) || slots->count == 0 ||
        !slots->items[0].is_argument || slots->items[0].index != 0 || slots->items[0].cell != JS_NO_SLOT ||
        js_memory_read_word(&python->memory, at, &value)) {
        return 0;
    }
    if (python->offsets.version >= JS_PYTHON_3_14) {
        value = (value & REFERENCE_TAG) == REFERENCE_TAG ? 0 : value & ~(uint64_t)REFERENCE_TAG;
    }
    return value;
}

/* True if the method's object is of this class, for versions in which a code object has no qualified name. */
static bool is_self(js_python *python, const js_python_frame *frame, const char *class)
{
    js_python_object self;
    uint64_t address = first_argument(python, frame);
    return js_object_read(python->bytes, address, &self) == JS_OK &&
           strncmp(self.class_name, "asyncio.", 8) == 0 && strcmp(js_object_last_name(&self), class) == 0;
}

/* Return what a frame of asyncio waits for; NULL: its function does not say. */
static const wait *wait_of(js_python *python, const js_python_frame *frame, const js_python_code *code)
{
    const char *file = strrchr(code->file, '/') + 1;
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        const wait *each = &waits[i];
        bool is_it =
            strcmp(file, each->file) == 0 && code->function && strcmp(code->function, each->function) == 0;
        if (is_it && each->class && python->offsets.version >= JS_PYTHON_3_11) {
            char qualname[96];
            snprintf(qualname, sizeof qualname, "\"qualname\": \"%s.%s\",", each->class, each->function);
            is_it = strstr(code->json, qualname) != NULL;
        } else if (is_it && each->class) {
            is_it = is_self(python, frame, each->class);
        }
        if (is_it) {
            return each;
        }
    }
    return NULL;
}

void js_wait_find(js_python *python, const js_python_frame *frames, size_t count, js_task_wait *out)
{
    const wait *found = NULL;
    *out = (js_task_wait){0};
    for (size_t i = 0; i < count && i < LOOKED_AT; i++) {
        const js_python_frame *frame = &frames[count - 1 - i];
        const js_python_code *code;
        if (js_python_find_code(python, frame->code, &code) || !js_wait_is_asyncio(code->file)) {
            break;
        }
        const wait *each = wait_of(python, frame, code);
        bool is_outer = found && each && each->tasks == JS_WAIT_ONE; /* less is known of it */
        found = each && !is_outer ? each : found;
        if (i == 0 && each) {
            out->tasks = each->tasks;
            out->object = first_argument(python, frame);
            out->is_lock = strcmp(each->kind, "lock") == 0;
        }
        if (out->is_lock) {
            break; /* Condition.wait(), which was notified, waits for the lock */
        }
    }
    out->kind = found ? found->kind : NULL;
    out->words = found ? found->words : NULL;
}
