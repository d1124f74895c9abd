/* What a core consists of, for the files of this folder. */
#ifndef JS_BYTES_CORE_CONTENTS_H
#define JS_BYTES_CORE_CONTENTS_H

#include <gelf.h>

#include "bytes/core/core.h"
#include "bytes/core/served.h"

enum { PAGE = 4096, HEADERS_MAX = 4096, BUILD_ID_MAX = 64 };

/* A build-id; `size` 0: there is none. */
typedef struct js_core_build_id {
    uint8_t bytes[BUILD_ID_MAX];
    size_t size;
} js_core_build_id;

/* A segment of memory (PT_LOAD). */
typedef struct js_core_segment {
    uint64_t start, end; /* addresses: [start, end) */
    uint64_t held;       /* bytes from `start` on that the core holds if it is complete */
    uint64_t offset;     /* where those are in the core's file */
    bool is_writable, is_code;
} js_core_segment;

/* A part of a program or library that the loader maps (PT_LOAD of the file on disk). */
typedef struct js_core_part {
    uint64_t start, end; /* offsets in the file, rounded to pages */
    uint64_t distance;   /* its addresses minus its offsets, rounded to pages */
    bool is_writable;
} js_core_part;

/* A mapped file, and what is known of the one on disk. */
typedef struct js_core_image {
    const char *path;    /* as in js_core_mapping */
    size_t first, count; /* its mappings: core->by_path[first] … */
    char *plain;         /* without " (deleted)", for callers; owned; NULL: the path has none */
    bool is_checked;     /* `reason` is known */
    js_core_reason reason;
    int fd;              /* the file on disk; -1: not open */
    uint64_t size;       /* bytes of the file on disk */
    js_core_part *parts; /* owned */
    size_t part_count;
} js_core_image;

struct js_core {
    int fd;            /* -1: it is served */
    js_served *served; /* owned; NULL: the core is a file */
    uint64_t size;     /* bytes of the core's file */
    uint64_t lacking;  /* bytes that the file lacks at its end */
    int64_t written;   /* when the file was last written, in seconds since 1970 */
    uint16_t machine;
    js_core_segment *segments; /* sorted by `start` */
    size_t segment_count;
    bool lacks_segments;       /* the file ends before the last program header */
    char *names;               /* the contents of NT_FILE, which paths point into */
    js_core_mapping *mappings; /* sorted by `start` */
    size_t mapping_count;
    js_core_mapping **by_path; /* the mappings, sorted by path, then by `start` */
    js_core_image *images;
    size_t image_count;
    char *root;         /* folder below which the files are; owned; NULL: "/" */
    size_t open_images; /* number of images whose `fd` is open */
    js_debuginfod debuginfod;
    js_core_file *files;
    size_t file_count;
    js_core_thread *threads;
    size_t thread_count, thread_capacity;
    size_t note_count;        /* notes that were read */
    uint64_t (*auxiliary)[2]; /* AT_*, value */
    size_t auxiliary_count;
    js_core_process process;
    js_bytes bytes;
};

/* ---- segments.c ---- */

/* Read exactly `size` bytes of a file. JS_EFAULT: it ends before. */
int js_core_pread(int fd, uint64_t offset, void *buffer, size_t size);
/* Likewise of the core's own file, or of what takes its place. */
int js_core_read_file(const js_core *core, uint64_t offset, void *buffer, size_t size);
/* Note that a complete core has these bytes of the file. */
void js_core_require(js_core *core, uint64_t offset, uint64_t size);
/* Read the header and the program headers. Each PT_NOTE is passed to `note`, whose error ends the reading. */
int js_core_read_segments(js_core *core, int (*note)(js_core *core, uint64_t offset, uint64_t size));
/* Return the segment that contains the address, or NULL; *next gets where the next one begins, or
 * UINT64_MAX. */
const js_core_segment *js_core_segment_at(const js_core *core, uint64_t address, uint64_t *next);
/* Return how many bytes from an address of the segment on the file has. */
uint64_t js_core_held(const js_core *core, const js_core_segment *segment, uint64_t address);

/* ---- registers.c ---- */

/* True if the threads of this machine (EM_*) can be read. */
bool js_core_knows_machine(uint16_t machine);
/* Read a thread from the contents of NT_PRSTATUS. JS_EBAD: they are too short. */
int js_core_read_thread(uint16_t machine, const uint8_t *status, size_t size, js_core_thread *out);

/* ---- notes.c ---- */

/* Read the notes at this place of the file. */
int js_core_read_notes(js_core *core, uint64_t offset, uint64_t size);

/* ---- mappings.c ---- */

/* Read the contents of NT_FILE, which become the core's. */
int js_core_read_mappings(js_core *core, char *contents, size_t size);
/* Find the images and the files, when all mappings and segments are known. */
int js_core_link_mappings(js_core *core);
/* Return the mapping that contains the address, or NULL. */
const js_core_mapping *js_core_mapping_at(const js_core *core, uint64_t address);

/* ---- images.c ---- */

/* Find out whether the image's file on disk is the one that was mapped, and open it if so. */
js_core_reason js_core_image_check(js_core *core, js_core_image *image);
/* Read bytes that the core leaves out from the image's file. JS_EFAULT: that proves nothing. */
int js_core_image_read(js_core *core, const js_core_mapping *mapping, uint64_t address, void *buffer,
                       size_t size);
void js_core_image_deinit(js_core_image *image);

/* ---- proof.c ---- */

/* Compare the first page that the core holds with the file's. JS_CORE_UNPROVEN: the core does not hold it. */
js_core_reason js_core_compare_heads(js_core *core, const js_core_mapping *first, int fd);
/* Find the build-id of a file in the first page that the core holds of it. */
void js_core_find_build_id(js_core *core, const js_core_mapping *first, js_core_build_id *out);

/* ---- memory.c ---- */

/* The js_read_fn of a core, which is `context`. */
int js_core_read(void *context, uint64_t address, void *buffer, size_t size);

/* ---- dynamic.c ---- */

/* Find dynamic symbols in the memory of a file that is mapped at `start`. JS_ENOTFOUND: the memory cannot be
 * read, or has no such table. */
int js_core_dynamic_symbols(js_bytes *bytes, uint64_t start, const char *const *names, size_t count,
                            uint64_t *values);

#endif
