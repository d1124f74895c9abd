/* Starts GDB beside this process. Async-signal-safe; one at a time. */
#ifndef JITSCOPE_SPAWN_H
#define JITSCOPE_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

enum { SPAWN_GO = 3, SPAWN_ACK = 4 }; /* the descriptors in GDB */

typedef struct spawn_request {
    const char *path;
    char **argv, **envp;
    int go, ack;   /* become SPAWN_GO and SPAWN_ACK; all others but 0, 1, 2 are closed there */
    bool terminal; /* standard input goes along; else it is /dev/null */
    bool prompts;  /* standard output and error go to the terminal too */
    pid_t leader;  /* this process: when it leads its job, GDB gets a job of its own */
} spawn_request;

/* The foreground of the terminal for this process's job again, when GDB is gone. */
void spawn_reclaim_terminal(void);

/* GDB becomes no child of this process, so that no wait() and no SIGCHLD of the program meets it. Returns 0
 * and its process id in `pid`, or an errno. */
int spawn_start(const spawn_request *request, pid_t *pid);

#endif
