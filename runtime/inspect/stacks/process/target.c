#include "stacks/process/target.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/process.h"
#include "program/session/registered.h"
#include "stacks/folding.h"
#include "stacks/process/pause.h"

enum { MAX_SNAPSHOT = 1 << 30 /* bytes of memory that are copied in a pause, at most */ };

static const char descriptor[] = "__jit_debug_descriptor", described[] = "__jitscope_descriptor";

/* ---- a process ---- */

static int open_mapped(void *context, const js_mapping *first)
{
    const js_stack_target *target = context;
    int fd = -1;
    for (size_t i = 0; i < target->files.count; i++) {
        const js_mapped_file *file = &target->files.files[i];
        if (file->start == first->start && js_mapped_file_open(&target->files, file, &fd)) {
            fd = -1;
        }
    }
    return fd;
}

static bool has_same_files(const js_mapped_files *one, const js_mapped_files *other)
{
    bool is_same = one->count == other->count;
    for (size_t i = 0; i < one->count && is_same; i++) {
        const js_mapped_file *a = &one->files[i], *b = &other->files[i];
        is_same = a->start == b->start && a->inode == b->inode && strcmp(a->path, b->path) == 0;
    }
    return is_same;
}

/* Read what is mapped where. The files that are open stay so, unless others are mapped now. */
static int read_mappings(js_stack_target *target)
{
    js_mapped_files files = {0};
    js_mappings_deinit(&target->mappings);
    int status = js_mappings_init_process(&target->mappings, target->pid);
    status = status ? status : js_mapped_files_init_mappings(&files, target->pid, &target->mappings);
    if (status) {
        js_mapped_files_deinit(&files);
        return status;
    }
    bool is_same = target->modules.dwfl && has_same_files(&files, &target->files);
    js_mapped_files_deinit(&target->files);
    target->files = files;
    if (is_same) {
        return JS_OK;
    }
    js_modules_deinit(&target->modules);
    return js_modules_init(&target->modules, &target->mappings, target->now, &target->debuginfod, open_mapped,
                           target);
}

/* Find the descriptor of a process that has loaded libjitscope.so. */
static void find_described(js_stack_target *target)
{
    const char *const names[] = {described};
    for (size_t i = 0; i < target->files.count && !target->described; i++) {
        const js_mapped_file *file = &target->files.files[i];
        if (js_frame_classify(file->path, NULL) == JS_FRAME_RUNTIME &&
            js_mapped_file_symbols(&target->files, file, names, 1, &target->described)) {
            target->described = 0;
        }
    }
}

static void find_python(js_stack_target *target)
{
    target->python_status =
        target->core ? js_python_find_core_runtime(target->core, &target->runtime, &target->version)
                     : js_python_find_runtime(target->pid, &target->runtime, &target->version);
    if (target->python_status) {
        target->runtime = 0;
    } else if (!target->core && !target->version) { /* older than 3.11 */
        js_thread_record_find(&target->files, target->now, &target->record);
    }
}

void js_stack_target_read_python(js_stack_target *target)
{
    if (target->python && target->is_python_unproven && js_python_prove(target->python)) {
        js_python_destroy(target->python);
        target->python = NULL;
    }
    target->is_python_unproven = false;
    if (!target->python && target->runtime) {
        target->python_status =
            js_python_create(target->paused, target->runtime, target->version, &target->python);
    }
    if (target->python) {
        js_python_set_record(target->python, &target->record);
    }
    js_stack_target_set_running(target, target->is_running);
}

void js_stack_target_set_running(js_stack_target *target, bool is_running)
{
    target->is_running = is_running;
    if (target->python) {
        js_python_set_running(target->python, is_running);
    }
}

void js_stack_target_forget_python(js_stack_target *target, bool is_proven)
{
    if (target->python) {
        js_python_forget(target->python);
        target->is_python_unproven |= !is_proven;
    }
}

static int create_program(js_stack_target *target)
{
    int status = js_program_create(&target->program);
    status = status ? status : js_registered_create(&target->registered);
    if (status == JS_OK) {
        js_registered_set_lazy(target->registered);
    }
    return status;
}

/* Return the compiled function at pc. Its object is decoded when it is met first. */
static js_function *function_at(void *context, uint64_t pc)
{
    js_stack_target *target = context;
    const js_mapping *mapping = js_mappings_at(&target->mappings, pc);
    js_function *function = NULL;
    bool is_added = false;
    if (mapping && *mapping->path) {
        return NULL; /* a file's code */
    }
    function = js_program_function(target->program, pc);
    if (!function &&
        js_registered_load(target->registered, target->program, target->now, pc, &is_added) == JS_OK) {
        target->loaded += is_added;
        function = is_added ? js_program_function(target->program, pc) : NULL;
    }
    return function;
}

js_unwinder js_stack_target_unwinder(js_stack_target *target, js_bytes *stack)
{
    return (js_unwinder){.program = target->program,
                         .function_at = function_at,
                         .context = target,
                         .modules = &target->modules,
                         .stack = stack,
                         .code = target->now};
}

/* Return a thread by which the process can be read: its first one, or another when that has ended, with which
 * the kernel forgets what is mapped there. 0: all have ended. */
