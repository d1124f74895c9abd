/* Reads facts about a process from /proc. Source of the formats: proc(5), user_namespaces(7). */
#ifndef JS_BYTES_PROCESS_H
#define JS_BYTES_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bytes/status.h"

enum { JS_ID_REAL, JS_ID_EFFECTIVE, JS_ID_SAVED, JS_IDS };

/* A process, or a thread of one. */
typedef struct js_process {
    pid_t pid;   /* its id in the PID namespace that the /proc belongs to */
    pid_t group; /* the process that this is a thread of; `pid` if it is no thread */
    pid_t parent;
    pid_t tracer;    /* its debugger; 0: it has none, or one in another PID namespace */
    char name[33];   /* its command; bytes other than printable ASCII are '?' */
    char state;      /* 'R', 'S', 'Z' … */
    bool has_memory; /* false for kernel threads and for processes that have ended */
    uint32_t uid[JS_IDS], gid[JS_IDS];
    uint32_t owner; /* owner of /proc/PID/status: uid[JS_ID_EFFECTIVE], unless the process is undumpable */
    uint64_t permitted, effective; /* capabilities, bit CAP_… */
    int seccomp;                   /* 0 off, 1 strict, 2 filter */
    bool no_new_privs;
    uint64_t user_namespace; /* the inode of ns/user; 0 when it may not be read */
    char user_map[256]; /* contents of uid_map, which can always be read, and which differs between most user
                           namespaces */
    char label[128];    /* what the security module says (attr/current); "" if there is none */
} js_process;

/* Read the process `pid` of the folder `proc` ("/proc"); `pid` 0: this process. JS_ENOTFOUND: there is no
 * such process, or it is hidden; JS_EBAD: the file `status` is malformed. Allocates nothing. */
JS_API int js_process_read(const char *proc, pid_t pid, js_process *out);
/* Return the id by which a thread of a process knows itself: that in its own PID namespace. 0: not known. */
pid_t js_process_own_id(pid_t pid, pid_t thread);
/* Read a small file, cut to `size` - 1 bytes, with a NUL and without a newline at its end. JS_ENOTFOUND: it
 * cannot be read. */
int js_process_file(const char *path, size_t size, char *out);

#endif
