#include "stacks/api/stacks_state.h"

#include <stdlib.h>
#include <string.h>

#include "program/session/program.h"
#include "stacks/process/circles.h"
#include "stacks/process/copy.h"
#include "stacks/process/process_facts.h"
#include "stacks/process/regions.h"
#include "stacks/process/task_entries.h"
#include "stacks/process/thread_frames.h"

static int give_created(js_stacks *stacks, int status, js_stacks **out)
{
    if (status) {
        js_stacks_destroy(stacks);
        return status;
    }
    *out = stacks;
    return JS_OK;
}

int js_stacks_create(pid_t pid, js_fetch fetch, js_stacks **out)
{
    js_stacks *stacks = calloc(1, sizeof *stacks);
    *out = NULL;
    if (!stacks) {
        return JS_ENOMEM;
    }
    stacks->pid = pid;
    return give_created(stacks, js_stack_target_init_process(&stacks->target, pid, fetch), out);
}

int js_stacks_create_core(int fd, js_fetch fetch, js_stacks **out)
{
    js_stacks *stacks = calloc(1, sizeof *stacks);
    *out = NULL;
    if (!stacks) {
        return JS_ENOMEM;
    }
    stacks->target.process.fd = -1;
    int status = js_core_create_fd(fd, &stacks->core);
    status = status ? status : js_stack_target_init_core(&stacks->target, stacks->core, fetch);
    return give_created(stacks, status, out);
}

int js_stacks_create_served(int fd, const void *head, size_t size, js_stacks **out)
{
    js_stacks *stacks = calloc(1, sizeof *stacks);
    *out = NULL;
    if (!stacks) {
        return JS_ENOMEM;
    }
    stacks->target.process.fd = -1;
    stacks->is_served = true;
    int status = js_core_create_served(fd, head, size, &stacks->core);
    status = status ? status : js_stack_target_init_core(&stacks->target, stacks->core, (js_fetch){0});
    return give_created(stacks, status, out);
}

void js_stacks_destroy(js_stacks *stacks)
{
    if (stacks) {
        js_stack_target_deinit(&stacks->target);
        js_core_destroy(stacks->core);
        free(stacks);
    }
}

void js_stacks_set_flow(js_stacks *stacks, js_flow_fn flow, void *context)
{
    js_program_set_flow(stacks->target.program, flow, context);
}

/* Return the signal that a thread of a core received, or null. */
static json_t *signal_of(const js_stacks *stacks, size_t index)
{
    size_t count = 0;
    const js_core_thread *threads = stacks->core ? js_core_threads(stacks->core, &count) : NULL;
    if (index >= count || !threads[index].signal) {
        return json_null();
    }
    const js_core_thread *thread = &threads[index];
    if (index && !(thread->has_siginfo && thread->siginfo_signal == thread->signal)) {
        return json_null(); /* the kernel notes the signal of the crash in each thread */
    }
    bool has_address = thread->has_siginfo && thread->siginfo_signal == thread->signal;
    return json_pack("{si sI si}", "number", thread->signal, "address",
                     has_address ? (json_int_t)thread->siginfo_address : (json_int_t)0, "code",
                     has_address ? thread->siginfo_code : 0);
}

static bool is_same(json_t *one, json_t *other, const char *key)
{
    return json_equal(json_object_get(one, key), json_object_get(other, key));
}

/* Give the frames the variables that were read in the pause, which was over before it came to all of them. */
static int add_variables(json_t *frames, json_t *notes, const js_thread_copy *copy)
{
    size_t read = json_array_size(copy->frames), left_out = 0;
    for (size_t i = 0; i < json_array_size(frames); i++) {
        json_t *frame = json_array_get(frames, i), *known = json_array_get(copy->frames, i);
        const char *kind = json_string_value(json_object_get(frame, "kind"));
        bool is_known = i < read && is_same(frame, known, "kind") && is_same(frame, known, "name") &&
                        json_object_get(known, "locals");
        if (is_known && json_array_set(frames, i, known)) {
            return JS_ENOMEM;
        }
        left_out +=
            !is_known && i + 1 >= read && kind && (strcmp(kind, "jit") == 0 || strcmp(kind, "python") == 0);
    }
    json_t *note = json_sprintf("the variables of %zu frame%s were left out, to end in time", left_out,
                                left_out == 1 ? "" : "s");
    int failed = left_out && json_array_append(notes, note);
    json_decref(note);
    return failed ? JS_ENOMEM : JS_OK;
}