static pid_t reading_thread(pid_t pid)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    if (!js_pause_has_ended(pid, pid)) {
        return pid;
    }
    DIR *tasks = opendir(path);
    pid_t found = 0;
    for (struct dirent *entry; tasks && !found && (entry = readdir(tasks));) {
        pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
        found = thread > 0 && !js_pause_has_ended(pid, thread) ? thread : 0;
    }
    if (tasks) {
        closedir(tasks);
    }
    return found;
}

int js_stack_target_init_process(js_stack_target *target, pid_t process, js_fetch fetch)
{
    pid_t pid = process > 0 ? reading_thread(process) : 0;
    *target = (js_stack_target){.pid = pid, .process.fd = -1};
    target->is_nested = pid > 0 && js_process_own_id(pid, pid) != pid;
    js_debuginfod_init(&target->debuginfod, fetch);
    if (pid <= 0 || (kill(pid, 0) && errno == ESRCH)) {
        return JS_ENOTFOUND;
    }
    int status = js_bytes_init_process(&target->process, pid);
    js_snapshot_init(&target->snapshot, &target->process, MAX_SNAPSHOT);
    target->now = &target->process;
    target->paused = &target->snapshot.bytes;
    status = status ? status : read_mappings(target);
    status = status ? status : create_program(target);
    if (status == JS_OK) {
        find_python(target);
    }
    return status;
}

int js_stack_target_update(js_stack_target *target)
{
    int status = target->core ? JS_OK : read_mappings(target);
    if (status == JS_OK && !target->core && !target->described) {
        find_described(target);
    }
    if (status == JS_OK && !target->core && !target->ndescriptors) {
        status = js_registered_find_descriptors(target->pid, target->descriptors, JS_REGISTERED_LISTS,
                                                &target->ndescriptors);
    }
    return status ? status
                  : js_registered_update(target->registered, target->program, target->now,
                                         target->descriptors, target->ndescriptors);
}

void js_stack_target_deinit(js_stack_target *target)
{
    js_python_destroy(target->python);
    if (!target->core && target->now) {
        js_snapshot_deinit(&target->snapshot);
        js_bytes_deinit(&target->process);
    }
    js_registered_destroy(target->registered);
    js_program_destroy(target->program);
    js_modules_deinit(&target->modules);
    js_mappings_deinit(&target->mappings);
    js_mapped_files_deinit(&target->files);
    *target = (js_stack_target){.process.fd = -1};
}

/* ---- a core ---- */

static int open_of_core(void *context, const js_mapping *first)
{
    const js_stack_target *target = context;
    size_t count;
    const js_core_file *files = js_core_files(target->core, &count);
    int fd = -1;
    for (size_t i = 0; i < count; i++) {
        if (files[i].start == first->start && js_core_file_open(target->core, &files[i], &fd)) {
            fd = -1;
        }
    }
    return fd;
}

/* Add what the core says of one range of memory: its file, if it has one, and whether it is code. */
static int add_range(js_stack_target *target, uint64_t start, uint64_t end, bool is_code,
                     const js_core_mapping *file)
{
    uint64_t vdso;
    bool is_vdso = !file && js_core_auxiliary(target->core, AT_SYSINFO_EHDR, &vdso) == JS_OK && vdso == start;
    js_mapping mapping = {.start = start,
                          .end = end,
                          .offset = file ? file->offset : 0,
                          .path = file      ? file->path
                                  : is_vdso ? "[vdso]"
                                            : "",
                          .is_executable = is_code};
    return js_mappings_add(&target->mappings, &mapping);
}

/* List the ranges of memory: the core's segments, which say what is code, and its mappings of files, and some
 * of these have no segment. Both are in order of addresses. */
static int list_ranges(js_stack_target *target)
{
    size_t nfiles, next = 0;
    const js_core_mapping *files = js_core_mappings(target->core, &nfiles);
    js_core_range range;
    int status = JS_OK;
    for (size_t i = 0; status == JS_OK && js_core_range_at(target->core, i, &range) == JS_OK; i++) {
        for (; next < nfiles && files[next].start < range.start && status == JS_OK; next++) {
            status = add_range(target, files[next].start, files[next].end, true, &files[next]);
        }
        bool is_file = next < nfiles && files[next].start == range.start;
        uint64_t end = is_file && files[next].end < range.end ? files[next].end : range.end;
        status = status ? status
                        : add_range(target, range.start, end, range.is_code, is_file ? &files[next] : NULL);
        next += is_file;
    }
    for (; next < nfiles && status == JS_OK; next++) {
        status = add_range(target, files[next].start, files[next].end, true, &files[next]);
    }
    return status;
}

int js_stack_target_init_core(js_stack_target *target, js_core *core, js_fetch fetch)
{
    *target = (js_stack_target){.core = core, .process.fd = -1};
    js_debuginfod_init(&target->debuginfod, fetch);
    js_core_set_fetch(core, fetch);
    js_mappings_init(&target->mappings);
    target->now = target->paused = js_core_bytes(core);
    int status = list_ranges(target);
    status = status ? status
                    : js_modules_init(&target->modules, &target->mappings, target->now, &target->debuginfod,
                                      open_of_core, target);
    status = status ? status : create_program(target);
    if (status == JS_OK) {
        int found = js_core_find_everywhere(core, descriptor, JS_REGISTERED_LISTS, target->descriptors,
                                            &target->ndescriptors);
        status = found == JS_ENOMEM ? found : JS_OK;
        size_t count;
        js_core_find_everywhere(core, described, 1, &target->described, &count);
        find_python(target);
        js_stack_target_read_python(target);
    }
    return status;
}
