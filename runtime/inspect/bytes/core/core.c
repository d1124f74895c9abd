/* Opens cores, and answers what they contain. */
#include "bytes/core/core.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes/core/contents.h"
#include "bytes/elf_symbols.h"

/* Read what the core says of itself, when its size is known. */
static int read_contents(js_core *core)
{
    int status = js_core_read_segments(core, js_core_read_notes);
    if (status == JS_OK) {
        status = js_core_link_mappings(core);
    }
    return status == JS_OK ? js_bytes_init_callback(&core->bytes, js_core_read, core) : status;
}

static int open_contents(js_core *core)
{
    struct stat info;
    if (fstat(core->fd, &info) != 0) {
        return JS_ESYS;
    }
    if (!S_ISREG(info.st_mode)) {
        errno = S_ISDIR(info.st_mode) ? EISDIR : ESPIPE;
        return JS_ESYS;
    }
    core->size = (uint64_t)info.st_size;
    core->written = info.st_mtim.tv_sec;
    return read_contents(core);
}

/* Create a core of an open file, which becomes the core's. */
static int create(int fd, js_core **out)
{
    js_core *core = calloc(1, sizeof *core);
    if (!core) {
        close(fd);
        return JS_ENOMEM;
    }
    core->fd = fd;
    core->bytes.fd = -1;
    int status = open_contents(core);
    if (status) {
        int error = errno;
        js_core_destroy(core);
        errno = error;
        return status;
    }
    *out = core;
    return JS_OK;
}

int js_core_create(const char *path, js_core **out)
{
    *out = NULL;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    return fd < 0 ? JS_ESYS : create(fd, out);
}

int js_core_create_fd(int fd, js_core **out)
{
    *out = NULL;
    int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return own < 0 ? JS_ESYS : create(own, out);
}

int js_core_create_served(int fd, const void *head, size_t size, js_core **out)
{
    *out = NULL;
    js_core *core = calloc(1, sizeof *core);
    if (!core) {
        return JS_ENOMEM;
    }
    core->fd = core->bytes.fd = -1;
    core->size = INT64_MAX;
    core->written = INT64_MAX;
    int status = js_served_create(fd, head, size, &core->served);
    status = status ? status : read_contents(core);
    if (status) {
        js_core_destroy(core);
        return status;
    }
    *out = core;
    return JS_OK;
}

void js_core_destroy(js_core *core)
{
    if (!core) {
        return;
    }
    js_bytes_deinit(&core->bytes);
    for (size_t i = 0; i < core->image_count; i++) {
        js_core_image_deinit(&core->images[i]);
    }
    js_debuginfod_deinit(&core->debuginfod);
    free(core->images);
    free(core->root);
    free(core->files);
    free(core->by_path);
    free(core->mappings);
    free(core->names);
    free(core->segments);
    free(core->threads);
    free(core->auxiliary);
    js_served_destroy(core->served);
    if (core->fd >= 0) {
        close(core->fd);
    }
    free(core);
}

void js_core_set_fetch(js_core *core, js_fetch fetch)
{
    core->debuginfod.fetch = fetch;
}

const char *js_core_status_text(int status)
{
    switch (status) {
    case JS_OK:
        return "is a core file";
    case JS_ESYS:
        return "is no file that can be read at any offset";
    case JS_ENOTFOUND:
        return "is no core file";
    case JS_EARG:
        return "is a program or a library, not a core file";
    case JS_EUNSUP:
        return "is a file of another kind of machine";
    case JS_EBAD:
        return "is damaged: its program headers have an unexpected size";
    case JS_EFAULT:
        return "is damaged: it ends within its header";
    case JS_ELIMIT:
        return "is damaged: it has more segments, threads or notes than a process can have";
    default:
        return js_strerror(status);
    }
}

js_bytes *js_core_bytes(js_core *core)
{
    return &core->bytes;
}

