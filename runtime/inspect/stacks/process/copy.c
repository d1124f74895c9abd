#include "stacks/process/copy.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bytes/process.h"
#include "program/parallel/parallel.h"
#include "program/session/registered.h"
#include "stacks/process/kept_elements.h"
#include "stacks/process/pause.h"
#include "stacks/process/system_calls.h"
#include "stacks/process/task_entries.h"
#include "stacks/process/thread_frames.h"

enum {
    RED_ZONE = 128,      /* bytes below the stack pointer that a function may use (psABI 1.0, 3.2.2) */
    MAX_STACK = 8 << 20, /* bytes of one stack that are copied */
    RAX = 0,             /* DWARF's numbers of registers */
    RDI = 5,
    RSP = 7,
    ATTEMPTS = 3, /* readings of a thread that sleeps, until it has slept all the time; short pauses, until
                     no page is missing */
    READINGS = 6, /* more readings of a thread that runs */
    SHORTEST_WAIT = 500,   /* microseconds between two of them */
    PAGE_COST = 2000,      /* nanoseconds in which a page is copied */
    MAX_UNPAUSED = 100000, /* Python frames of a thread */
};

typedef struct copying {
    js_copy *copy;
    js_stack_target *target;
    const js_copy_request *request;
    uint64_t rested;  /* nanoseconds that the threads have rested, in all pauses */
    bool is_expected; /* the pages that are expected are copied in the pause, and read after it */
    int status;
} copying;

/* Copy the used part of the stack that the address is in. A stack that has grown, or has been made, since the
 * mappings were read is copied as far as memory goes. A thread whose stack cannot be copied has its innermost
 * frame alone. */
static int copy_stack(js_stack_target *target, uint64_t sp)
{
    const js_mapping *mapping = js_mappings_at(&target->mappings, sp);
    uint64_t start = sp - RED_ZONE;
    uint64_t size = mapping ? mapping->end - start : MAX_STACK;
    return js_snapshot_add(&target->snapshot, start, size < MAX_STACK ? size : MAX_STACK);
}

/* Find the frames of a thread that rests, with their variables. When the pause is over before all are found,
 * the others are found in the copy of the stack afterwards. */
static int read_frames(js_thread_copy *made, const copying *self, uint64_t deadline)
{
    js_stack_target *target = self->target;
    js_unwinder unwinder = js_stack_target_unwinder(target, target->paused);
    js_frame_values values = {.program = target->program,
                              .python = target->python,
                              .memory = target->paused,
                              .raw = &self->copy->values,
                              .deadline = deadline};
    js_frames_wanted wanted = {self->request->shows_all, &values};
    values.has_vectors = !target->core && js_traced_read_vectors(made->id, &values.vectors) == JS_OK;
    made->frames = json_array();
    made->notes = json_array();
    if (!made->frames || !made->notes) {
        return JS_ENOMEM;
    }
    int status = js_thread_frames(&unwinder, made, &wanted, made->frames, made->notes);
    made->is_partial = status == JS_ELIMIT;
    return made->is_partial ? JS_OK : status;
}

/* Copy what belongs to a thread whose registers are known. */
static int copy_thread(js_thread_copy *made, const copying *self, uint64_t deadline)
{
    js_thread_copy_python(made, self->target->python);
    return self->request->wants_values ? read_frames(made, self, deadline) : JS_OK;
}

/* Copy what belongs to the threads, whose registers are known. */
static int copy_threads(const copying *self, uint64_t deadline)
{
    js_copy *copy = self->copy;
    bool has_values = self->request->wants_values;
    int status =
        has_values ? js_kept_elements_find(self->target, copy->threads, copy->count, deadline) : JS_OK;
    for (size_t i = 0; i < copy->count && status == JS_OK; i++) {
        js_thread_copy *thread = &copy->threads[i];
        if (thread->is_at_rest) {
            status = copy_thread(thread, self, deadline);
        } else {
            js_thread_copy_python(thread, self->target->python);
        }
    }
    if (has_values) {
        js_kept_elements_forget(self->target);
    }
    return status;
}

