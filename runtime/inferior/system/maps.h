/* The mappings of this process. Async-signal-safe. */
#ifndef JITSCOPE_MAPS_H
#define JITSCOPE_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAPS_LINE = 4352, MAPS_CHUNK = 4096 }; /* a path of at most PATH_MAX bytes, and numbers */

/* A line of /proc/PID/maps (proc(5)): `start-end perms offset device inode path`. */
typedef struct map_line {
    uint64_t start, end, offset;
    const char *path; /* the mapped file, valid until the next line is read; NULL: none */
    bool is_code;
} map_line;

typedef struct maps {
    int fd;
    size_t at, length;
    char chunk[MAPS_CHUNK], text[MAPS_LINE];
} maps;

void maps_open(maps *of);
bool maps_next(maps *of, map_line *line);
void maps_close(maps *of);

#endif
