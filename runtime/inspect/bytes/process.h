/* Facts about a process, from /proc. Source of the formats: proc(5), user_namespaces(7). */
#ifndef JS_BYTES_PROCESS_H
#define JS_BYTES_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bytes/status.h"

enum { JS_ID_REAL, JS_ID_EFFECTIVE, JS_ID_SAVED, JS_IDS };

typedef struct js_process {
    pid_t pid;   /* as in the PID namespace that the /proc belongs to */
    pid_t group; /* the process that this is a thread of; itself when it is no thread */
    pid_t parent;
    pid_t tracer;    /* 0: none, or one in another PID namespace */
    char name[33];   /* bytes that are no printable ASCII are '?' */
    char state;      /* 'R', 'S', 'Z' … */
    bool has_memory; /* kernel threads, and processes that have ended, have none */
    uint32_t uid[JS_IDS], gid[JS_IDS];
    uint32_t owner; /* owner of /proc/PID/status: uid[JS_ID_EFFECTIVE], unless the process is undumpable */
    uint64_t permitted, effective; /* capabilities, bit CAP_… */
    int seccomp;                   /* 0 off, 1 strict, 2 filter */
    bool no_new_privs;
    uint64_t user_namespace; /* the inode of ns/user; 0 when it may not be read */
    char user_map[256];      /* uid_map, which may be read always, and differs between most user namespaces */
    char label[128];         /* the security module's: attr/current; "" when there is none */
} js_process;

/* The process `pid` of the tree `proc` ("/proc"); 0 is this process. JS_ENOTFOUND when there is none (or it
 * is hidden), JS_EBAD when the file is no process' status. Allocates nothing. */
JS_API int js_process_read(const char *proc, pid_t pid, js_process *out);
/* The whole of a small file, cut at `size - 1` bytes and NUL-terminated, without a newline at its end;
 * JS_ENOTFOUND when it cannot be read. */
int js_process_file(const char *path, size_t size, char *out);

#endif
