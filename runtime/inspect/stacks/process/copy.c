#include "stacks/process/copy.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "stacks/process/pause.h"

enum {
    RED_ZONE = 128,         /* bytes below the stack pointer that a function may use (psABI 1.0, 3.2.2) */
    MAX_STACK = 8 << 20,    /* bytes of one stack that are copied */
    MAX_STACKS = 512 << 20, /* of all */
    RSP = 7,
};

typedef struct copying {
    js_copy *copy;
    const js_copy_source *source;
    int status;
} copying;

/* Copy the used part of the stack that the address is in. A thread whose stack cannot be copied has its
 * innermost frame alone. */
static int copy_stack(const js_copy_source *source, uint64_t sp)
{
    const js_mapping *mapping = js_mappings_at(source->modules->mappings, sp);
    uint64_t start = sp - RED_ZONE;
    uint64_t end = mapping ? mapping->end : sp;
    return js_snapshot_add(source->memory, start, end - start < MAX_STACK ? end - start : MAX_STACK);
}

/* Find the frames of a thread that rests, with their variables. */
static int read_frames(js_thread_copy *made, const js_copy_source *source, uint64_t deadline)
{
    js_bytes *memory = &source->memory->bytes;
    js_unwinder unwinder = {source->program, source->modules, memory, memory};
    js_frame_values values = {
        .program = source->program, .python = source->python, .memory = memory, .deadline = deadline};
    js_frames_wanted wanted = {source->shows_all, &values};
    values.has_vectors = js_traced_read_vectors(made->id, &values.vectors) == JS_OK;
    made->frames = json_array();
    made->notes = json_array();
    if (!made->frames || !made->notes) {
        return JS_ENOMEM;
    }
    int status = js_thread_frames(&unwinder, made, &wanted, made->frames, made->notes);
    if (status == JS_OK && values.left_out) {
        json_t *note =
            json_sprintf("the variables of %zu frames were left out, to end the pause", values.left_out);
        status = json_array_append_new(made->notes, note) ? JS_ENOMEM : JS_OK;
    }
    return status;
}

static int copy_thread(js_copy *copy, const js_copy_source *source, const js_paused_thread *thread,
                       uint64_t deadline)
{
    js_thread_copy *made = &copy->threads[copy->count++];
    *made = (js_thread_copy){.id = thread->id, .state = thread->state, .is_at_rest = thread->is_at_rest};
    memcpy(made->name, thread->name, sizeof made->name);
    if (!thread->is_at_rest) {
        return JS_OK;
    }
    made->registers = thread->registers;
    js_thread_copy_python(made, source->python);
    return source->wants_values ? read_frames(made, source, deadline)
                                : copy_stack(source, made->registers.general[RSP]);
}

static void *run(void *context)
{
    copying *self = context;
    js_copy *copy = self->copy;
    js_pause pause;
    self->status = js_pause_init(&pause, self->source->pid);
    if (self->status == JS_OK) {
        self->status = js_pause_begin(&pause);
    }
    if (self->status == JS_OK) {
        copy->threads = calloc(pause.count + 1, sizeof *copy->threads);
        self->status = copy->threads ? JS_OK : JS_ENOMEM;
    }
    for (size_t i = 0; i < pause.count && self->status == JS_OK; i++) {
        self->status =
            copy_thread(copy, self->source, &pause.threads[i], pause.began + self->source->longest);
    }
    if (self->status == JS_OK) {
        copy->is_program_current =
            js_registered_is_current(self->source->registered, &self->source->memory->bytes);
    }
    js_snapshot_close(self->source->memory);
    js_pause_end(&pause);
    copy->pause = pause.ended - pause.began;
    js_pause_deinit(&pause);
    return NULL;
}

int js_copy_init(js_copy *copy, const js_copy_source *source)
{
    copying self = {.copy = copy, .source = source};
    pthread_t thread;
    *copy = (js_copy){0};
    js_snapshot_reset(source->memory);
    if (source->python) {
        js_python_forget(source->python);
    }
    if (pthread_create(&thread, NULL, run, &self)) {
        return JS_ENOMEM;
    }
    pthread_join(thread, NULL);
    return self.status;
}

void js_copy_deinit(js_copy *copy)
{
    for (size_t i = 0; i < copy->count; i++) {
        js_thread_copy_deinit(&copy->threads[i]);
    }
    free(copy->threads);
    *copy = (js_copy){0};
}
