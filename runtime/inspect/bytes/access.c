/* Applies the kernel's rules for ptrace to what /proc says, and explains the result. */
#include "bytes/access.h"

#include <linux/capability.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/process.h"

typedef struct access_case {
    const js_access_question *question;
    js_process debugger, process;
    bool same_namespace;
    bool may_all; /* CAP_SYS_PTRACE in the process' user namespace, as far as is known */
    js_access *out;
} access_case;

static const char *const reasons[] = {
    [JS_ACCESS_ALLOWED] = "allowed",
    [JS_ACCESS_NO_PROCESS] = "no-process",
    [JS_ACCESS_KERNEL_THREAD] = "kernel-thread",
    [JS_ACCESS_SELF] = "self",
    [JS_ACCESS_ZOMBIE] = "zombie",
    [JS_ACCESS_TRACED] = "traced",
    [JS_ACCESS_SECCOMP] = "seccomp",
    [JS_ACCESS_USER] = "user",
    [JS_ACCESS_NAMESPACE] = "user-namespace",
    [JS_ACCESS_UNDUMPABLE] = "undumpable",
    [JS_ACCESS_CAPABILITIES] = "capabilities",
    [JS_ACCESS_YAMA_1] = "yama-1",
    [JS_ACCESS_YAMA_2] = "yama-2",
    [JS_ACCESS_YAMA_3] = "yama-3",
    [JS_ACCESS_MODULE] = "security-module",
};

const char *js_access_reason_text(js_access_reason reason)
{
    return (size_t)reason < sizeof reasons / sizeof reasons[0] ? reasons[reason] : "unknown";
}

/* --- texts --- */

__attribute__((format(printf, 3, 4))) static bool refuse(access_case *rules, js_access_reason reason,
                                                         const char *why, ...)
{
    js_access *out = rules->out;
    out->reason = reason;
    int length =
        snprintf(out->text, sizeof out->text,
                 "process %d (%s) may not be debugged: ", (int)rules->question->pid, rules->process.name);
    va_list arguments;
    va_start(arguments, why);
    vsnprintf(out->text + length, sizeof out->text - (size_t)length, why, arguments);
    va_end(arguments);
    return true;
}

__attribute__((format(printf, 2, 3))) static void fix(access_case *rules, const char *command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    vsnprintf(rules->out->fix, sizeof rules->out->fix, command, arguments);
    va_end(arguments);
}

static bool is_root(const access_case *rules)
{
    return rules->debugger.uid[JS_ID_EFFECTIVE] == 0;
}

static bool has_capability(const js_process *process, int capability)
{
    return process->effective >> capability & 1;
}

/* Suggest the command that debugs with all rights, for a debugger outside or inside of a container or
 * sandbox. */
static void fix_by_privilege(access_case *rules)
{
    int pid = (int)rules->question->pid;
    if (is_root(rules) && !has_capability(&rules->debugger, CAP_SYS_PTRACE)) {
        fix(rules, "docker run --cap-add=SYS_PTRACE … (when the container is started)");
    } else if (rules->debugger.no_new_privs && !is_root(rules)) {
        fix(rules, "sudo gdb -p %d, in a terminal outside this sandbox (no_new_privs is set here)", pid);
    } else if (is_root(rules)) {
        fix(rules, "gdb -p PID, outside this container (its PID may differ there)");
    } else {
        fix(rules, "sudo gdb -p %d", pid);
    }
}

/* --- the rules, in the kernel's order; each returns whether it forbids --- */

static bool kernel_thread(access_case *rules)
{
    const js_process *process = &rules->process;
    if (process->has_memory || strchr("ZXx", process->state)) {
        return false;
    }
    fix(rules, "pgrep -af python");
    return refuse(rules, JS_ACCESS_KERNEL_THREAD, "it is a thread of the kernel, not a program");
}

static bool self(access_case *rules)
{
    if (rules->process.group != rules->debugger.group) {
        return false;
    }
    fix(rules, "gdb -p %d, in another terminal", (int)rules->process.group);
    return refuse(rules, JS_ACCESS_SELF, "a process cannot debug itself");
}

static bool zombie(access_case *rules)
{
    const js_process *process = &rules->process;
    if (!strchr("ZXx", process->state)) {
        return false;
    }
    fix(rules, "ps -p %d -o pid,args", (int)process->parent);
    return refuse(rules, JS_ACCESS_ZOMBIE, "it has ended, and its parent %d has not asked for its status yet",
                  (int)process->parent);
}

static bool traced(access_case *rules)
{
    const js_process *process = &rules->process;
    if (process->tracer == 0 || process->tracer == rules->debugger.pid) {
        return false;
    }
    js_process other;
    bool known = js_process_read(rules->question->proc, process->tracer, &other) == JS_OK;
    fix(rules, "kill %d, or debug it there", (int)process->tracer);
    return refuse(rules, JS_ACCESS_TRACED, "process %d (%s) is debugging it already", (int)process->tracer,
                  known ? other.name : "?");
}

