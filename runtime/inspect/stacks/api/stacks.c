#include "stacks/api/stacks.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/mapped_files.h"
#include "stacks/process/copy.h"
#include "stacks/process/regions.h"
#include "stacks/process/thread_frames.h"

enum { MAX_SNAPSHOT = 1 << 30 /* bytes of memory that are copied in a pause, at most */ };

struct js_stacks {
    pid_t pid;
    js_bytes memory;      /* the process's, as it is now */
    js_snapshot snapshot; /* and as it was in the last pause */
    js_mapped_files files;
    js_mappings mappings;
    js_modules modules;
    js_program *program;
    js_registered *registered;
    uint64_t descriptors[JS_REGISTERED_LISTS];
    size_t ndescriptors;
    js_python *python; /* NULL: there is no interpreter, or its version is not known */
    int python_status;
    bool is_warm; /* the stacks have been taken before */
};

static int open_file(void *context, const js_mapping *first)
{
    const js_stacks *stacks = context;
    int fd = -1;
    for (size_t i = 0; i < stacks->files.count; i++) {
        const js_mapped_file *file = &stacks->files.files[i];
        if (file->start == first->start && js_mapped_file_open(&stacks->files, file, &fd)) {
            fd = -1;
        }
    }
    return fd;
}

/* Read what is mapped where. */
static int read_mappings(js_stacks *stacks)
{
    js_modules_deinit(&stacks->modules);
    js_mappings_deinit(&stacks->mappings);
    js_mapped_files_deinit(&stacks->files);
    int status = js_mapped_files_init(&stacks->files, stacks->pid);
    status = status ? status : js_mappings_init_process(&stacks->mappings, stacks->pid);
    return status ? status
                  : js_modules_init(&stacks->modules, &stacks->mappings, &stacks->memory, open_file, stacks);
}

static void find_python(js_stacks *stacks)
{
    uint64_t runtime;
    uint32_t version;
    stacks->python_status = js_python_find_runtime(stacks->pid, &runtime, &version);
    if (stacks->python_status == JS_OK) {
        stacks->python_status = js_python_create(&stacks->snapshot.bytes, runtime, version, &stacks->python);
    }
}

static int update_program(js_stacks *stacks)
{
    int status = JS_OK;
    if (!stacks->ndescriptors) {
        status = js_registered_find_descriptors(stacks->pid, stacks->descriptors, JS_REGISTERED_LISTS,
                                                &stacks->ndescriptors);
    }
    return status ? status
                  : js_registered_update(stacks->registered, stacks->program, &stacks->memory,
                                         stacks->descriptors, stacks->ndescriptors);
}

static int prepare(js_stacks *stacks)
{
    int status = js_bytes_init_process(&stacks->memory, stacks->pid);
    js_snapshot_init(&stacks->snapshot, &stacks->memory, MAX_SNAPSHOT);
    status = status ? status : read_mappings(stacks);
    status = status ? status : js_program_create(&stacks->program);
    status = status ? status : js_registered_create(&stacks->registered);
    if (status == JS_OK) {
        find_python(stacks);
    }
    return status;
}

int js_stacks_create(pid_t pid, js_stacks **out)
{
    *out = NULL;
    if (pid <= 0 || (kill(pid, 0) && errno == ESRCH)) {
        return JS_ENOTFOUND;
    }
    js_stacks *stacks = calloc(1, sizeof *stacks);
    if (!stacks) {
        return JS_ENOMEM;
    }
    stacks->pid = pid;
    stacks->memory.fd = -1;
    int status = prepare(stacks);
    if (status) {
        js_stacks_destroy(stacks);
        return status;
    }
    *out = stacks;
    return JS_OK;
}

void js_stacks_destroy(js_stacks *stacks)
{
    if (!stacks) {
        return;
    }
    js_python_destroy(stacks->python);
    js_snapshot_deinit(&stacks->snapshot);
    js_registered_destroy(stacks->registered);
    js_program_destroy(stacks->program);
    js_modules_deinit(&stacks->modules);
    js_mappings_deinit(&stacks->mappings);
    js_mapped_files_deinit(&stacks->files);
    js_bytes_deinit(&stacks->memory);
    free(stacks);
}

