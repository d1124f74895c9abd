#include "report/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/clock.h"
#include "system/files.h"
#include "system/signals.h"

/* Until its exec the reader shares this process's memory, on a stack of its own, and the caller waits for
 * that. */
enum { STACK_SIZE = 32 * 1024 };

static char stack[STACK_SIZE] __attribute__((aligned(64)));

typedef struct reader_state {
    const reader_command *command;
    pid_t parent;
    int socket, error;
} reader_state;

/* Make the files of the reader. Each may have the number of another: what is closed in this process is free.
 */
static int set_files(const reader_state *state)
{
    int output = state->command->output;
    int socket = fcntl(state->socket, F_DUPFD, FILES_FIRST_OTHER);
    output = output < 0 ? open("/dev/null", O_WRONLY) : output;
    output = fcntl(output, F_DUPFD, FILES_FIRST_OTHER);
    if (socket < 0 || output < 0 || dup2(output, STDERR_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(socket, STDIN_FILENO) < 0) {
        return errno;
    }
    close(socket);
    close(output);
    files_close(FILES_FIRST_OTHER, ~0U);
    return 0;
}

static int run(void *argument)
{
    reader_state *state = argument;
    const struct rlimit none_written = {0, 0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &none_written);
    signals_reset();
    state->error = getppid() == state->parent ? set_files(state) : ESRCH;
    if (!state->error) {
        execve(state->command->path, state->command->argv, state->command->envp);
        state->error = errno;
    }
    _exit(127);
}

pid_t reader_start(const reader_command *command, int socket)
{
    reader_state state = {.command = command, .parent = getpid(), .socket = socket};
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before); /* no handler of the program may run in the reader */
    pid_t pid = clone(run, stack + STACK_SIZE, CLONE_VM | CLONE_VFORK, &state);
    int error = pid < 0 ? errno : state.error;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (pid > 0 && error) {
        waitpid(pid, NULL, (int)__WALL);
    }
    return error ? (pid_t)-error : pid;
}

int reader_wait(pid_t pid, int64_t until)
{
    int status = 0;
    for (;;) {
        pid_t ended = waitpid(pid, &status, (int)__WALL | WNOHANG);
        if (ended == pid) {
            return status;
        }
        if (ended < 0 && errno != EINTR) {
            return 0; /* the program waits for all its children, or ignores their ends */
        }
        if (clock_ms() >= until) {
            kill(pid, SIGKILL);
            waitpid(pid, &status, (int)__WALL);
            return -1;
        }
        clock_step();
    }
}
