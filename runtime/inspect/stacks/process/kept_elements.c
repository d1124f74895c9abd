#include "stacks/process/kept_elements.h"

#include <string.h>

#include "bytes/watch.h"
#include "program/elements/newer_elements.h"
#include "stacks/process/frame_values.h"
#include "stacks/process/pause.h"

enum { MAX_FRAMES = 4096 /* frames of one thread that are looked at, at most */ };

/* Look at the frames of one thread. False: at some only. */
static bool find_in_thread(js_stack_target *target, const js_thread_copy *thread, uint64_t deadline,
                           int *status)
{
    js_unwinder unwinder = js_stack_target_unwinder(target, target->paused);
    js_native_stack stack;
    size_t i = 0;
    bool is_late = false;
    *status = js_native_stack_init(&stack, &unwinder, thread->registers.general);
    for (; *status == JS_OK && i < MAX_FRAMES && !is_late; i++) {
        js_native_stack_at(&stack, i + 1); /* this finds the CFA of the frame before it */
        const js_native_frame *frame = js_native_stack_at(&stack, i);
        if (!frame) {
            break;
        }
        *status = frame->function ? js_frame_values_watch(target->program, target->paused, frame) : JS_OK;
        is_late = deadline && js_pause_clock() > deadline;
    }
    js_native_stack_deinit(&stack);
    return !is_late && i < MAX_FRAMES;
}

int js_kept_elements_find(js_stack_target *target, const js_thread_copy *threads, size_t count,
                          uint64_t deadline)
{
    int status = JS_OK;
    bool is_all = true;
    js_program_forget_pending(target->program);
    for (size_t i = 0; i < count && status == JS_OK && is_all; i++) {
        is_all = !threads[i].is_at_rest || find_in_thread(target, &threads[i], deadline, &status);
    }
    js_watch *watch = js_program_pending(target->program);
    if (status == JS_OK && !is_all) {
        char *label = strdup("elements may be older: not all frames were looked at");
        status = js_watch_add(watch, 0, UINT64_MAX, label);
    }
    js_bytes_set_watch(target->paused, watch);
    return status;
}

void js_kept_elements_forget(js_stack_target *target)
{
    js_bytes_set_watch(target->paused, NULL);
    js_program_forget_pending(target->program);
}