/* Note the threads of a pause. */
static int add_threads(js_copy *copy, const js_pause *pause, bool is_nested)
{
    copy->threads = calloc(pause->count + 1, sizeof *copy->threads);
    for (size_t i = 0; copy->threads && i < pause->count; i++) {
        const js_paused_thread *thread = &pause->threads[i];
        js_thread_copy *made =
            js_thread_copy_add(copy->threads, &copy->count, thread->id, is_nested ? 0 : thread->id);
        made->state = thread->state;
        made->is_at_rest = thread->is_at_rest;
        made->is_in_call = thread->is_traced && !thread->is_at_rest;
        memcpy(made->name, thread->name, sizeof made->name);
        made->registers = thread->registers;
    }
    return copy->threads ? JS_OK : JS_ENOMEM;
}

/* Read the interpreter, the frames of its threads and its tasks, the parallel loops, and whether the JIT's
 * objects are those that are known. deadline: as for js_task_entries_read(). */
static int read_target(const copying *self, uint64_t deadline)
{
    js_stack_target *target = self->target;
    js_copy *copy = self->copy;
    js_stack_target_read_python(target);
    int status = copy_threads(self, deadline);
    status = status ? status : js_task_entries_read(copy, target, self->request->wants_values, deadline);
    js_program_launches(target->program, target->described, target->paused, &copy->launches);
    copy->is_program_current = target->core || js_registered_is_current(target->registered, target->paused);
    return status;
}

/* Copy the stacks, and the other pages that are expected to be read. */
static int copy_pages(const copying *self)
{
    const js_copy *copy = self->copy;
    int status = js_snapshot_add_expected(&self->target->snapshot);
    for (size_t i = 0; i < copy->count && status == JS_OK; i++) {
        const js_thread_copy *thread = &copy->threads[i];
        status = thread->is_at_rest ? copy_stack(self->target, thread->registers.general[RSP]) : JS_OK;
    }
    return status;
}

static void *run(void *context)
{
    copying *self = context;
    js_stack_target *target = self->target;
    uint64_t longest = self->request->longest;
    js_pause pause;
    /* Go before the machine's other threads, where that is allowed: on a busy machine the process would rest
     * while this thread waits for a processor. It ends with the pause. */
    sched_setscheduler(0, SCHED_RR, &(struct sched_param){.sched_priority = 1});
    self->status = js_pause_init(&pause, target->pid);
    if (self->status == JS_OK) {
        self->status = js_pause_begin(&pause);
    }
    target->modules.is_paused = true;
    self->status = self->status ? self->status : add_threads(self->copy, &pause, target->is_nested);
    if (self->status == JS_OK) {
        self->status = copy_pages(self);
    }
    if (self->status == JS_OK && !self->is_expected) {
        self->status = read_target(self, longest ? pause.began + longest : 0);
    }
    js_snapshot_close(&target->snapshot);
    js_pause_end(&pause);
    target->modules.is_paused = false;
    self->rested += pause.ended - pause.began;
    self->copy->pause = self->rested;
    js_pause_deinit(&pause);
    return NULL;
}

/* Stop the process, and copy. */
static int copy_stopped(copying *self)
{
    js_stack_target *target = self->target;
    pthread_t thread;
    *self->copy = (js_copy){0};
    js_snapshot_reset(&target->snapshot);
    js_stack_target_forget_python(target, true);
    if (pthread_create(&thread, NULL, run, self)) {
        return JS_ENOMEM;
    }
    pthread_join(thread, NULL);
    return self->status;
}

/* Read a thread's registers that js_thread_copy_python() needs, of one that sleeps in a system call. Source:
 * proc_pid_syscall(5). */
static void read_call(js_thread_copy *made, pid_t pid)
{
    char path[64], text[512];
    unsigned long long called, argument, stack;
    snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", (int)pid, (int)made->id);
    if (js_process_file(path, sizeof text, text) == JS_OK &&
        sscanf(text, "%llu %llx %*x %*x %*x %*x %*x %llx", &called, &argument, &stack) == 3) {
        made->registers.called = called;
        made->registers.general[RAX] = (uint64_t)JS_CALL_INTERRUPTED;
        made->registers.general[RDI] = argument;
        made->registers.general[RSP] = stack;
    }
}

