#include "report/copy.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/clock.h"
#include "report/serve.h"
#include "system/files.h"
#include "system/lines.h"

enum {
    LARGEST_COPIED = 1 << 21, /* pages of memory in use, 8 GiB, up to which the process is copied */
    GRACE_MS = 100,           /* how long the copy may take to end its reader */
    STATM_SIZE = 128,
};

/* Start the reader, and answer it. */
static int serve_reader(const reader_command *command, int64_t until)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
        return errno;
    }
    pid_t reader = reader_start(command, ends[1]);
    close(ends[1]);
    if (reader > 0) {
        serve(ends[0], until);
    }
    close(ends[0]);
    if (reader < 0) {
        return -reader;
    }
    return reader_wait(reader, until) < 0 ? COPY_LATE : 0;
}

/* Close the files of the copy but its outputs: all may be in use. */
static void close_files(int output)
{
    if (output > FILES_FIRST_OTHER) {
        files_close(FILES_FIRST_OTHER, (unsigned)output - 1);
    }
    files_close(output < FILES_FIRST_OTHER ? FILES_FIRST_OTHER : (unsigned)output + 1, ~0U);
}

/* True if the copy of the page tables takes no more than some 0.1 s. */
static bool is_small(void)
{
    char text[STATM_SIZE];
    if (line_read_file("/proc/self/statm", text, sizeof text) <= 0) {
        return true;
    }
    char *at = text; /* `size resident …` in pages (proc(5), statm) */
    while (*at && *at != ' ') {
        at++;
    }
    uint64_t resident = 0;
    for (at += *at == ' '; *at >= '0' && *at <= '9'; at++) {
        resident = resident * 10 + (uint64_t)(*at - '0');
    }
    return resident <= LARGEST_COPIED;
}

int copy_report(const reader_command *command, int64_t until)
{
    pid_t own = getpid();
    long copy = is_small() ? syscall(SYS_clone, 0, NULL, NULL, NULL, 0) : -1; /* no signal at its end */
    if (copy == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != own) {
            _exit(0);
        }
        close_files(command->output);
        _exit(serve_reader(command, until));
    }
    if (copy < 0) {
        return serve_reader(command, until);
    }
    int status = reader_wait((pid_t)copy, until + GRACE_MS);
    return status < 0 ? COPY_LATE : WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
}
