/* The memory mappings of a process or a core: which file, if any, is mapped at an address. Source: proc(5),
 * /proc/PID/maps. */
#ifndef JS_BYTES_MAPS_MAPPINGS_H
#define JS_BYTES_MAPS_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bytes/arena.h"
#include "bytes/status.h"

typedef struct js_mapping {
    uint64_t start, end;
    uint64_t offset;  /* in the file, in bytes */
    uint64_t inode;   /* 0: no file, or not known */
    const char *path; /* "": memory without a file; "[stack]", "[vdso]" … */
    bool is_executable;
} js_mapping;

typedef struct js_mappings {
    js_mapping *items; /* in order of addresses */
    size_t count, capacity;
    js_arena arena;
} js_mappings;

/* Begin with no mapping. */
void js_mappings_init(js_mappings *mappings);
/* Read the mappings of a process. JS_ESYS: there is no such process, or its mappings may not be read, as
 * errno says; JS_ENOTFOUND: it has ended and has none. The caller releases `mappings` also after an error. */
int js_mappings_init_process(js_mappings *mappings, pid_t pid);
void js_mappings_deinit(js_mappings *mappings);
/* Add a mapping above all others. The path is copied. */
int js_mappings_add(js_mappings *mappings, const js_mapping *mapping);
/* Return the mapping that holds the address, or NULL. */
const js_mapping *js_mappings_at(const js_mappings *mappings, uint64_t address);
/* Return the mapping of the same file's first byte, which comes before this one; NULL: there is none. */
const js_mapping *js_mappings_first(const js_mappings *mappings, const js_mapping *mapping);

#endif
