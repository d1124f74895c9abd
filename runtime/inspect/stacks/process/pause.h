/* Lets all threads of a process rest for a moment, by ptrace, and reads their registers. One thread calls all
 * functions of a pause, because ptrace belongs to a thread. When that thread ends, at any point, the kernel
 * lets go of the process, which runs on. */
#ifndef JS_STACKS_PROCESS_PAUSE_H
#define JS_STACKS_PROCESS_PAUSE_H

#include <stdbool.h>
#include <stddef.h>

#include "bytes/traced.h"

/* A thread of the process. */
typedef struct js_paused_thread {
    pid_t id;
    char name[32];   /* as the kernel has it; bytes other than printable ASCII are '?' */
    char state;      /* before the pause: 'R', 'S', 'D', 'T' …; 0: not known */
    bool is_at_rest; /* false: it has not answered (a system call that cannot be interrupted), or has ended */
    js_traced registers; /* if it is at rest */
    int signal;          /* that it was about to receive, and receives when it runs on; 0: none */
    bool is_traced;
} js_paused_thread;

typedef struct js_pause {
    pid_t pid;
    js_paused_thread *threads; /* the process's first thread is the first */
    size_t count, capacity;
    bool is_list;          /* no thread is traced: js_pause_list() */
    uint64_t began, ended; /* CLOCK_MONOTONIC in nanoseconds: the pause itself */
} js_pause;

/* Prepare a pause: trace each thread, which goes on running. JS_ENOTFOUND: there is no such process; JS_ESYS:
 * it may not be traced (js_access_find() says why). After any result the caller calls js_pause_deinit. */
int js_pause_init(js_pause *pause, pid_t pid);
/* List the threads, without tracing any. Errors as in js_pause_init(). */
int js_pause_list(js_pause *pause, pid_t pid);
/* Stop all threads, those that have been created meanwhile too, and read their registers. */
int js_pause_begin(js_pause *pause);
/* Let the process run on, and go on tracing nothing. The threads and their registers stay. */
void js_pause_end(js_pause *pause);
void js_pause_deinit(js_pause *pause);

/* Return the time by which pauses are measured: CLOCK_MONOTONIC in nanoseconds. */
uint64_t js_pause_clock(void);
/* True for a thread that has ended. The first thread of a process stays listed until all others have ended.
 */
bool js_pause_has_ended(pid_t pid, pid_t thread);

#endif
