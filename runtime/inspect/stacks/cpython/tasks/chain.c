/* Source: Objects/genobject.c: ags_gen, agt_gen and cw_coroutine are the first members of their objects; so
 * is `wrapped` of Objects/iterobject.c. */
#include "stacks/cpython/tasks/chain.h"

#include "bytes/vector.h"
#include "stacks/cpython/frame.h"
#include "stacks/cpython/tasks/generator.h"

enum {
    FIRST_MEMBER = 16,
    MAX_CHAIN = 10000, /* objects that await each other; a circle of corrupt memory ends there, too */
    MAX_WALK = 100000, /* frames of a thread */
};

int js_chain_add(js_chain_frames *frames, const js_python_frame *frame)
{
    js_python_frame *grown =
        js_vector_reserve(frames->items, &frames->capacity, frames->count + 1, sizeof *grown);
    if (!grown) {
        return JS_ENOMEM;
    }
    frames->items = grown;
    grown[frames->count++] = *frame;
    return JS_OK;
}

/* Add the frame of the generator at *address, which then is what the generator awaits; 0: nothing. */
static int follow_generator(js_python *python, uint64_t *address, js_chain_frames *frames, js_chain_end *end)
{
    js_generator generator;
    js_python_frame frame;
    int status = js_generator_read(python, *address, &generator);
    *address = 0;
    if (status) {
        end->why = "a coroutine cannot be read";
        return JS_OK;
    }
    if (generator.state == JS_GENERATOR_RUNNING) {
        end->running = generator.frame;
        return JS_OK;
    }
    *address = generator.awaited;
    if (generator.state == JS_GENERATOR_FINISHED) {
        return JS_OK;
    }
    status = js_python_read_frame(python, generator.frame, &frame);
    return status ? status : js_chain_add(frames, &frame);
}

int js_chain_follow(js_async_classes *classes, uint64_t coroutine, js_chain_frames *frames, js_chain_end *end)
{
    uint64_t address = coroutine;
    size_t first = frames->count;
    *end = (js_chain_end){0};
    for (unsigned i = 0; address; i++) {
        js_async_kind kind = js_async_kind_of(classes, address);
        int status = JS_OK;
        if (i == MAX_CHAIN) {
            end->why = "there are too many frames";
            return JS_OK;
        }
        if (kind == JS_ASYNC_GENERATOR) {
            status = follow_generator(classes->python, &address, frames, end);
        } else if (kind != JS_ASYNC_WRAPPER) {
            end->why = i ? NULL : "its coroutine is of a class that is not known";
            return JS_OK;
        } else if (js_memory_read_word(&classes->python->memory,
                                       js_python_member(classes->python, address, FIRST_MEMBER), &address)) {
            end->why = "a coroutine cannot be read";
            return JS_OK;
        }
        if (status) {
            return status;
        }
    }
    end->running = frames->count == first ? end->running : 0; /* another one runs what this one awaits */
    return JS_OK;
}

/* Append the frames from a thread's innermost one to `last`, which is found first. JS_ENOTFOUND: the thread
 * does not run it. */
static int follow_thread(js_python *python, uint64_t thread, uint64_t last, js_chain_frames *frames)
{
    uint64_t address;
    size_t first = frames->count;
    int status = js_python_innermost_frame(python, thread, &address);
    js_python_frame frame = {0};
    for (unsigned i = 0; status == JS_OK && frame.address != last; i++, address = frame.previous) {
        bool is_end = address == 0 || i == MAX_WALK;
        status = is_end ? JS_ENOTFOUND : js_python_read_frame(python, address, &frame);
        status = status || frame.shim ? status : js_chain_add(frames, &frame);
    }
    if (status) {
        frames->count = first;
        return status;
    }
    for (size_t from = first, to = frames->count - 1; from < to; from++, to--) {
        js_python_frame kept = frames->items[from];
        frames->items[from] = frames->items[to];
        frames->items[to] = kept;
    }
    return JS_OK;
}

int js_chain_follow_running(js_async_classes *classes, const js_python_threads_list *threads, uint64_t last,
                            js_chain_frames *frames, const js_python_thread **thread)
{
    for (size_t i = 0; i < threads->count; i++) {
        *thread = &threads->threads[i];
        int status = (*thread)->interpreter == classes->interpreter
                         ? follow_thread(classes->python, (*thread)->address, last, frames)
                         : JS_ENOTFOUND;
        if (status == JS_OK || status == JS_ENOMEM) {
            return status;
        }
    }
    *thread = NULL;
    return JS_ENOTFOUND;
}