static bool seccomp(access_case *rules)
{
    if (rules->question->ptrace != JS_ANSWER_NO) {
        return false;
    }
    if (is_root(rules)) {
        fix(rules, "docker run --cap-add=SYS_PTRACE --security-opt seccomp=unconfined … "
                   "(when the container is started)");
    } else {
        fix(rules, "sudo gdb -p %d, outside this sandbox or container", (int)rules->question->pid);
    }
    return refuse(rules, JS_ACCESS_SECCOMP,
                  "a seccomp filter refuses the system call ptrace here, whatever the process");
}

static bool same_user(const access_case *rules)
{
    const js_process *process = &rules->process, *debugger = &rules->debugger;
    for (int i = 0; i < JS_IDS; i++) {
        if (process->uid[i] != debugger->uid[JS_ID_REAL] || process->gid[i] != debugger->gid[JS_ID_REAL]) {
            return false;
        }
    }
    return true;
}

/* True if the namespace was made below the reader's, as those of containers are that were started there. Each
 * line of uid_map is FIRST-INSIDE FIRST-OUTSIDE COUNT, with the outside ids as the reader knows them, and -1
 * if it does not. */
static bool is_below(const char *user_map)
{
    unsigned inside, outside;
    return sscanf(user_map, "%u %u", &inside, &outside) == 2 && outside != UINT32_MAX;
}

static bool is_outermost(const char *user_map)
{
    unsigned inside, outside, count;
    return sscanf(user_map, "%u %u %u", &inside, &outside, &count) == 3 && count == UINT32_MAX;
}

static bool namespace(access_case *rules)
{
    if (rules->same_namespace || rules->may_all) {
        return false;
    }
    if (!is_outermost(rules->debugger.user_map)) {
        fix(rules, "sudo gdb -p PID on the host, outside this container (its PID differs there)");
    } else {
        fix_by_privilege(rules);
    }
    return refuse(
        rules, JS_ACCESS_NAMESPACE,
        "it is in another user namespace (a container or sandbox), in which this user has no rights");
}

static bool user(access_case *rules)
{
    if (same_user(rules) || rules->may_all) {
        return false;
    }
    const js_process *process = &rules->process, *debugger = &rules->debugger;
    fix_by_privilege(rules);
    if (process->uid[JS_ID_EFFECTIVE] != debugger->uid[JS_ID_REAL]) {
        return refuse(rules, JS_ACCESS_USER, "it runs as user %u, and this is user %u",
                      process->uid[JS_ID_EFFECTIVE], debugger->uid[JS_ID_REAL]);
    }
    if (process->uid[JS_ID_REAL] != debugger->uid[JS_ID_REAL] ||
        process->uid[JS_ID_SAVED] != debugger->uid[JS_ID_REAL]) {
        return refuse(rules, JS_ACCESS_USER, "it was started by another user (a set-user-ID program)");
    }
    return refuse(rules, JS_ACCESS_USER, "it runs with group %u, and this is group %u",
                  process->gid[JS_ID_EFFECTIVE], debugger->gid[JS_ID_REAL]);
}

static const char an_undumpable_process[] =
    "undumpable (by prctl(PR_SET_DUMPABLE, 0), a change of user, or an executable that may not be read)";

static bool undumpable(access_case *rules)
{
    const js_process *process = &rules->process;
    if (rules->may_all || process->owner == process->uid[JS_ID_EFFECTIVE]) {
        return false;
    }
    fix_by_privilege(rules);
    return refuse(rules, JS_ACCESS_UNDUMPABLE, "it is %s", an_undumpable_process);
}

static bool capabilities(access_case *rules)
{
    uint64_t more = rules->process.permitted & ~rules->debugger.permitted;
    if (rules->may_all || (rules->same_namespace && !more)) {
        return false;
    }
    fix_by_privilege(rules);
    return refuse(rules, JS_ACCESS_CAPABILITIES, "it has capabilities that the debugger lacks (%#llx)",
                  (unsigned long long)more);
}

/* True if the debugger is an ancestor of the process. */
static bool is_ancestor(const access_case *rules)
{
    pid_t debugger = rules->debugger.group;
    js_process process = rules->process;
    for (int depth = 0; depth < 1000 && process.parent > 0; depth++) {
        if (process.parent == debugger) {
            return true;
        }
        if (js_process_read(rules->question->proc, process.parent, &process) < 0) {
            return false;
        }
    }
    return false;
}

static bool yama(access_case *rules)
{
    char path[512], scope[16];
    snprintf(path, sizeof path, "%s/sys/kernel/yama/ptrace_scope", rules->question->proc);
    if (js_process_file(path, sizeof scope, scope) < 0) {
        return false;
    }
    switch (scope[0]) {
    case '1':
        if (rules->may_all || is_ancestor(rules)) {
            return false;
        }
        if (is_root(rules) || rules->debugger.no_new_privs) {
            fix_by_privilege(rules);
        } else {
            fix(rules, "sudo sysctl kernel.yama.ptrace_scope=0");
        }
        return refuse(rules, JS_ACCESS_YAMA_1,
                      "Yama's ptrace_scope is 1: only its ancestors may, and a debugger that it has named by "
                      "prctl(PR_SET_PTRACER), as jitscope.attach() does");
    case '2':
        if (rules->may_all) {
            return false;
        }
        fix_by_privilege(rules);
        return refuse(rules, JS_ACCESS_YAMA_2, "Yama's ptrace_scope is 2: only root may (CAP_SYS_PTRACE)");
    case '3':
        fix(rules,
            "echo kernel.yama.ptrace_scope=0 | sudo tee /etc/sysctl.d/10-ptrace.conf, then restart the "
            "machine");
        return refuse(rules, JS_ACCESS_YAMA_3,
                      "Yama's ptrace_scope is 3: nobody may, until the machine starts again");
    default:
        return false;
    }
}