/* Return the thread's entry of docs/schema/stack.json; NULL: there is no memory. */
static json_t *thread_entry(js_unwinder *unwinder, js_thread_copy *copy, const js_stacks_request *request)
{
    js_frames_wanted wanted = {.shows_all = request->shows_all != 0};
    bool is_whole = copy->frames && !copy->is_partial;
    json_t *frames = is_whole ? json_incref(copy->frames) : json_array();
    json_t *notes = is_whole ? json_incref(copy->notes) : json_array();
    int status = frames && notes ? JS_OK : JS_ENOMEM;
    bool is_read = copy->is_at_rest || copy->is_unpaused || copy->is_in_call;
    if (status == JS_OK && is_read && !is_whole) {
        status = js_thread_frames(unwinder, copy, &wanted, frames, notes);
        status = status == JS_OK && copy->is_partial ? add_variables(frames, notes, copy) : status;
    }
    if (status == JS_OK && !copy->is_at_rest && !copy->is_unpaused) {
        json_array_append_new(notes, json_string(copy->is_in_call
                                                     ? "the thread did not answer: its system call cannot be "
                                                       "interrupted, and its native frames are not shown"
                                                     : "the thread did not answer"));
    }
    const char state[2] = {copy->state, '\0'};
    json_t *entry =
        json_pack("{sI ss ss sb so so}", "native_id", (json_int_t)copy->id, "name", copy->name, "state",
                  state, "in_call", copy->is_at_rest && copy->registers.called != UINT64_MAX, "frames",
                  frames, "notes", notes);
    json_t *name = copy->python_name ? js_json_text(copy->python_name) : json_null();
    if (status || json_object_set_new(entry, "python_name", name)) {
        json_decref(entry);
        entry = NULL;
    }
    return entry;
}

/* Say what each thread does, and whether threads wait for each other. */
static int describe(json_t *whole, json_t *threads, const js_copy *copy)
{
    js_awaited *awaited = calloc(copy->count + 1, sizeof *awaited);
    int status = whole && awaited ? js_doing(threads, copy->threads, awaited) : JS_ENOMEM;
    status = status ? status : js_circles(whole, threads, awaited);
    free(awaited);
    return status;
}

/* Return the entries of all threads; NULL: there is no memory. */
static json_t *thread_entries(js_stacks *stacks, js_copy *copy, const js_stacks_request *request)
{
    js_unwinder unwinder = js_stack_target_unwinder(&stacks->target, stacks->target.paused);
    json_t *threads = json_array();
    int failed = !threads;
    for (size_t i = 0; i < copy->count && !failed; i++) {
        json_t *entry = thread_entry(&unwinder, &copy->threads[i], request);
        failed = !entry || json_object_set_new(entry, "signal", signal_of(stacks, i)) ||
                 json_array_append_new(threads, entry);
    }
    if (failed) {
        json_decref(threads);
    }
    return failed ? NULL : threads;
}

static int give(js_stacks *stacks, js_copy *copy, const js_stacks_request *request, char **out)
{
    js_stack_target *target = &stacks->target;
    json_t *threads = NULL;
    size_t before;
    do { /* the function that starts a parallel loop may be met after the loop's kernel, which it describes */
        before = target->loaded;
        json_decref(threads);
        threads = thread_entries(stacks, copy, request);
    } while (threads && target->loaded != before);
    int status = threads ? JS_OK : JS_ENOMEM;
    status = status ? status : js_regions_put_chunks(threads, copy->launches);
    status = status ? status : js_join_regions(threads);
    json_t *whole = js_process_facts(target, stacks->pid);
    int failed = json_object_set_new(whole, "pause_ms", json_real((double)copy->pause / 1e6));
    failed |= json_object_set_new(whole, "threads", threads);
    status = failed ? JS_ENOMEM : status;
    status = status ? status : describe(whole, threads, copy);
    status = status ? status : js_task_entries_put(whole, copy, target, request->shows_all != 0);
    status = status ? status : js_raw_json_dump(&copy->values, whole, out);
    json_decref(whole);
    return status;
}

static int take(js_stacks *stacks, const js_stacks_request *request, char **out)
{
    js_copy copy;
    js_stack_target *target = &stacks->target;
    js_copy_request wanted = {.wants_values = request->wants_values != 0,
                              .shows_all = request->shows_all != 0,
                              .longest = stacks->core && !stacks->is_served ? 0 : request->longest};
    int status = js_stack_target_update(target);
    if (status) {
        return status;
    }
    status = stacks->core             ? js_copy_init_core(&copy, target, &wanted)
             : request->without_pause ? js_copy_init_running(&copy, target)
                                      : js_copy_init_process(&copy, target, &wanted);
    if (status == JS_OK && !copy.is_program_current) {
        status = js_stack_target_update(target);
    }
    status = status ? status : give(stacks, &copy, request, out);
    js_copy_deinit(&copy);
    return status;
}

int js_stacks_take(js_stacks *stacks, const js_stacks_request *request, char **out)
{
    js_stacks_request without = {.shows_all = request->shows_all, .longest = request->longest};
    char *discarded = NULL;
    int status = JS_OK;
    *out = NULL;
    if (request->wants_values && !request->without_pause && !stacks->is_warm && !stacks->core) {
        status =
            take(stacks, &without, &discarded); /* opens the files of the stacks outside of the long pause */
        js_free(discarded);
    }
    stacks->is_watched = false;                 /* taking the stacks forgets them */
    stacks->is_warm |= !request->without_pause; /* which opens no files */
    return status ? status : take(stacks, request, out);
}
