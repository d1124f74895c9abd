#include "stacks/process/thread_copy.h"

#include "stacks/python.h"
#include <stdlib.h>

enum {
    FUTEX = 202, /* the number of futex(2) on x86-64 */
    RAX = 0,
    RDI = 5,
    RSP = 7,
    MAX_FRAMES = 100000,
};

/* True for a result of a system call that a stop has interrupted: linux/errno.h, ERESTART… */
static bool is_interrupted(int64_t result)
{
    return result == -512 || result == -513 || result == -514 || result == -516;
}

/* Find where the thread sleeps, which it does until its system call returns. */
static js_python_sleep sleep_of(const js_traced *registers)
{
    js_python_sleep sleep = {0};
    if (registers->called == FUTEX && is_interrupted((int64_t)registers->general[RAX])) {
        sleep.futex = registers->general[RDI];
        sleep.stack = registers->general[RSP];
    }
    return sleep;
}

void js_thread_copy_python(js_thread_copy *copy, js_python *python)
{
    uint64_t pthread = copy->registers.thread_pointer;
    js_python_sleep sleep = sleep_of(&copy->registers);
    copy->python_status = JS_ENOTFOUND;
    if (!python || !copy->is_at_rest) {
        return;
    }
    copy->python_status =
        js_python_frames_json(python, (uint64_t)copy->id, pthread, MAX_FRAMES, NULL, NULL, &copy->python);
    if (copy->python_status == JS_OK) {
        js_python_activity(python, (uint64_t)copy->id, pthread, &sleep, &copy->activity);
    }
}

void js_thread_copy_deinit(js_thread_copy *copy)
{
    js_free(copy->python);
    js_free(copy->activity);
    json_decref(copy->frames);
    json_decref(copy->notes);
    *copy = (js_thread_copy){0};
}
