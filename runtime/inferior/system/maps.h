/* Reads the mappings of this process from /proc/self/maps. Async-signal-safe. */
#ifndef JITSCOPE_MAPS_H
#define JITSCOPE_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MAPS_LINE = 4352,
    MAPS_CHUNK = 4096
}; /* a path of at most PATH_MAX bytes, and the numbers before it */

/* A line of /proc/PID/maps (proc(5)): `start-end perms offset device inode path`. */
typedef struct map_line {
    uint64_t start, end, offset;
    const char *path; /* the mapped file, valid until the next line is read; NULL: none */
    bool is_code;     /* true if it is executable */
} map_line;

/* The file that is being read. */
typedef struct maps {
    int fd;
    size_t at, length;
    char chunk[MAPS_CHUNK], text[MAPS_LINE];
} maps;

/* Begin at the first mapping. If the file cannot be opened, there are no mappings. */
void maps_open(maps *of);
/* Read the next mapping. False: there is no other. */
bool maps_next(maps *of, map_line *line);
void maps_close(maps *of);

#endif
