/* Lists and opens the files that a process has mapped. */
#include "bytes/mapped_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes/elf_symbols.h"
#include "bytes/vector.h"

enum { MAX_FILES = 4096 };

static int add_mapping(js_mapped_files *files, const js_mapping *item)
{
    if (item->offset != 0) {
        /* The mappings of a file follow one another. */
        js_mapped_file *last = files->count ? &files->files[files->count - 1] : NULL;
        if (last && last->inode == item->inode) {
            last->is_code |= item->is_executable;
        }
        return JS_OK;
    }
    js_mapped_file *all =
        js_vector_reserve(files->files, &files->capacity, files->count + 1, sizeof *files->files);
    if (!all) {
        return JS_ENOMEM;
    }
    files->files = all;
    const char *path = js_arena_strdup(&files->paths, item->path);
    if (!path) {
        return JS_ENOMEM;
    }
    all[files->count++] = (js_mapped_file){.start = item->start,
                                           .end = item->end,
                                           .inode = item->inode,
                                           .path = path,
                                           .is_code = item->is_executable};
    return JS_OK;
}

int js_mapped_files_init_mappings(js_mapped_files *files, pid_t pid, const js_mappings *mappings)
{
    int status = JS_OK;
    *files = (js_mapped_files){.pid = pid};
    js_arena_init(&files->paths, 0);
    for (size_t i = 0; i < mappings->count && files->count < MAX_FILES && status == JS_OK; i++) {
        const js_mapping *item = &mappings->items[i];
        status = item->inode && item->path[0] == '/' ? add_mapping(files, item) : JS_OK;
    }
    return status;
}

int js_mapped_files_init(js_mapped_files *files, pid_t pid)
{
    js_mappings mappings;
    int status = js_mappings_init_process(&mappings, pid), error = errno;
    bool has_some = status == JS_OK || status == JS_ENOTFOUND || status == JS_ELIMIT;
    *files = (js_mapped_files){.pid = pid};
    status = has_some ? js_mapped_files_init_mappings(files, pid, &mappings) : status;
    js_mappings_deinit(&mappings);
    errno = error;
    return status;
}

void js_mapped_files_deinit(js_mapped_files *files)
{
    free(files->files);
    js_arena_deinit(&files->paths);
    *files = (js_mapped_files){0};
}

/* Open the file if it is a regular file with this inode. A FIFO that is there now must not make the caller
 * wait. */
static int open_inode(const char *path, uint64_t inode, int *fd)
{
    struct stat info;
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (*fd < 0) {
        return JS_ENOTFOUND;
    }
    if (fstat(*fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_ino == inode) {
        return JS_OK;
    }
    close(*fd);
    *fd = -1;
    return JS_ENOTFOUND;
}

int js_mapped_file_open(const js_mapped_files *files, const js_mapped_file *file, int *fd)
{
    size_t size = strlen(file->path) + 64;
    char *path = malloc(size);
    *fd = -1;
    if (!path) {
        return JS_ENOMEM;
    }
    int pid = (int)files->pid;
    snprintf(path, size, "/proc/%d/root%s", pid, file->path);
    int status = open_inode(path, file->inode, fd);
    if (status == JS_ENOTFOUND) {
        snprintf(path, size, "/proc/%d/exe", pid);
        status = open_inode(path, file->inode, fd);
    }
    if (status == JS_ENOTFOUND) {
        snprintf(path, size, "/proc/%d/map_files/%llx-%llx", pid, (unsigned long long)file->start,
                 (unsigned long long)file->end);
        status = open_inode(path, file->inode, fd);
    }
    free(path);
    return status;
}

int js_mapped_file_symbols(const js_mapped_files *files, const js_mapped_file *file, const char *const *names,
                           size_t count, uint64_t *values)
{
    int fd;
    memset(values, 0, count * sizeof *values);
    int status = js_mapped_file_open(files, file, &fd);
    if (status) {
        return status;
    }
    status = js_elf_find_symbols_fd(fd, names, count, values);
    close(fd);
    for (size_t i = 0; i < count && status == JS_OK; i++) {
        values[i] += values[i] ? file->start : 0;
    }
    return status;
}

const char *js_mapped_file_name(const js_mapped_file *file)
{
    const char *slash = strrchr(file->path, '/');
    return slash ? slash + 1 : file->path;
}
