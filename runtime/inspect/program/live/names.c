/* Follows the compiled code of a live process, and finds the frames of an address. */
#include "program/live/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/mapped_files.h"
#include "bytes/process.h"
#include "program/live/index.h"
#include "program/live/names_state.h"
#include "program/model/object.h"
#include "program/session/qualified.h"
#include "program/session/registered.h"

_Static_assert((int)JS_NAMES_LISTS <= (int)JS_REGISTERED_LISTS, "an update takes all lists");

/* ---- the process ---- */

/* Read when the process began, in clock ticks since the machine did (proc_pid_stat(5), field 22). 0: there is
 * no such process, or it has ended. */
static uint64_t read_start(pid_t pid)
{
    enum { STATE = 1, START = 20 }; /* fields after the command's closing bracket */
    char path[40], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (pid <= 0 || js_process_file(path, sizeof text, text) != JS_OK) {
        return 0;
    }
    char *field = strrchr(text, ')'), *rest = NULL;
    field = field ? strtok_r(field + 1, " ", &rest) : NULL;
    if (!field || *field == 'Z' || *field == 'X') {
        return 0;
    }
    for (int i = STATE; field && i < START; i++) {
        field = strtok_r(NULL, " ", &rest);
    }
    return field ? strtoull(field, NULL, 10) : 0;
}

/* Return a number that changes when the process maps another file of code, or another program. */
static int hash_files(pid_t pid, uint64_t *out)
{
    js_mapped_files files;
    uint64_t hash = 1;
    int status = js_mapped_files_init(&files, pid);
    for (size_t i = 0; i < files.count; i++) {
        if (files.files[i].is_code) {
            hash = (hash ^ files.files[i].start) * 0x9e3779b97f4a7c15u;
            hash = (hash ^ files.files[i].inode ^ hash >> 32) * 0x9e3779b97f4a7c15u;
        }
    }
    js_mapped_files_deinit(&files);
    *out = hash;
    return status;
}

/* True if the process has ended, or is ending and has no memory any more. */
static bool has_ended(const js_names *names)
{
    js_process process;
    return read_start(names->pid) != names->start ||
           js_process_read("/proc", names->pid, &process) != JS_OK || !process.has_memory;
}

int js_names_create(pid_t pid, js_names **out)
{
    *out = NULL;
    js_names *names = calloc(1, sizeof *names);
    if (!names) {
        return JS_ENOMEM;
    }
    names->pid = pid;
    names->bytes.fd = -1;
    names->start = read_start(pid);
    int status = names->start ? js_bytes_init_process(&names->bytes, pid) : JS_ENOTFOUND;
    if (status == JS_OK) {
        status = js_program_create(&names->program);
    }
    if (status == JS_OK) {
        status = js_registered_create(&names->registered);
    }
    if (status) {
        int reason = errno;
        js_names_destroy(names);
        errno = reason;
        return status;
    }
    *out = names;
    return JS_OK;
}

void js_names_destroy(js_names *names)
{
    if (names) {
        js_live_index_deinit(&names->index);
        js_registered_destroy(names->registered);
        js_program_destroy(names->program);
        js_bytes_deinit(&names->bytes);
        free(names);
    }
}

/* ---- an update ---- */

/* Search the files for JITs, if the process has mapped others since the last search. */
static int find_lists(js_names *names)
{
    uint64_t files;
    int status = hash_files(names->pid, &files);
    if (status || files == names->files) {
        return status;
    }
    js_bytes_deinit(&names->bytes); /* its /proc/PID/mem may be another program's */
    status = js_bytes_init_process(&names->bytes, names->pid);
    if (status == JS_OK) {
        status = js_registered_find_descriptors(names->pid, names->descriptors, JS_NAMES_LISTS,
                                                &names->ndescriptors);
    }
    names->files = status == JS_OK ? files : 0;
    return status;
}