uint16_t js_core_machine(const js_core *core)
{
    return core->machine;
}

uint64_t js_core_lacking(const js_core *core)
{
    return core->lacking;
}

const js_core_thread *js_core_threads(const js_core *core, size_t *count)
{
    *count = core->thread_count;
    return core->threads;
}

const js_core_process *js_core_process_of(const js_core *core)
{
    return &core->process;
}

int js_core_auxiliary(const js_core *core, uint64_t key, uint64_t *value)
{
    for (size_t i = 0; i < core->auxiliary_count; i++) {
        if (core->auxiliary[i][0] == key) {
            *value = core->auxiliary[i][1];
            return JS_OK;
        }
    }
    return JS_ENOTFOUND;
}

const char *js_core_executable(const js_core *core)
{
    static const uint64_t keys[] = {AT_PHDR, AT_ENTRY}; /* addresses within the program */
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        uint64_t address;
        const js_core_mapping *mapping =
            js_core_auxiliary(core, keys[i], &address) == JS_OK ? js_core_mapping_at(core, address) : NULL;
        if (mapping) {
            return mapping->path;
        }
    }
    return NULL;
}

const js_core_mapping *js_core_mappings(const js_core *core, size_t *count)
{
    *count = core->mapping_count;
    return core->mappings;
}

const js_core_file *js_core_files(const js_core *core, size_t *count)
{
    *count = core->file_count;
    return core->files;
}

const char *js_core_file_name(const js_core_file *file)
{
    const char *slash = strrchr(file->path, '/');
    return slash ? slash + 1 : file->path;
}

int js_core_file_open(js_core *core, const js_core_file *file, int *fd)
{
    js_core_image *image = &core->images[file->image];
    if (js_core_image_check(core, image) != JS_CORE_PRESENT) {
        return JS_ENOTFOUND;
    }
    *fd = fcntl(image->fd, F_DUPFD_CLOEXEC, 0);
    return *fd < 0 ? JS_ENOTFOUND : JS_OK;
}

int js_core_file_symbols(js_core *core, const js_core_file *file, const char *const *names, size_t count,
                         uint64_t *values)
{
    js_core_image *image = &core->images[file->image];
    if (js_core_image_check(core, image) != JS_CORE_PRESENT) {
        return js_core_dynamic_symbols(&core->bytes, file->start, names, count, values);
    }
    int status = js_elf_find_symbols_fd(image->fd, names, count, values);
    for (size_t i = 0; i < count; i++) {
        values[i] += values[i] ? file->start : 0;
    }
    return status;
}

int js_core_find_everywhere(js_core *core, const char *name, size_t capacity, uint64_t *addresses,
                            size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < core->file_count; i++) {
        uint64_t value;
        if (!core->files[i].is_code || js_core_file_symbols(core, &core->files[i], &name, 1, &value) ||
            !value) {
            continue;
        }
        if (*count == capacity) {
            return JS_ELIMIT;
        }
        addresses[(*count)++] = value;
    }
    return *count ? JS_OK : JS_ENOTFOUND;
}

int js_core_missing(js_core *core, js_core_missing_file **out, size_t *count)
{
    size_t most = core->image_count ? core->image_count : 1;
    bool *seen = calloc(most, sizeof *seen);
    *count = 0;
    *out = calloc(most, sizeof **out);
    if (!*out || !seen) {
        free(seen);
        free(*out);
        *out = NULL;
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < core->file_count; i++) {
        js_core_image *image = &core->images[core->files[i].image];
        if (!core->files[i].is_code || image->path[0] != '/' || seen[core->files[i].image]) {
            continue;
        }
        seen[core->files[i].image] = true;
        js_core_reason reason = js_core_image_check(core, image);
        if (reason != JS_CORE_PRESENT) {
            (*out)[(*count)++] = (js_core_missing_file){image->plain ? image->plain : image->path, reason};
        }
    }
    free(seen);
    return JS_OK;
}
