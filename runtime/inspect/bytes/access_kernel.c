/* The functions of access.h that ask the kernel. */
#include "bytes/access.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset /* Linux 5.13; these headers may be older */
#define SYS_landlock_create_ruleset 444
#endif
#ifndef LANDLOCK_CREATE_RULESET_VERSION
#define LANDLOCK_CREATE_RULESET_VERSION 1U
#endif

/* Ask the kernel in a child process, because a filter may kill the process that asks. `asks` returns 0 for
 * yes. */
static js_access_answer ask_in_a_child(int (*asks)(void))
{
    /* The child sends no signal when it ends: this may run in a program with a handler for SIGCHLD, or with
     * threads, whose locks fork() would need. */
    long child = syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
    if (child < 0) {
        return JS_ANSWER_UNKNOWN;
    }
    if (child == 0) {
        syscall(SYS_exit_group, asks());
        __builtin_unreachable();
    }
    int status;
    while (waitpid((pid_t)child, &status, __WALL) < 0) {
        if (errno != EINTR) {
            return JS_ANSWER_UNKNOWN;
        }
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? JS_ANSWER_YES : JS_ANSWER_NO;
}

/* Return 0 if this process may make the system call ptrace. It detaches itself, although it is not attached,
 * so that the kernel's own answer is ESRCH. */
static int may_call_ptrace(void)
{
    long done = syscall(SYS_ptrace, PTRACE_DETACH, syscall(SYS_getpid), NULL, NULL);
    return done == -1 && errno == ESRCH ? 0 : 1;
}

/* Return 0 if Landlock cannot be active, because landlock_create_ruleset(2) does not exist or is off. */
static int lacks_landlock(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version == -1 && (errno == ENOSYS || errno == EOPNOTSUPP) ? 0 : 1;
}

/* Find whether the kernel allows this process to trace another: process_vm_readv has the same check as
 * PTRACE_ATTACH (PTRACE_MODE_ATTACH_REALCREDS), and leaves the process alone. Address 0 is never mapped, so
 * EFAULT is the answer of a process that may be read. */
static js_access_answer may_read(pid_t pid)
{
    char byte, own = 0;
    struct iovec local = {&byte, 1}, remote = {NULL, 1}, mine = {&own, 1};
    if (process_vm_readv(pid, &local, 1, &remote, 1, 0) >= 0 || errno == EFAULT) {
        return JS_ANSWER_YES;
    }
    if (errno != EPERM || process_vm_readv(getpid(), &local, 1, &mine, 1, 0) != 1) {
        return JS_ANSWER_UNKNOWN; /* a filter may refuse this call and allow ptrace */
    }
    return JS_ANSWER_NO;
}

/* True if the process exists, even where /proc hides those of other users (hidepid). */
static bool process_exists(pid_t pid)
{
    return kill(pid, 0) == 0 || errno == EPERM;
}

int js_access_find(pid_t pid, pid_t tracer, js_access *out)
{
    js_access_question question = {.proc = "/proc", .pid = pid, .tracer = tracer};
    if (tracer == 0 || tracer == getpid()) {
        question.tracer = 0;
        question.ptrace = ask_in_a_child(may_call_ptrace);
        question.permitted = pid > 0 ? may_read(pid) : JS_ANSWER_UNKNOWN;
        if (question.permitted == JS_ANSWER_NO && ask_in_a_child(lacks_landlock) == JS_ANSWER_YES) {
            question.landlock = JS_ANSWER_NO;
        }
    }
    int status = js_access_judge(&question, out);
    if (status == JS_OK && out->reason == JS_ACCESS_NO_PROCESS && process_exists(pid)) {
        out->reason = JS_ACCESS_USER;
        snprintf(out->text, sizeof out->text,
                 "process %d may not be debugged: it is another user's, and /proc hides it (hidepid)",
                 (int)pid);
        snprintf(out->fix, sizeof out->fix, "sudo gdb -p %d", (int)pid);
    }
    return status;
}

int js_access_explain(pid_t pid, pid_t tracer, js_text *out)
{
    js_access found;
    int status = js_access_find(pid, tracer, &found);
    if (status < 0) {
        return status;
    }
    js_text_put(out, found.text);
    if (found.fix[0]) {
        js_text_printf(out, "; type %s", found.fix);
    }
    return out->status;
}

int js_access_json(pid_t pid, pid_t tracer, char **out)
{
    js_text text;
    js_text_init(&text, 0);
    js_access found;
    int status = js_access_find(pid, tracer, &found);
    if (status == JS_OK) {
        js_text_printf(&text, "{\"allowed\": %s, ", found.reason == JS_ACCESS_ALLOWED ? "true" : "false");
        js_text_json_pair(&text, "reason", js_access_reason_text(found.reason));
        js_text_put(&text, ", ");
        js_text_json_pair(&text, "text", found.text);
        js_text_put(&text, ", ");
        js_text_json_pair(&text, "fix", found.fix);
        js_text_put(&text, "}");
    }
    return js_text_give(&text, status, out);
}
