/* Lists the files that a live process has mapped, and finds ELF symbols in them: the symbols' addresses are
 * those in the process. stacks/cpython/find_runtime.c and program/session/find_descriptors.c use it. */
#ifndef JS_BYTES_MAPPED_FILES_H
#define JS_BYTES_MAPPED_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bytes/arena.h"
#include "bytes/maps/mappings.h"
#include "bytes/status.h"

/* A file whose first byte is mapped. */
typedef struct js_mapped_file {
    uint64_t start, end; /* the mapping of the file's first byte: [start, end) */
    uint64_t inode;
    const char *path; /* as /proc/PID/maps has it: in the mount namespace of the process, with " (deleted)" at
                         the end if the file has no name any more; owned by the list */
    bool is_code;     /* a part of the file is mapped executable */
} js_mapped_file;

/* The files in order of addresses. A file that is mapped twice is there twice. */
typedef struct js_mapped_files {
    pid_t pid;
    js_mapped_file *files;
    size_t count, capacity;
    js_arena paths;
} js_mapped_files;

/* Read /proc/PID/maps, up to 4,096 files (what a process maps beyond them is not listed). The caller releases
 * `files` by js_mapped_files_deinit(), also after an error. JS_ESYS: there is no such process, or its
 * mappings may not be read, as errno says; JS_ENOMEM. */
int js_mapped_files_init(js_mapped_files *files, pid_t pid);
/* List the files of mappings that have been read. The caller releases `files` likewise. JS_ENOMEM. */
int js_mapped_files_init_mappings(js_mapped_files *files, pid_t pid, const js_mappings *mappings);
void js_mapped_files_deinit(js_mapped_files *files);

/* Open the file as the process sees it, in its own mount namespace and root folder; a deleted one, or one
 * that has been replaced, by the kernel's links to the mapping and to the executable, where these may be
 * followed. The caller closes *fd. JS_ENOTFOUND: it is no regular file, is another file now, or may not be
 * read. */
int js_mapped_file_open(const js_mapped_files *files, const js_mapped_file *file, int *fd);

/* Find symbols of the file by name. values[i] gets the address of names[i] in the process; 0: the file
 * defines no such symbol. JS_ENOTFOUND: the file cannot be opened, or is no ELF file with segments. */
int js_mapped_file_symbols(const js_mapped_files *files, const js_mapped_file *file, const char *const *names,
                           size_t count, uint64_t *values);

/* Return the part of the path after the last slash. */
const char *js_mapped_file_name(const js_mapped_file *file);

#endif
