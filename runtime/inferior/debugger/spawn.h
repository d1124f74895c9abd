/* Starts GDB as a process that is no child of this one. Called by attach.c. Async-signal-safe; only
 * one call at a time. */
#ifndef JITSCOPE_SPAWN_H
#define JITSCOPE_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

/* File descriptors in GDB: it reads the permission to begin from the first, and writes its answer to the
 * second. */
enum { SPAWN_GO = 3, SPAWN_ACK = 4 };

/* What to start. Everything is borrowed. */
typedef struct spawn_request {
    const char *path;
    char **argv, **envp;
    int go, ack; /* file descriptors that become SPAWN_GO and SPAWN_ACK; all others but 0, 1 and 2 are closed
                    in GDB */
    bool terminal; /* true: GDB gets standard input; false: it gets /dev/null */
    bool prompts;  /* true: standard output and error go to the terminal too */
    pid_t leader;  /* this process; if it leads its job, GDB gets a job of its own */
} spawn_request;

/* Make this process's job the foreground of the terminal again, after GDB has ended. */
void spawn_reclaim_terminal(void);

/* Start GDB. It becomes no child of this process, so that the program's wait() and SIGCHLD handlers do not
 * see it. Returns 0 with its process id in `pid`, or an errno. */
int spawn_start(const spawn_request *request, pid_t *pid);

#endif