/* List the threads without a pause. */
static int list_threads(js_copy *copy, const js_stack_target *target)
{
    js_pause tasks;
    int status = js_pause_list(&tasks, target->pid);
    copy->threads = status ? NULL : calloc(tasks.count + 1, sizeof *copy->threads);
    for (size_t i = 0; copy->threads && i < tasks.count; i++) {
        pid_t id = tasks.threads[i].id;
        js_thread_copy *made =
            js_thread_copy_add(copy->threads, &copy->count, id, js_process_own_id(target->pid, id));
        made->state = tasks.threads[i].state;
        memcpy(made->name, tasks.threads[i].name, sizeof made->name);
    }
    js_pause_deinit(&tasks);
    return status ? status : copy->threads ? JS_OK : JS_ENOMEM;
}

/* Find the pages that are read of the process, by reading it while it runs. Nothing that is read is used,
 * since it is of many instants. */
static void expect_pages(js_stack_target *target)
{
    js_copy copy = {0};
    copying self = {.copy = &copy, .target = target, .request = &(js_copy_request){0}};
    bool was_known = target->python && !target->is_python_unproven;
    js_snapshot_learn(&target->snapshot);
    js_stack_target_forget_python(target, true);
    js_stack_target_set_running(target, true);
    int status = list_threads(&copy, target);
    for (size_t i = 0; i < copy.count; i++) {
        copy.threads[i].is_in_call = true; /* so that js_thread_copy_python() reads it */
        read_call(&copy.threads[i], target->pid);
    }
    if (status == JS_OK) {
        read_target(&self, 0);
    }
    js_stack_target_set_running(target, false);
    js_snapshot_expect(&target->snapshot);
    js_copy_deinit(&copy);
    js_stack_target_forget_python(target, was_known);
}

/* Copy the pages that are expected in the pause, and read them afterwards. JS_EBUSY: the process has gone on
 * to pages that were not expected. */
static int copy_expected(copying *self)
{
    js_stack_target *target = self->target;
    bool was_known = target->python && !target->is_python_unproven;
    self->is_expected = true;
    int status = copy_stopped(self);
    status = status ? status : read_target(self, 0);
    self->is_expected = false;
    if (target->snapshot.has_missed) {
        js_copy_deinit(self->copy);
        js_stack_target_forget_python(target, was_known);
        return JS_EBUSY;
    }
    return status;
}

int js_copy_init_process(js_copy *copy, js_stack_target *target, const js_copy_request *request)
{
    copying self = {.copy = copy, .target = target, .request = request};
    js_snapshot *snapshot = &target->snapshot;
    int status = JS_EBUSY;
    for (unsigned i = 0; i < ATTEMPTS && status == JS_EBUSY && !request->wants_values; i++) {
        if (i > 0 || (!snapshot->nexpected && !snapshot->is_too_large)) {
            expect_pages(target);
        }
        if (!snapshot->nexpected ||
            (request->longest && snapshot->nexpected * PAGE_COST > request->longest)) {
            break;
        }
        status = copy_expected(&self);
    }
    status = status == JS_EBUSY ? copy_stopped(&self) : status;
    if (status == JS_OK && !request->wants_values) {
        js_snapshot_expect(snapshot);
    }
    return status;
}

/* Read the thread's Python frames, as they are now. *out is NULL if there are none. */
static int read_now(js_stack_target *target, pid_t own_id, char **out)
{
    *out = NULL;
    js_snapshot_reset(&target->snapshot);
    js_python_forget(target->python);
    return js_python_frames_json(target->python, (uint64_t)own_id, 0, MAX_UNPAUSED, NULL, NULL, out);
}

/* Read what of proc_pid_status(5) changes whenever the thread runs: its state, and how often it was switched
 * to another one. False: it runs, or has ended. */
static bool read_rest(pid_t pid, pid_t id, char *out, size_t size)
{
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/%d/task/%d/status", (int)pid, (int)id);
    const char *state = js_process_file(path, sizeof text, text) ? NULL : strstr(text, "\nState:\t");
    const char *switches = state ? strstr(text, "\nvoluntary_ctxt_switches:") : NULL;
    if (!switches || state[strlen("\nState:\t")] == 'R') {
        return false;
    }
    snprintf(out, size, "%c%s", state[strlen("\nState:\t")], switches);
    return true;
}