/* Return the thread's entry of docs/schema/stack.json; NULL: there is no memory. */
static json_t *thread_entry(js_unwinder *unwinder, const js_thread_copy *copy,
                            const js_stacks_request *request)
{
    js_frames_wanted wanted = {.shows_all = request->shows_all != 0};
    json_t *frames = copy->frames ? json_incref(copy->frames) : json_array();
    json_t *notes = copy->notes ? json_incref(copy->notes) : json_array();
    int status = frames && notes ? JS_OK : JS_ENOMEM;
    if (status == JS_OK && copy->is_at_rest && !copy->frames) {
        status = js_thread_frames(unwinder, copy, &wanted, frames, notes);
    } else if (status == JS_OK && !copy->is_at_rest) {
        json_array_append_new(notes, json_string("the thread did not answer"));
    }
    json_t *activity = copy->activity ? json_loads(copy->activity, JSON_ALLOW_NUL, NULL) : json_null();
    const char state[2] = {copy->state, '\0'};
    json_t *entry = json_pack("{sI ss ss sb so so so}", "native_id", (json_int_t)copy->id, "name", copy->name,
                              "state", state, "in_call", copy->registers.called != UINT64_MAX, "activity",
                              activity, "frames", frames, "notes", notes);
    if (status) {
        json_decref(entry);
        entry = NULL;
    }
    return entry;
}

/* Return the version of the interpreter, such as "3.11.7", or null. */
static json_t *python_version(const js_stacks *stacks)
{
    char *text = NULL;
    if (!stacks->python || js_python_threads_json(stacks->python, &text)) {
        return json_null();
    }
    json_t *found = json_loads(text, JSON_ALLOW_NUL, NULL);
    json_t *version = json_incref(json_object_get(found, "version"));
    json_decref(found);
    js_free(text);
    return version ? version : json_null();
}

/* Return why the Python frames are missing, or null. */
static json_t *python_problem(const js_stacks *stacks)
{
    bool is_missing = !stacks->python && stacks->python_status != JS_ENOTFOUND;
    return is_missing ? json_string(js_strerror(stacks->python_status)) : json_null();
}

static int give(js_stacks *stacks, const js_copy *copy, const js_stacks_request *request, char **out)
{
    js_unwinder unwinder = {.program = stacks->program,
                            .modules = &stacks->modules,
                            .stack = &stacks->snapshot.bytes,
                            .code = &stacks->memory};
    json_t *threads = json_array();
    int status = threads ? JS_OK : JS_ENOMEM;
    for (size_t i = 0; i < copy->count && status == JS_OK; i++) {
        json_t *entry = thread_entry(&unwinder, &copy->threads[i], request);
        status = entry && !json_array_append_new(threads, entry) ? JS_OK : JS_ENOMEM;
    }
    status = status ? status : js_join_regions(threads);
    json_t *whole = json_pack("{sI so so sf so}", "pid", (json_int_t)stacks->pid, "python",
                              python_version(stacks), "python_problem", python_problem(stacks), "pause_ms",
                              (double)copy->pause / 1e6, "threads", threads);
    *out = whole && status == JS_OK ? json_dumps(whole, JSON_ENSURE_ASCII) : NULL;
    json_decref(whole);
    return status ? status : *out ? JS_OK : JS_ENOMEM;
}

void js_stacks_set_flow(js_stacks *stacks, js_flow_fn flow, void *context)
{
    js_program_set_flow(stacks->program, flow, context);
}

static int take(js_stacks *stacks, const js_stacks_request *request, char **out)
{
    js_copy copy;
    js_copy_source source = {.pid = stacks->pid,
                             .memory = &stacks->snapshot,
                             .modules = &stacks->modules,
                             .program = stacks->program,
                             .python = stacks->python,
                             .registered = stacks->registered,
                             .wants_values = request->wants_values != 0,
                             .shows_all = request->shows_all != 0,
                             .longest = request->longest};
    *out = NULL;
    int status = update_program(stacks);
    if (status) {
        return status;
    }
    status = js_copy_init(&copy, &source);
    if (status == JS_OK && !copy.is_program_current) {
        status = update_program(stacks);
    }
    status = status ? status : give(stacks, &copy, request, out);
    js_copy_deinit(&copy);
    return status;
}

int js_stacks_take(js_stacks *stacks, const js_stacks_request *request, char **out)
{
    js_stacks_request without = {.shows_all = request->shows_all};
    char *discarded = NULL;
    int status = JS_OK;
    *out = NULL;
    if (request->wants_values && !stacks->is_warm) {
        status =
            take(stacks, &without, &discarded); /* opens the files of the stacks outside of the long pause */
        js_free(discarded);
    }
    stacks->is_warm = true;
    return status ? status : take(stacks, request, out);
}
