/* Takes breakpoint instructions out of another process's code: guard_code.h. */
#include "guard_code.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { INT3 = 0xcc, PAGE = 4096, LINE = 4352 };

/* Open /proc/PID/NAME. -1: that is not allowed. */
static int open_of(int pid, const char *name, int flags)
{
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
    return open(path, flags | O_CLOEXEC);
}

static void put_back(int memory, uint64_t address, uint8_t original)
{
    uint8_t now;
    if (original != INT3 && pread(memory, &now, 1, (off_t)address) == 1 && now == INT3) {
        (void)!pwrite(memory, &original, 1, (off_t)address);
    }
}

/* True if a page of a file's code was written to, by its entry in pagemap: only the process's own copy is no
 * page of the file. Source: Linux, Documentation/admin-guide/mm/pagemap.rst. */
static bool is_written(uint64_t entry)
{
    return (entry >> 63 & 1) && !(entry >> 61 & 1);
}

static void compare_page(int memory, int file, uint64_t address, uint64_t offset)
{
    uint8_t now[PAGE], original[PAGE];
    ssize_t size = pread(file, original, PAGE, (off_t)offset);
    if (size <= 0 || pread(memory, now, (size_t)size, (off_t)address) != size) {
        return;
    }
    for (ssize_t i = 0; i < size; i++) {
        if (now[i] == INT3 && original[i] != INT3) {
            put_back(memory, address + (uint64_t)i, original[i]);
        }
    }
}

typedef struct mapping {
    uint64_t start, end, offset;
    const char *path;
} mapping;

/* Read a line of /proc/PID/maps. False: it maps no code of a file. The path ends where the line does. */
static bool mapping_read(char *line, mapping *of)
{
    char execute;
    int path = 0;
    line[strcspn(line, "\n")] = '\0';
    int got = sscanf(line, "%" SCNx64 "-%" SCNx64 " %*c%*c%c%*c %" SCNx64 " %*s %*s %n", &of->start, &of->end,
                     &execute, &of->offset, &path);
    of->path = line + path;
    return got == 4 && path && execute == 'x' && *of->path == '/';
}

static void compare_file(int pid, int memory, int pages, const mapping *of)
{
    uint64_t entries[PAGE / sizeof(uint64_t)];
    char path[LINE + 32];
    int file = -1;
    for (uint64_t at = of->start; at < of->end;) {
        ssize_t got = pread(pages, entries, sizeof(entries), (off_t)(at / PAGE * sizeof(*entries)));
        if (got < (ssize_t)sizeof(*entries)) {
            break;
        }
        for (size_t i = 0; i < (size_t)got / sizeof(*entries) && at < of->end; i++, at += PAGE) {
            if (!is_written(entries[i])) {
                continue;
            }
            if (file < 0) { /* as the process sees it: it may be in a container */
                snprintf(path, sizeof(path), "/proc/%d/root%s", pid, of->path);
                file = open(path, O_RDONLY | O_CLOEXEC);
            }
            compare_page(memory, file, at, of->offset + (at - of->start));
        }
    }
    if (file >= 0) {
        close(file);
    }
}

static void compare_files(int pid, int memory)
{
    char name[64], line[LINE];
    mapping of;
    snprintf(name, sizeof(name), "/proc/%d/maps", pid);
    int pages = open_of(pid, "pagemap", O_RDONLY);
    FILE *maps = fopen(name, "re");
    while (maps && pages >= 0 && fgets(line, sizeof(line), maps)) {
        if (mapping_read(line, &of)) {
            compare_file(pid, memory, pages, &of);
        }
    }
    if (maps) {
        fclose(maps);
    }
    if (pages >= 0) {
        close(pages);
    }
}

void guard_code_restore(int pid, const guard_place *places, size_t count)
{
    int memory = open_of(pid, "mem", O_RDWR);
    if (memory < 0) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        put_back(memory, places[i].address, places[i].byte);
    }
    compare_files(pid, memory);
    close(memory);
}
