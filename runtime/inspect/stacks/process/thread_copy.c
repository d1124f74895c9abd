#include "stacks/process/thread_copy.h"

#include <stdlib.h>
#include <string.h>

#include "stacks/cpython/threads/thread_name.h"
#include "stacks/process/system_calls.h"

enum {
    TIMED_OUT = 110, /* ETIMEDOUT */
    RAX = 0,
    RDI = 5,
    RSP = 7,
    MAX_FRAMES = 100000,
};

/* True for a result of a system call that a stop has interrupted: linux/errno.h, ERESTART… */
static bool is_interrupted(int64_t result)
{
    return result == JS_CALL_INTERRUPTED || result == -513 || result == -514 || result == -516;
}

static bool may_be_at_file(uint64_t called)
{
    return called == JS_CALL_READ || called == JS_CALL_POLL || called == JS_CALL_PPOLL ||
           called == JS_CALL_RESTART;
}

/* Find where the thread sleeps, which it does until its system call returns; or has slept, if `is_over`. */
static js_python_sleep sleep_of(const js_traced *registers, bool is_over)
{
    js_python_sleep sleep = {0};
    int64_t result = (int64_t)registers->general[RAX];
    bool may_sleep = registers->called == JS_CALL_FUTEX || registers->called == JS_CALL_RESTART;
    sleep.is_at_file = !is_over && is_interrupted(result) && may_be_at_file(registers->called);
    if (may_sleep && (is_over ? result == -TIMED_OUT : is_interrupted(result))) {
        sleep.futex = registers->general[RDI];
        sleep.stack = registers->general[RSP];
    }
    return sleep;
}

void js_thread_copy_python(js_thread_copy *copy, js_python *python)
{
    uint64_t id = (uint64_t)copy->own_id, pthread = copy->registers.thread_pointer;
    js_python_sleep sleep = sleep_of(&copy->registers, false), over = sleep_of(&copy->registers, true);
    copy->python_status = JS_ENOTFOUND;
    if (!python || !(copy->is_at_rest || copy->is_in_call)) {
        return;
    }
    copy->python_status = js_python_frames_json(python, id, pthread, MAX_FRAMES, NULL, NULL, &copy->python);
    if (copy->python_status == JS_OK) {
        js_python_thread_name(python, copy->python, &copy->python_name);
    }
    if (copy->python_status == JS_OK && over.futex) {
        /* A thread that waits for the GIL wakes every 5 ms, and goes on waiting. */
        js_python_activity(python, id, pthread, &over, &copy->activity);
        bool waits = copy->activity && strstr(copy->activity, "\"waits\": {\"for\": \"gil\"");
        if (!waits) {
            js_free(copy->activity);
            copy->activity = NULL;
        }
    }
    if (copy->python_status == JS_OK && !copy->activity) {
        js_python_activity(python, id, pthread, &sleep, &copy->activity);
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
