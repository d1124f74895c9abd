/* Starts GDB as a process that is no child of this one. */
#include "debugger/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "system/files.h"
#include "system/signals.h"

/* The processes between this one and GDB's exec share this one's memory, and this one waits for them (as with
 * vfork, but each has a stack of its own). No page is copied, however large the program is. */
enum { STACK_SIZE = 32 * 1024, FIRST_FREE = 10 };

typedef struct spawn_state {
    const spawn_request *request;
    pid_t pid;
    int error;
} spawn_state;

static char outer_stack[STACK_SIZE] __attribute__((aligned(64)));
static char inner_stack[STACK_SIZE] __attribute__((aligned(64)));

static int arrange_files(const spawn_request *request)
{
    int go = fcntl(request->go, F_DUPFD, FIRST_FREE), ack = fcntl(request->ack, F_DUPFD, FIRST_FREE);
    if (go < 0 || ack < 0) {
        return errno;
    }
    if (!request->terminal) {
        int null = open("/dev/null", O_RDONLY);
        if (null < 0 || dup2(null, STDIN_FILENO) < 0) {
            return errno;
        }
    } else if (request->prompts) {
        for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
            if (!isatty(fd) && dup2(STDIN_FILENO, fd) < 0) {
                return errno;
            }
        }
    }
    if (dup2(go, SPAWN_GO) < 0 || dup2(ack, SPAWN_ACK) < 0) {
        return errno;
    }
    files_close(SPAWN_ACK + 1, ~0U);
    return 0;
}

/* Make GDB a job of its own, as if a shell had started it: the terminal's signals go either to GDB or to the
 * program, never to both. A program that leads no job gets no terminal from GDB, and so must share one job
 * with GDB. */
static void take_terminal(const spawn_request *request)
{
    if (request->terminal && getpgrp() == request->leader && setpgid(0, 0) == 0) {
        tcsetpgrp(STDIN_FILENO, getpid()); /* all signals are blocked, SIGTTOU too */
    }
}

void spawn_reclaim_terminal(void)
{
    sigset_t stop, before;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTTOU);
    sigprocmask(SIG_BLOCK, &stop, &before);
    tcsetpgrp(STDIN_FILENO, getpgrp());
    sigprocmask(SIG_SETMASK, &before, NULL);
}

static int jitscope_spawn_inner(void *argument)
{
    spawn_state *state = argument;
    state->error = arrange_files(state->request);
    if (!state->error) {
        take_terminal(state->request);
        signals_reset();
        execve(state->request->path, state->request->argv, state->request->envp);
        state->error = errno;
    }
    _exit(127);
}

static int jitscope_spawn_outer(void *argument)
{
    spawn_state *state = argument;
    state->pid =
        clone(jitscope_spawn_inner, inner_stack + STACK_SIZE, CLONE_VM | CLONE_VFORK | SIGCHLD, state);
    if (state->pid < 0) {
        state->error = errno;
    }
    _exit(0);
}

int spawn_start(const spawn_request *request, pid_t *pid)
{
    spawn_state state = {.request = request};
    int saved = errno;
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    /* The process has no exit signal: only a wait for clones, as below, sees it. */
    pid_t between = clone(jitscope_spawn_outer, outer_stack + STACK_SIZE, CLONE_VM | CLONE_VFORK, &state);
    if (between < 0) {
        state.error = errno;
    } else {
        while (waitpid(between, NULL, (int)__WCLONE) < 0 && errno == EINTR) {
        }
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = saved;
    *pid = state.pid;
    return state.error;
}
