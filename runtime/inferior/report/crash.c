/* Reports crashes: the signal handler, and what is prepared for it. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "jitscope_report.h"
#include "report/clock.h"
#include "report/copy.h"
#include "report/reader.h"
#include "report/registers.h"
#include "report/threads.h"
#include "system/files.h"
#include "system/lines.h"
#include "workers/workers.h"

enum {
    MESSAGE = 256,
    THREADS_MS = 300, /* how long threads may take to answer */
    LEFT_MS = 1000,   /* how long threads wait beyond the report for the end of the process */
};

static reader_command command;
static int32_t limit_ms;
static struct stat output;         /* what identifies the file that reports go to */
static void *const *abort_message; /* glibc's __abort_msg; NULL: another C library, or another version */
static int spare = -1; /* a file that is closed while a report is made: all others may be in use */

static jitscope_report_process process;
static struct sigaction before[NSIG];
static atomic_bool is_caught[NSIG];
static atomic_bool is_raised_only[NSIG]; /* it is reported only if this process has sent it by raise() */
static _Atomic pid_t reporting;          /* the thread that reports; 0: none does */

/* Write a line to standard error, unless that would wait, or raise SIGPIPE. */
static void say(const char *text, long error)
{
    char message[MESSAGE];
    line_text line;
    line_init(&line, message, sizeof message);
    line_add(&line, "jitscope: ");
    line_add(&line, text);
    if (error) {
        line_add(&line, ": error ");
        line_add_number(&line, error);
    }
    struct pollfd file = {STDERR_FILENO, POLLOUT, 0};
    if (poll(&file, 1, 0) == 1 && file.revents == POLLOUT) {
        line_write(message);
    }
}

/* True if the file is still the one that was opened here: programs close all files, and open others. */
static bool is_output(int fd)
{
    struct stat now;
    return fd >= 0 && fstat(fd, &now) == 0 && now.st_dev == output.st_dev && now.st_ino == output.st_ino;
}

static void take_spare(void)
{
    spare = is_output(command.output) ? fcntl(command.output, F_DUPFD_CLOEXEC, FILES_FIRST_OTHER) : -1;
}

static void report(const siginfo_t *info, const void *context)
{
    int64_t until = clock_ms() + limit_ms;
    reader_command now = command;
    struct stat error_output;
    process.version = JITSCOPE_REPORT_VERSION;
    process.size = sizeof process;
    process.pid = getpid();
    process.signal = info ? info->si_signo : 0;
    process.code = info ? info->si_code : 0;
    process.address = info && info->si_code > 0 ? (uint64_t)(uintptr_t)info->si_addr : 0;
    process.left_out = 0;
    process.abort_message = abort_message ? (uint64_t)(uintptr_t)*abort_message : 0;
    if (is_output(spare)) {
        close(spare);
    }
    threads_hold(&process, context, THREADS_MS, until + LEFT_MS);
    if (!is_output(now.output)) {
        now.output = fstat(STDERR_FILENO, &error_output) == 0 ? STDERR_FILENO : -1;
    }
    int error = copy_report(&now, until);
    if (error == COPY_LATE) {
        say("the report was not ready in time, and was ended", 0);
    } else if (error) {
        say("the crash cannot be reported, because no process can be started for it", error);
    }
    take_spare();
}

/* Begin a report in this thread. False: another one reports; wait for it if it ends the process. */
static bool begin(pid_t own, bool waits)
{
    int64_t until = clock_ms() + limit_ms + LEFT_MS;
    for (;;) {
        pid_t other = 0;
        if (atomic_compare_exchange_strong(&reporting, &other, own)) {
            return true;
        }
        /* A child that was forked meanwhile has no such thread. */
        bool is_gone = syscall(SYS_tgkill, getpid(), other, 0) < 0 && errno == ESRCH;
        if (is_gone && atomic_compare_exchange_strong(&reporting, &other, own)) {
            return true;
        }
        if (other == own || !waits || clock_ms() >= until) {
            return false;
        }
        clock_step();
    }
}

static void end(void)
{
    threads_release();
    atomic_store(&reporting, 0);
}

static void report_and_go_on(const void *context)
{
    if (begin((pid_t)syscall(SYS_gettid), false)) {
        report(NULL, context);
        end();
    }
}

/* True if the signal is one to report: others that the process sends to itself, such as by kill(), are none.
 */
static bool is_crash(int number, const siginfo_t *info)
{
    return !atomic_load(&is_raised_only[number]) || (info->si_code == SI_TKILL && info->si_pid == getpid());
}

