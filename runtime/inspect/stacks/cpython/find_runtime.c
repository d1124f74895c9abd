/* Finds _PyRuntime of a live process: an exported symbol of python or libpython, by /proc/PID/maps and ELF.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes/elf_symbols.h"
#include "stacks/python.h"

enum { MAX_FILES = 4096, PATH_SIZE = 4096 };

typedef struct mapped_file {
    uint64_t start; /* address where offset 0 is mapped */
    uint64_t inode;
    char path[PATH_SIZE];
} mapped_file;

/* Search a file for the symbol. JS_ENOTFOUND: it is another file now, no ELF, or has no such symbol. */
static int search_file(const char *path, const mapped_file *file, pid_t pid, uint64_t *runtime,
                       uint32_t *version)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return JS_ENOTFOUND;
    }
    int status = JS_ENOTFOUND;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_ino == file->inode) {
        const char *const names[] = {"_PyRuntime", "Py_Version"};
        uint64_t values[2];
        js_bytes bytes;
        if (js_elf_find_symbols_fd(fd, names, 2, values) == JS_OK && values[0] != 0) {
            *runtime = values[0] + file->start;
            *version = 0;
            status = js_bytes_init_process(&bytes, pid);
            uint64_t value;
            if (status == JS_OK && values[1] != 0 &&
                js_bytes_read_uint(&bytes, values[1] + file->start, 4, &value) == JS_OK) {
                *version = (uint32_t)value;
            }
            js_bytes_deinit(&bytes);
        }
    }
    close(fd);
    return status;
}

static int search_mapped(const mapped_file *file, pid_t pid, uint64_t *runtime, uint32_t *version)
{
    /* The file is opened as the process sees it (chroot, container); a deleted one by its mapping, if that is
     * allowed. */
    char path[PATH_SIZE + 64];
    snprintf(path, sizeof path, "/proc/%d/root%s", (int)pid, file->path);
    int status = search_file(path, file, pid, runtime, version);
    if (status == JS_ENOTFOUND) {
        snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
        status = search_file(path, file, pid, runtime, version);
    }
    return status;
}

/* Read a line of /proc/PID/maps. False: it maps no start of a file. */
static bool parse_mapping(char *line, mapped_file *out)
{
    unsigned long start, offset, inode;
    int path = 0;
    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, "%lx-%*x %*s %lx %*s %lu %n", &start, &offset, &inode, &path) != 3 || path == 0 ||
        offset != 0 || inode == 0 || line[path] != '/') {
        return false;
    }
    out->start = start;
    out->inode = inode;
    snprintf(out->path, sizeof out->path, "%s", line + path);
    return true;
}

/* Search the mapped files, with the most likely ones first: those whose name contains "python", then the
 * others. */
static int search_maps(FILE *maps, pid_t pid, bool named, uint64_t *runtime, uint32_t *version)
{
    mapped_file file;
    char *line = NULL;
    size_t capacity = 0;
    int status = JS_ENOTFOUND;
    for (unsigned n = 0; status == JS_ENOTFOUND && n < MAX_FILES && getline(&line, &capacity, maps) > 0;) {
        if (!parse_mapping(line, &file)) {
            continue;
        }
        const char *name = strrchr(file.path, '/');
        if ((strstr(name, "python") != NULL) == named) {
            status = search_mapped(&file, pid, runtime, version);
            n++;
        }
    }
    free(line);
    return status;
}

int js_python_find_runtime(pid_t pid, uint64_t *runtime, uint32_t *version)
{
    char path[40];
    *runtime = 0;
    *version = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "re");
    if (!maps) {
        return JS_ESYS;
    }
    int status = search_maps(maps, pid, true, runtime, version);
    if (status == JS_ENOTFOUND) {
        rewind(maps);
        status = search_maps(maps, pid, false, runtime, version);
    }
    fclose(maps);
    return status;
}
