#include "stacks/api/stacks.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/mapped_files.h"
#include "stacks/process/copy.h"
#include "stacks/process/regions.h"
#include "stacks/process/thread_frames.h"

struct js_stacks {
    pid_t pid;
    js_bytes memory;
    js_mapped_files files;
    js_mappings mappings;
    js_modules modules;
    js_program *program;
    js_registered *registered;
    uint64_t descriptors[JS_REGISTERED_LISTS];
    size_t ndescriptors;
    js_python *python; /* NULL: there is no interpreter, or its version is not known */
    int python_status;
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
        stacks->python_status = js_python_create(&stacks->memory, runtime, version, &stacks->python);
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
    status = status ? status : read_mappings(stacks);
    status = status ? status : js_program_create(&stacks->program);
    status = status ? status : js_registered_create(&stacks->registered);
    status = status ? status : update_program(stacks);
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
    json_t *frames = json_array(), *notes = json_array();
    int status = frames && notes ? JS_OK : JS_ENOMEM;
    if (status == JS_OK && copy->is_at_rest) {
        status = js_thread_frames(unwinder, copy, request->shows_all, frames, notes);
    } else if (status == JS_OK) {
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

static int give(js_stacks *stacks, const js_copy *copy, const js_stacks_request *request, char **out)
{
    js_unwinder unwinder = {.program = stacks->program,
                            .modules = &stacks->modules,
                            .stack = (js_bytes *)&copy->stacks.bytes,
                            .code = &stacks->memory};
    json_t *threads = json_array();
    int status = threads ? JS_OK : JS_ENOMEM;
    for (size_t i = 0; i < copy->count && status == JS_OK; i++) {
        json_t *entry = thread_entry(&unwinder, &copy->threads[i], request);
        status = entry && !json_array_append_new(threads, entry) ? JS_OK : JS_ENOMEM;
    }
    status = status ? status : js_join_regions(threads);
    json_t *whole = json_pack("{sI sf so}", "pid", (json_int_t)stacks->pid, "pause_ms",
                              (double)copy->pause / 1e6, "threads", threads);
    *out = whole && status == JS_OK ? json_dumps(whole, JSON_ENSURE_ASCII) : NULL;
    json_decref(whole);
    return status ? status : *out ? JS_OK : JS_ENOMEM;
}

int js_stacks_take(js_stacks *stacks, const js_stacks_request *request, char **out)
{
    js_copy copy;
    js_copy_source source = {stacks->pid, &stacks->memory, &stacks->mappings, stacks->python,
                             stacks->registered};
    *out = NULL;
    int status = js_copy_init(&copy, &source);
    if (status == JS_OK && !copy.is_program_current) {
        status = update_program(stacks);
    }
    status = status ? status : give(stacks, &copy, request, out);
    js_copy_deinit(&copy);
    return status;
}