static void handle(int number, siginfo_t *info, void *context)
{
    int saved = errno;
    pid_t own = (pid_t)syscall(SYS_gettid);
    threads_wait_with(info, context);
    bool is_reported = is_crash(number, info) && begin(own, true);
    threads_wait_over();
    if (is_reported) {
        report(info, context);
    }
    sigaction(number, &before[number], NULL);
    bool ends = !(before[number].sa_flags & SA_SIGINFO) && before[number].sa_handler == SIG_DFL;
    if (is_reported && !ends) { /* otherwise no other thread may do anything before the end */
        end();
    }
    /* This signal comes again when this returns, and goes the way it would have gone. */
    if (syscall(SYS_rt_tgsigqueueinfo, getpid(), own, number, info) < 0 && info->si_code <= 0) {
        syscall(SYS_tgkill, getpid(), own, number);
    }
    errno = saved;
}

/* Copy texts, which a NULL ends, to memory that stays: the process may crash when all others are gone. */
static char *const *kept(const char *const *texts)
{
    size_t count = 0, size = 0;
    for (; texts[count]; count++) {
        size += strlen(texts[count]) + 1;
    }
    char **copy = malloc((count + 1) * sizeof *copy + size);
    char *at = copy ? (char *)(copy + count + 1) : NULL;
    for (size_t i = 0; copy && i < count; i++) {
        copy[i] = at;
        at = stpcpy(at, texts[i]) + 1;
    }
    if (copy) {
        copy[count] = NULL;
    }
    return copy;
}

/* Give a pool's thread a stack for signals at its first work, unless it has one. */
static void begin_worker(void)
{
    jitscope_report_thread_begin();
}

int jitscope_report_enable(const jitscope_report_plan *plan)
{
    if (!REGISTERS_ARE_KNOWN) {
        return -ENOSYS;
    }
    /* The texts of a plan before stay, because a handler may use them. */
    char *const *argv = kept(plan->argv), *const *envp = kept(plan->envp);
    if (!argv || !envp) {
        free((void *)argv), free((void *)envp);
        return -ENOMEM;
    }
    int fd = fcntl(plan->output, F_DUPFD_CLOEXEC, FILES_FIRST_OTHER);
    const int others[] = {spare, command.output};
    for (size_t i = 0; command.path && i < sizeof others / sizeof others[0]; i++) {
        if (is_output(others[i])) {
            close(others[i]);
        }
    }
    if (fd < 0 || fstat(fd, &output) < 0) {
        memset(&output, 0, sizeof output);
    }
    command = (reader_command){.path = argv[0], .argv = argv, .envp = envp, .output = fd};
    limit_ms = plan->limit_ms;
    abort_message = (void *const *)dlsym(RTLD_DEFAULT, "__abort_msg");
    take_spare();
    workers_set_begin(begin_worker);
    int status = jitscope_report_thread_begin();
    if (!status) {
        jitscope_report_loaded();
        threads_give_stacks(&process, THREADS_MS);
    }
    return status;
}

const jitscope_report_process *jitscope_report_described(void)
{
    return &process;
}

/* Set a handler, and keep the one before. */
static int set_handler(int number, void (*handler)(int, siginfo_t *, void *), int flags)
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK | flags};
    sigemptyset(&action.sa_mask);
    if (number <= 0 || number >= NSIG) {
        return -EINVAL;
    }
    struct sigaction old;
    if (sigaction(number, &action, &old) < 0) {
        return -errno;
    }
    if (!atomic_exchange(&is_caught[number], true)) {
        before[number] = old;
    }
    return 0;
}

int jitscope_report_catch(int number)
{
    return set_handler(number, handle, 0);
}

int jitscope_report_catch_raised(int number)
{
    struct sigaction now;
    if (number <= 0 || number >= NSIG) {
        return -EINVAL;
    }
    if (sigaction(number, NULL, &now) < 0) {
        return -errno;
    }
    if (atomic_load(&is_caught[number]) || now.sa_flags & SA_SIGINFO || now.sa_handler != SIG_DFL) {
        return 0; /* the program does not end by it */
    }
    atomic_store(&is_raised_only[number], true);
    return set_handler(number, handle, 0);
}

static void handle_request(int number, siginfo_t *info, void *context)
{
    int saved = errno;
    (void)number, (void)info;
    report_and_go_on(context);
    errno = saved;
}

int jitscope_report_on(int number)
{
    return set_handler(number, handle_request, SA_RESTART);
}

int jitscope_report_release(int number)
{
    struct sigaction now;
    if (number <= 0 || number >= NSIG || !atomic_exchange(&is_caught[number], false)) {
        return 0;
    }
    atomic_store(&is_raised_only[number], false);
    bool is_ours = sigaction(number, NULL, &now) == 0 &&
                   (now.sa_sigaction == handle || now.sa_sigaction == handle_request);
    return !is_ours || sigaction(number, &before[number], NULL) == 0 ? 0 : -errno;
}

void jitscope_report_now(void)
{
    ucontext_t context;
    if (getcontext(&context) == 0) {
        report_and_go_on(&context);
    }
}