/* Read a thread that does not run: then its frames are those of one instant. False: it has run meanwhile. */
static bool copy_asleep(js_thread_copy *made, js_stack_target *target)
{
    char before[256], after[256], *frames = NULL;
    bool was_asleep = read_rest(target->pid, made->id, before, sizeof before);
    int status = was_asleep ? read_now(target, made->own_id, &frames) : JS_EBUSY;
    bool is_asleep = was_asleep && read_rest(target->pid, made->id, after, sizeof after);
    if (!is_asleep || strcmp(before, after) != 0) {
        js_free(frames);
        return false;
    }
    made->python = frames;
    made->python_status = status;
    return true;
}

/* Read a thread that runs, some times at random instants. Frames that are the same each time are kept, though
 * that is no proof. */
static void copy_moving(js_thread_copy *made, js_stack_target *target)
{
    char *first = NULL, *next = NULL;
    bool is_equal = read_now(target, made->own_id, &first) == JS_OK;
    for (unsigned i = 0; i < READINGS && is_equal; i++) {
        unsigned microseconds = SHORTEST_WAIT + (unsigned)random() % SHORTEST_WAIT;
        nanosleep(&(struct timespec){.tv_nsec = (long)microseconds * 1000}, NULL);
        is_equal = read_now(target, made->own_id, &next) == JS_OK && strcmp(first, next) == 0;
        js_free(next);
    }
    made->is_unproven = is_equal;
    made->python_status = is_equal ? JS_OK : JS_EBUSY;
    made->python = is_equal ? first : NULL;
    if (!is_equal) {
        js_free(first);
    }
}

static void copy_unpaused(js_thread_copy *made, js_stack_target *target)
{
    made->is_unpaused = true;
    made->python_status = JS_ENOTFOUND;
    for (unsigned i = 0; i < ATTEMPTS && target->python; i++) {
        if (copy_asleep(made, target)) {
            return;
        }
    }
    if (target->python) {
        copy_moving(made, target);
    }
}

int js_copy_init_running(js_copy *copy, js_stack_target *target)
{
    bool was_known = target->python && !target->is_python_unproven;
    *copy = (js_copy){.is_program_current = true};
    js_stack_target_set_running(target, true);
    for (unsigned i = 0; i < READINGS && !target->python && target->runtime; i++) {
        js_snapshot_reset(&target->snapshot);
        js_stack_target_read_python(target);
    }
    int status = list_threads(copy, target);
    for (size_t i = 0; i < copy->count; i++) {
        copy_unpaused(&copy->threads[i], target);
    }
    js_stack_target_set_running(target, false);
    js_stack_target_forget_python(target, was_known);
    return status;
}

int js_copy_init_core(js_copy *copy, js_stack_target *target, const js_copy_request *request)
{
    copying self = {.copy = copy, .target = target, .request = request};
    size_t count;
    const js_core_thread *threads = js_core_threads(target->core, &count);
    *copy = (js_copy){0};
    copy->threads = calloc(count + 1, sizeof *copy->threads);
    for (size_t i = 0; copy->threads && i < count; i++) {
        pid_t id = threads[i].native_id;
        js_thread_copy *made = js_thread_copy_add(copy->threads, &copy->count, id, id);
        made->is_at_rest = true;
        memcpy(made->registers.general, threads[i].registers, sizeof made->registers.general);
        made->registers.thread_pointer = threads[i].thread_pointer;
        made->registers.called = threads[i].system_call;
    }
    uint64_t deadline = request->longest ? js_pause_clock() + request->longest : 0;
    return copy->threads ? read_target(&self, deadline) : JS_ENOMEM;
}

void js_copy_deinit(js_copy *copy)
{
    for (size_t i = 0; i < copy->count; i++) {
        js_thread_copy_deinit(&copy->threads[i]);
    }
    free(copy->threads);
    js_raw_json_deinit(&copy->values);
    js_python_tasks_destroy(copy->tasks);
    json_decref(copy->task_values);
    js_free(copy->launches);
    *copy = (js_copy){0};
}