/* True if an undumpable process of root may be the reason. Its files are root's, like those of root's other
 * processes: what no other rule forbids to a root without CAP_SYS_PTRACE is forbidden by this rule, or by a
 * module that gives no labels. */
static bool may_be_undumpable_of_root(access_case *rules)
{
    const js_process *process = &rules->process, *debugger = &rules->debugger;
    if (rules->question->permitted != JS_ANSWER_NO || has_capability(debugger, CAP_SYS_PTRACE) ||
        process->uid[JS_ID_EFFECTIVE] != 0 || strcmp(process->label, debugger->label) != 0) {
        return false;
    }
    fix_by_privilege(rules);
    return refuse(rules, JS_ACCESS_UNDUMPABLE, "it is %s%s", an_undumpable_process,
                  rules->question->landlock == JS_ANSWER_NO ? "" : ", or Landlock keeps the debugger in");
}

static bool security_module(access_case *rules)
{
    if (rules->question->permitted != JS_ANSWER_NO) {
        return false;
    }
    const char *label = rules->process.label;
    if (strchr(label, ':')) { /* user:role:type:level */
        fix(rules, "sudo setsebool deny_ptrace off");
        return refuse(rules, JS_ACCESS_MODULE,
                      "the kernel refuses it, most likely for SELinux (the process is %.60s)", label);
    }
    if (*label && strcmp(label, "unconfined") != 0) {
        fix(rules, "docker run --security-opt apparmor=unconfined … (when the container is started)");
        return refuse(rules, JS_ACCESS_MODULE,
                      "the kernel refuses it, most likely for AppArmor (the process' profile is %.60s)",
                      label);
    }
    fix(rules, "sudo dmesg | tail");
    return refuse(rules, JS_ACCESS_MODULE,
                  "the kernel refuses it, by a security module such as Landlock; its log may say more");
}

/* --- the whole judgement --- */

static void compare_namespaces(access_case *rules)
{
    const js_process *process = &rules->process, *debugger = &rules->debugger;
    js_access_answer permitted = rules->question->permitted;
    bool able = has_capability(debugger, CAP_SYS_PTRACE);
    if (process->user_namespace && debugger->user_namespace) {
        rules->same_namespace = process->user_namespace == debugger->user_namespace;
    } else {
        /* The maps of two containers may look alike from within; but then the capability would suffice. */
        rules->same_namespace = strcmp(debugger->user_map, process->user_map) == 0 &&
                                (permitted != JS_ANSWER_NO || !able || is_outermost(debugger->user_map));
    }
    if (rules->same_namespace) {
        rules->may_all = able;
    } else {
        /* The owner of a namespace has every right in it, which only the kernel's answer shows. */
        rules->may_all =
            permitted == JS_ANSWER_UNKNOWN && is_below(process->user_map) && (able || same_user(rules));
    }
}

static bool forbids(access_case *rules, bool (*const checks[])(access_case *), size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (checks[i](rules)) {
            return true;
        }
    }
    return false;
}

int js_access_judge(const js_access_question *question, js_access *out)
{
    static bool (*const of_the_call[])(access_case *) = {kernel_thread, self, zombie, traced, seccomp};
    static bool (*const of_the_rights[])(access_case *) = {
        namespace, user, undumpable, capabilities, yama, may_be_undumpable_of_root, security_module};
    access_case rules = {.question = question, .out = out};
    *out = (js_access){.reason = JS_ACCESS_ALLOWED};
    if (question->pid <= 0 || js_process_read(question->proc, question->tracer, &rules.debugger) < 0) {
        return JS_EARG;
    }
    if (js_process_read(question->proc, question->pid, &rules.process) < 0) {
        out->reason = JS_ACCESS_NO_PROCESS;
        snprintf(out->text, sizeof out->text,
                 "there is no process %d here (a container has process numbers of its own)",
                 (int)question->pid);
        fix(&rules, "pgrep -af python");
        return JS_OK;
    }
    compare_namespaces(&rules);
    if (forbids(&rules, of_the_call, sizeof of_the_call / sizeof of_the_call[0]) ||
        (question->permitted != JS_ANSWER_YES &&
         forbids(&rules, of_the_rights, sizeof of_the_rights / sizeof of_the_rights[0]))) {
        return JS_OK;
    }
    snprintf(out->text, sizeof out->text, "process %d (%s) may be debugged", (int)question->pid,
             rules.process.name);
    return JS_OK;
}
