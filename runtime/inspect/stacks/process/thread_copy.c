#include "stacks/process/thread_copy.h"

#include <stdlib.h>
#include <string.h>

#include "stacks/cpython/threads/thread_name.h"
#include "stacks/python.h"

enum {
    RAX = 0,
    RDI = 5,
    RSP = 7,
    MAX_FRAMES = 100000,
};

js_thread_copy *js_thread_copy_add(js_thread_copy *threads, size_t *count, pid_t id, pid_t own_id)
{
    js_thread_copy *made = &threads[(*count)++];
    *made = (js_thread_copy){.id = id, .own_id = own_id};
    made->registers.called = UINT64_MAX;
    return made;
}

void js_thread_copy_python(js_thread_copy *copy, js_python *python)
{
    uint64_t id = (uint64_t)copy->own_id, pthread = copy->registers.thread_pointer;
    js_python_call call = {.number = copy->registers.called,
                           .result = (int64_t)copy->registers.general[RAX],
                           .argument = copy->registers.general[RDI],
                           .stack = copy->registers.general[RSP]};
    copy->python_status = JS_ENOTFOUND;
    if (!python || !(copy->is_at_rest || copy->is_in_call)) {
        return;
    }
    copy->python_status = js_python_frames_json(python, id, pthread, MAX_FRAMES, NULL, NULL, &copy->python);
    if (copy->python_status == JS_OK) {
        js_python_thread_name(python, copy->python, &copy->python_name);
        js_python_activity(python, id, pthread, &call, &copy->activity);
    }
}

void js_thread_copy_deinit(js_thread_copy *copy)
{
    js_free(copy->python);
    js_free(copy->activity);
    js_free(copy->python_name);
    json_decref(copy->frames);
    json_decref(copy->notes);
    *copy = (js_thread_copy){0};
}
