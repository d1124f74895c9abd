/* Starts GDB, hands it this process by a handshake over two pipes, and waits for its answer: jitscope_attach.
 */
#include "debugger/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "debugger/spawn.h"
#include "jitscope.h"
#include "rendezvous/sentinel.h"
#include "system/lines.h"
#include "system/tracer.h"

#define GOES_ON "; the program goes on without a debugger"

enum { LOOK_AGAIN_MS = 50, OTHERS_WAIT_MS = 100 };

/* The thread that is attaching (0: none), and its process: after a fork the thread does not exist in the
 * child. */
static _Atomic uint32_t attaching;
static _Atomic pid_t attaching_process;
static _Atomic uintptr_t other_stop;
static _Atomic int own_debugger; /* process id of the tracer that attached by this handshake */

void jitscope_set_other_stop(uintptr_t address)
{
    atomic_store(&other_stop, address);
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- one thread at a time ---- */

/* Wait until no other thread attaches, and begin. False: this thread is attaching already, and a signal
 * handler in it has called. */
static bool enter(void)
{
    uint32_t self = (uint32_t)syscall(SYS_gettid);
    for (;;) {
        uint32_t owner = 0;
        if (atomic_compare_exchange_strong(&attaching, &owner, self)) {
            atomic_store(&attaching_process, getpid());
            return true;
        }
        if (owner == self) {
            return false;
        }
        pid_t process = atomic_load(&attaching_process);
        if (process && process != getpid() && atomic_compare_exchange_strong(&attaching, &owner, self)) {
            atomic_store(&attaching_process, getpid());
            return true;
        }
        struct timespec limit = {.tv_nsec = OTHERS_WAIT_MS * 1000000L};
        syscall(SYS_futex, &attaching, FUTEX_WAIT_PRIVATE, owner, &limit, NULL, 0);
    }
}

static void leave(void)
{
    atomic_store(&attaching_process, 0);
    atomic_store(&attaching, 0);
    syscall(SYS_futex, &attaching, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

/* ---- messages ---- */

static int fail(attach_plan *plan, int status, const char *what, const char *more)
{
    line_text line;
    line_init(&line, plan->message, sizeof(plan->message));
    line_add(&line, "jitscope: ");
    line_add(&line, what);
    line_add(&line, more);
    line_add(&line, GOES_ON);
    return status;
}

static const char *error_name(int error)
{
    const char *name = strerrordesc_np(error); /* async-signal-safe, unlike strerror */
    return name ? name : "unknown error";
}

/* ---- the handshake ---- */

typedef struct handshake {
    int go_here, go_there, ack_here, ack_there;
    pid_t gdb;
} handshake;

static bool open_pipes(handshake *with)
{
    int go[2], ack[2];
    if (pipe2(go, O_CLOEXEC) < 0) {
        return false;
    }
    if (pipe2(ack, O_CLOEXEC) < 0) {
        close(go[0]);
        close(go[1]);
        return false;
    }
    *with = (handshake){.go_here = go[1], .go_there = go[0], .ack_here = ack[0], .ack_there = ack[1]};
    return true;
}

/* JITSCOPE_HANDSHAKE=PID GO ACK STOP OTHER-STOP TIMEOUT-MS COMMANDS: read by
 * gdbext/jitscope_gdb/app/handshake.py. */
static void write_handshake(attach_plan *plan)
{
    line_text line;
    line_init(&line, plan->handshake, sizeof(plan->handshake));
    line_add(&line, "JITSCOPE_HANDSHAKE=");
    line_add_number(&line, getpid());
    line_add(&line, " ");
    line_add_number(&line, SPAWN_GO);
    line_add(&line, " ");
    line_add_number(&line, SPAWN_ACK);
    line_add(&line, " ");
    line_add_hex(&line, (unsigned long)(uintptr_t)jitscope_stopped);
    line_add(&line, " ");
    line_add_hex(&line, atomic_load(&other_stop));
    line_add(&line, " ");
    line_add_number(&line, plan->timeout_ms);
    line_add(&line, plan->commands ? " 1" : " 0");
}

/* Wait for GDB's answer, or "" if GDB ended without one. False: GDB did not answer in time. */
static bool hear(const handshake *with, int32_t timeout_ms, char *answer, size_t size)
{
    int64_t end = now_ms() + timeout_ms;
    size_t length = 0;
    answer[0] = '\0';
    while (length + 1 < size) {
        int64_t left = end - now_ms();
        struct pollfd ready = {.fd = with->ack_here, .events = POLLIN};
        int count = left > 0 ? poll(&ready, 1, (int)left) : 0;
        if (count == 0) {
            return false;
        }
        ssize_t got = count > 0 ? read(with->ack_here, answer + length, size - 1 - length) : -1;
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        length += (size_t)got;
        answer[length] = '\0';
        char *newline = strchr(answer, '\n');
        if (newline) {
            *newline = '\0';
            return true;
        }
    }
    answer[0] = '\0';
    return true;
}

/* Judge GDB's answer: "A": it is attached, and its breakpoint is set; "E" and the reason why it is not
 * attached. */
static int judge(attach_plan *plan, const handshake *with)
{
    char answer[PLAN_MESSAGE];
    if (!hear(with, plan->timeout_ms, answer, sizeof(answer))) {
        kill(with->gdb, SIGKILL);
        return fail(plan, JITSCOPE_EDIED, plan->gdb,
                    " did not attach in time (JITSCOPE_ATTACH_TIMEOUT seconds)");
    }
    if (answer[0] == 'A') {
        atomic_store(&own_debugger, jitscope_tracer());
        jitscope_survive_debugger();
        return JITSCOPE_ATTACHED;
    }
    if (answer[0] == 'E' &&
        prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 1) { /* prctl(2); for other values the reason is not known */
        return fail(plan, JITSCOPE_EREFUSED,
                    "GDB cannot attach: this process may not be dumped (PR_SET_DUMPABLE)",
                    ", so only a GDB that has CAP_SYS_PTRACE may");
    }
    if (answer[0] == 'E') {
        return fail(plan, JITSCOPE_EREFUSED, "GDB cannot attach: ", answer + 1);
    }
    return fail(plan, JITSCOPE_EDIED, plan->gdb, " ended before it had attached");
}

static int start(attach_plan *plan, bool terminal)
{
    handshake with;
    if (!open_pipes(&with)) {
        return fail(plan, JITSCOPE_ESYSTEM, "a pipe to GDB cannot be made: ", error_name(errno));
    }
    write_handshake(plan);
    spawn_request request = {
        .path = plan->gdb,
        .argv = plan->argv,
        .envp = plan->envp,
        .go = with.go_there,
        .ack = with.ack_there,
        .terminal = terminal,
        .prompts = !plan->commands,
        .leader = getpid(),
    };
    int error = spawn_start(&request, &with.gdb);
    close(with.go_there);
    close(with.ack_there);
    int status;
    if (error) {
        char text[PLAN_MESSAGE];
        line_text line;
        line_init(&line, text, sizeof(text));
        line_add(&line, plan->gdb);
        line_add(&line, " cannot be started: ");
        line_add(&line, error_name(error));
        status = fail(plan, JITSCOPE_EGDB, text, "");
    } else {
        prctl(PR_SET_PTRACER, (unsigned long)with.gdb, 0, 0,
              0); /* fails without Yama, which then restricts nothing */
        ssize_t ignored = write(with.go_here, "g", 1);
        (void)ignored; /* if it fails, GDB has ended, and its end of the other pipe is closed too */
        status = judge(plan, &with);
    }
    close(with.go_here);
    close(with.ack_here);
    if (status < 0 && terminal) {
        spawn_reclaim_terminal();
    }
    return status;
}

/* ---- without a terminal ---- */

static bool has_terminal(void)
{
    pid_t foreground = tcgetpgrp(STDIN_FILENO);
    return foreground >= 0 && foreground == getpgrp();
}

static int wait_for_another(attach_plan *plan)
{
    line_text line;
    line_init(&line, plan->message, sizeof(plan->message));
    line_add(&line, "jitscope: no terminal for GDB here; in another one: gdb -p ");
    line_add_number(&line, getpid());
    if (plan->wait_ms == 0) {
        line_add(&line, " (the program goes on; wait=60 would wait for you)");
        return JITSCOPE_ETERMINAL;
    }
    line_write(plan->message);
    plan->message[0] = '\0';
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    int64_t end = now_ms() + plan->wait_ms;
    while (plan->wait_ms < 0 || now_ms() < end) {
        if (jitscope_tracer()) {
            return JITSCOPE_ATTACHED;
        }
        poll(NULL, 0, LOOK_AGAIN_MS);
    }
    prctl(PR_SET_PTRACER, 0, 0, 0, 0);
    return fail(plan, JITSCOPE_ETERMINAL, "nobody has attached", "");
}

static int look_at_tracer(attach_plan *plan, int pid)
{
    char name[64], text[128];
    if (pid == atomic_load(&own_debugger) || tracer_is_gdb(pid, name, sizeof(name))) {
        return JITSCOPE_ALREADY;
    }
    line_text line;
    line_init(&line, text, sizeof(text));
    line_add(&line, "process ");
    line_add_number(&line, pid);
    line_add(&line, " (");
    line_add(&line, name);
    line_add(&line, ") traces this one already, and only one can: end it first");
    return fail(plan, JITSCOPE_EREFUSED, text, "");
}

int attach_debugger(void)
{
    return atomic_load(&own_debugger);
}

int attach_run(attach_plan *plan)
{
    plan->message[0] = '\0';
    if (!enter()) {
        return JITSCOPE_EBUSY;
    }
    int saved = errno, status, tracer = jitscope_tracer();
    bool terminal = has_terminal();
    if (tracer) {
        status = look_at_tracer(plan, tracer);
    } else if (!terminal && !plan->commands) {
        status = wait_for_another(plan);
    } else {
        status = start(plan, terminal);
    }
    errno = saved;
    leave();
    return status;
}

int jitscope_attach(const char *const *arguments, int32_t wait_ms, uint32_t flags, char *message, size_t size)
{
    attach_plan plan;
    int status = plan_init(&plan, arguments, wait_ms, flags), tracer = jitscope_tracer();
    if (status == JITSCOPE_EGDB && tracer && look_at_tracer(&plan, tracer) >= 0) {
        plan.message[0] = '\0'; /* in LLDB, no GDB is needed */
        status = JITSCOPE_ALREADY;
    } else if (!status) {
        status = attach_run(&plan);
        plan_deinit(&plan);
    }
    if (message && size) {
        line_text line;
        line_init(&line, message, size);
        line_add(&line, plan.message);
    } else if (plan.message[0]) {
        line_write(plan.message);
    }
    return status;
}