/* Find the full names of functions of objects that have come since the last call. */
static int qualify(js_names *names)
{
    const js_program *program = names->program;
    int status = JS_OK;
    for (; status == JS_OK && names->nqualified < program->nobjects; names->nqualified++) {
        js_object *object = program->objects[names->nqualified];
        status = object ? js_object_qualify(object, program->objects, program->nobjects) : JS_OK;
    }
    return status;
}

static void count(js_names *names)
{
    const js_registered_counts *found = js_registered_counted(names->registered);
    names->counts = (js_names_counts){.objects = found->objects,
                                      .functions = names->index.count,
                                      .added = found->added,
                                      .removed = found->removed,
                                      .left_out = found->left_out,
                                      .has_jit = names->ndescriptors != 0,
                                      .is_torn = found->is_torn};
}

int js_names_update(js_names *names)
{
    if (has_ended(names)) {
        return JS_ENOTFOUND;
    }
    int status = find_lists(names);
    if (status == JS_OK) {
        status = js_registered_update(names->registered, names->program, &names->bytes, names->descriptors,
                                      names->ndescriptors);
    }
    if (status == JS_EFAULT) {
        names->files = 0;
    }
    const js_registered_counts *found = js_registered_counted(names->registered);
    int indexed = JS_OK;
    if (found->added || found->removed || status) {
        indexed = qualify(names);
        js_live_index_deinit(&names->index); /* it may refer to objects that are gone */
        indexed = indexed ? indexed : js_live_index_make(&names->index, names->program);
    }
    count(names);
    status = status ? status : indexed;
    int reason = errno;
    bool is_over = has_ended(names); /* then what was read is what was left of it */
    errno = reason;
    return is_over && status != JS_ENOMEM ? JS_ENOTFOUND : status;
}

int js_names_update_at(js_names *names, uint64_t address)
{
    js_registered_set_lazy(names->registered);
    int status = js_names_update(names);
    bool is_added = false;
    if (status == JS_OK) {
        status = js_registered_load(names->registered, names->program, &names->bytes, address, &is_added);
    }
    if (is_added) {
        int indexed = qualify(names);
        js_live_index_deinit(&names->index);
        indexed = indexed ? indexed : js_live_index_make(&names->index, names->program);
        count(names);
        status = status ? status : indexed;
    }
    return status;
}

/* ---- questions ---- */

size_t js_names_at(js_names *names, uint64_t address, js_names_frame *frames, size_t capacity)
{
    js_live_code *code = js_live_index_find(&names->index, address);
    if (!code || js_live_code_read_rows(code) != JS_OK) {
        return 0;
    }
    return js_live_code_frames(code, address, frames, capacity);
}

int js_names_rules_at(const js_names *names, uint64_t address, js_names_rules *out)
{
    const js_live_code *code = js_live_index_find(&names->index, address);
    const js_object *object = code ? code->function->object : NULL;
    for (int is_eh = 0; object && is_eh < 2; is_eh++) {
        js_frame_entry entry;
        uint64_t offset = 0;
        while (js_frames_next(object, is_eh ? &object->eh_frame : &object->debug_frame, is_eh, &offset,
                              &entry)) {
            if (address >= entry.low && address - entry.low < entry.length) {
                *out = (js_names_rules){entry.low,
                                        entry.low + entry.length,
                                        entry.initial,
                                        entry.rows,
                                        entry.initial_size,
                                        entry.size,
                                        entry.code_alignment,
                                        entry.data_alignment,
                                        entry.return_register};
                return JS_OK;
            }
        }
    }
    return JS_ENOTFOUND;
}

const js_names_counts *js_names_counted(const js_names *names)
{
    return &names->counts;
}

int js_names_read(js_names *names, uint64_t address, void *buffer, size_t size)
{
    return js_bytes_read(&names->bytes, address, buffer, size);
}

void js_names_set_flow(js_names *names,
                       int (*flow)(void *context, const char *path, uint32_t line, const char *name,
                                   js_text *out),
                       void *context)
{
    js_program_set_flow(names->program, flow, context);
}
