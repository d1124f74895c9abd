/* bytes/access.c: each answer about a real process is compared with that of ptrace; made-up folders replace
 * what this machine's kernel does not have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "bytes/access.h"

enum { NOBODY = 65534, NO_SUCH_PROCESS = 0x3ffffff0 };

/* --- real processes --- */

/* Changes the calling process. Returns 0, or another number if this machine does not allow it. */
typedef int (*change_fn)(void);

static pid_t start(change_fn change)
{
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        char done = change && change() ? 'x' : '.';
        if (write(ready[1], &done, 1) == 1) {
            for (;;) {
                pause();
            }
        }
        _exit(1);
    }
    char done = 'x';
    assert_int_equal(read(ready[0], &done, 1), 1);
    close(ready[0]);
    close(ready[1]);
    assert_int_equal(done, '.');
    return pid;
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

typedef struct report {
    int changed; /* result of `change` */
    int status;
    js_access access;
    bool traced; /* whether ptrace could trace the process */
} report;

/* Return what a debugger that has made `change` gets as its answer about `pid`, and whether it could then
 * trace it. */
static report ask(change_fn change, pid_t pid)
{
    report outcome = {0};
    int back[2];
    assert_int_equal(pipe(back), 0);
    pid_t debugger = fork();
    assert_true(debugger >= 0);
    if (debugger == 0) {
        outcome.changed = change ? change() : 0;
        if (outcome.changed == 0) {
            outcome.status = js_access_find(pid, 0, &outcome.access);
            outcome.traced = ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0;
        }
        _exit(write(back[1], &outcome, sizeof outcome) != sizeof outcome);
    }
    close(back[1]);
    assert_int_equal(read(back[0], &outcome, sizeof outcome), sizeof outcome);
    close(back[0]);
    waitpid(debugger, NULL, 0);
    return outcome;
}

/* One of these is in the line that a user reads. */
static const char *const TEXTS[][4] = {
    [JS_ACCESS_ALLOWED] = {"may be debugged"},
    [JS_ACCESS_NO_PROCESS] = {"here (a container has process numbers of its own)", "cannot be read"},
    [JS_ACCESS_KERNEL_THREAD] = {"it is a thread of the kernel, not a program"},
    [JS_ACCESS_SELF] = {"a process cannot debug itself"},
    [JS_ACCESS_ZOMBIE] = {"has not asked for its status yet"},
    [JS_ACCESS_TRACED] = {"is debugging it already"},
    [JS_ACCESS_SECCOMP] = {"a seccomp filter refuses the system call ptrace here, whatever the process"},
    [JS_ACCESS_USER] = {"it runs as user ", "it was started by another user (a set-user-ID program)",
                        "it runs with group ", "it is another user's, and /proc hides it (hidepid)"},
    [JS_ACCESS_NAMESPACE] = {"it is in another user namespace (a container or sandbox), in which this user "
                             "has no rights"},
    [JS_ACCESS_UNDUMPABLE] = {"it is undumpable (by prctl(PR_SET_DUMPABLE, 0), a change of user, or an "
                              "executable that may not be read)"},
    [JS_ACCESS_CAPABILITIES] = {"it has capabilities that the debugger lacks ("},
    [JS_ACCESS_YAMA_1] = {"Yama's ptrace_scope is 1: only its ancestors may, and a debugger that it has "
                          "named by prctl(PR_SET_PTRACER), as jitscope.attach() does"},
    [JS_ACCESS_YAMA_2] = {"Yama's ptrace_scope is 2: only root may (CAP_SYS_PTRACE)"},
    [JS_ACCESS_YAMA_3] = {"Yama's ptrace_scope is 3: nobody may, until the machine starts again"},
    [JS_ACCESS_MODULE] = {"the kernel refuses it, most likely for SELinux (the process is ",
                          "the kernel refuses it, most likely for AppArmor (the process' profile is ",
                          "the kernel refuses it, by a security module such as Landlock; its log may say "
                          "more"},
};

static void expect_text(const js_access *access)
{
    for (size_t i = 0; i < 4 && TEXTS[access->reason][i]; i++) {
        if (strstr(access->text, TEXTS[access->reason][i])) {
            return;
        }
    }
    fail_msg("%s", access->text);
}

/* Held against ptrace, the answer is the expected one. */
static void expect(change_fn change, pid_t pid, js_access_reason reason, const char *fix)
{
    report outcome = ask(change, pid);
    if (outcome.changed) {
        print_message("this machine does not let a process change so\n");
        skip();
    }
    assert_int_equal(outcome.status, JS_OK);
    if (outcome.access.reason != reason) {
        fail_msg("%s", outcome.access.text);
    }
    assert_int_equal(outcome.traced, reason == JS_ACCESS_ALLOWED);
    expect_text(&outcome.access);
    char number[24];
    snprintf(number, sizeof number, "process %d", (int)pid);
    assert_non_null(strstr(outcome.access.text, number));
    if (!strstr(outcome.access.fix, fix) || (reason != JS_ACCESS_ALLOWED && !outcome.access.fix[0])) {
        fail_msg("%s", outcome.access.fix);
    }
}

static int become_nobody(void)
{
    return setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY);
}

static int become_dumpable_nobody(void)
{
    return become_nobody() || prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

static int become_nobody_for_good(void)
{
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || become_nobody();
}

static int drop_capabilities(void)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{0}};
    return (int)syscall(SYS_capset, &header, data);
}

static int drop_capabilities_undumpable(void)
{
    return drop_capabilities() || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

static int leave_namespace(void)
{
    return unshare(CLONE_NEWUSER);
}

static int filter_ptrace(unsigned action)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, action),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int forbid_ptrace(void)
{
    return filter_ptrace(SECCOMP_RET_ERRNO | EPERM);
}

static int hide_processes(void)
{
    return unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
           mount("proc", "/proc", "proc", 0, "hidepid=invisible") || become_nobody();
}

static void need_root(void)
{
    if (geteuid() != 0) {
        print_message("needs root\n");
        skip();
    }
}

static void a_process_of_ones_own(void **state)
{
    (void)state;
    pid_t pid = start(NULL);
    js_access access;
    assert_int_equal(js_access_find(pid, 0, &access), JS_OK);
    assert_int_equal(access.reason, JS_ACCESS_ALLOWED);
    assert_string_equal(access.fix, "");
    expect(NULL, pid, JS_ACCESS_ALLOWED, "");
    end(pid);
}

static void who_is_no_process(void **state)
{
    (void)state;
    js_access access;
    assert_int_equal(js_access_find(NO_SUCH_PROCESS, 0, &access), JS_OK);
    assert_int_equal(access.reason, JS_ACCESS_NO_PROCESS);
    expect_text(&access);
    assert_int_equal(js_access_find(0, 0, &access), JS_EARG);
    assert_int_equal(js_access_find(-1, 0, &access), JS_EARG);
    assert_int_equal(js_access_find(getpid(), NO_SUCH_PROCESS, &access), JS_EARG);
    assert_int_equal(js_access_find(getpid(), 0, &access), JS_OK);
    assert_int_equal(access.reason, JS_ACCESS_SELF);
    expect_text(&access);
    assert_non_null(strstr(access.fix, ", in another terminal"));
}

static void a_zombie(void **state)
{
    (void)state;
    pid_t pid = fork();
    if (pid == 0) {
        _exit(0);
    }
    siginfo_t ended;
    assert_int_equal(waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT), 0);
    char parent[24];
    snprintf(parent, sizeof parent, "ps -p %d ", (int)getpid());
    expect(NULL, pid, JS_ACCESS_ZOMBIE, parent);
    waitpid(pid, NULL, 0);
}

static void a_thread_of_the_kernel(void **state)
{
    (void)state;
    char name[32] = "";
    FILE *file = fopen("/proc/2/comm", "r");
    bool is_there = file && fgets(name, sizeof name, file) && strcmp(name, "kthreadd\n") == 0;
    if (file) {
        fclose(file);
    }
    if (!is_there) {
        print_message("this PID namespace holds no thread of the kernel\n");
        skip();
    }
    expect(NULL, 2, JS_ACCESS_KERNEL_THREAD, "pgrep");
}

static void traced_by_another(void **state)
{
    (void)state;
    pid_t pid = start(NULL);
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t other = fork();
    if (other == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_NAME, "strace\nitself");
        char done = ptrace(PTRACE_SEIZE, pid, NULL, NULL) ? 'x' : '.';
        while (write(ready[1], &done, 1) == 1) {
            pause();
        }
    }
    char done = 'x';
    assert_int_equal(read(ready[0], &done, 1), 1);
    close(ready[0]);
    close(ready[1]);
    assert_int_equal(done, '.');
    char command[48];
    snprintf(command, sizeof command, "kill %d, or debug it there", (int)other);
    expect(NULL, pid, JS_ACCESS_TRACED, command);
    js_access access;
    js_access_find(pid, 0, &access);
    assert_non_null(strstr(access.text, "(strace"));
    assert_null(strchr(access.text, '\n'));
    end(other);
    end(pid);
}

static void ptrace_is_filtered(void **state)
{
    (void)state;
    pid_t pid = start(NULL);
    expect(forbid_ptrace, pid, JS_ACCESS_SECCOMP,
           geteuid() ? "outside this sandbox" : "--cap-add=SYS_PTRACE");
    end(pid);
}

static int kill_for_ptrace(void)
{
    return filter_ptrace(SECCOMP_RET_KILL_PROCESS);
}

/* Asking must not end the process that asks. */
static void ptrace_kills(void **state)
{
    (void)state;
    pid_t pid = start(NULL);
    pid_t debugger = fork();
    if (debugger == 0) {
        js_access access = {0};
        _exit(kill_for_ptrace() || js_access_find(pid, 0, &access) || access.reason != JS_ACCESS_SECCOMP);
    }
    int status;
    assert_int_equal(waitpid(debugger, &status, 0), debugger);
    assert_int_equal(status, 0);
    end(pid);
}

static void another_users(void **state)
{
    (void)state;
    need_root();
    pid_t pid = start(NULL);
    expect(become_nobody, pid, JS_ACCESS_USER, "sudo gdb -p");
    expect(become_nobody_for_good, pid, JS_ACCESS_USER, "outside this sandbox");
    expect(hide_processes, pid, JS_ACCESS_USER, "sudo gdb -p");
    end(pid);
}

static void undumpable_and_made_dumpable(void **state)
{
    (void)state;
    need_root();
    pid_t pid = start(become_nobody);
    expect(become_nobody, pid, JS_ACCESS_UNDUMPABLE, "sudo gdb -p");
    expect(NULL, pid, JS_ACCESS_ALLOWED, "");
    end(pid);
    pid = start(become_dumpable_nobody);
    expect(become_nobody, pid, JS_ACCESS_ALLOWED, "");
    end(pid);
}

/* Its files are root's nevertheless, so that only the kernel's answer shows it. */
static void may_be_undumpable_of_root(void **state)
{
    (void)state;
    need_root();
    pid_t pid = start(drop_capabilities_undumpable);
    expect(drop_capabilities, pid, JS_ACCESS_UNDUMPABLE, "docker run --cap-add=SYS_PTRACE");
    expect(NULL, pid, JS_ACCESS_ALLOWED, "");
    end(pid);
}

static void more_capabilities(void **state)
{
    (void)state;
    need_root();
    pid_t pid = start(NULL);
    expect(drop_capabilities, pid, JS_ACCESS_CAPABILITIES, "docker run --cap-add=SYS_PTRACE");
    end(pid);
    pid = start(drop_capabilities);
    expect(drop_capabilities, pid, JS_ACCESS_ALLOWED, "");
    end(pid);
}

static void another_user_namespace(void **state)
{
    (void)state;
    need_root();
    pid_t pid = start(NULL);
    expect(leave_namespace, pid, JS_ACCESS_NAMESPACE, "on the host");
    end(pid);
    pid = start(leave_namespace);
    expect(NULL, pid, JS_ACCESS_ALLOWED, "");
    expect(leave_namespace, pid, JS_ACCESS_NAMESPACE, "on the host");
    end(pid);
}

/* --- made-up folders --- */

typedef struct made_up {
    char root[32];
    unsigned user, group;
} made_up;

static void put(const made_up *tree, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", tree->root, name);
    for (char *at = path + strlen(tree->root) + 1; (at = strchr(at, '/')); at++) {
        *at = 0;
        assert_true(mkdir(path, 0700) == 0 || errno == EEXIST);
        *at = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Write a process' status as Linux 6 does; `capabilities` is CapPrm and CapEff. */
static void put_process(const made_up *tree, const char *folder, int pid, int parent,
                        const char *capabilities)
{
    char name[64], text[1024];
    snprintf(name, sizeof name, "%s/status", folder);
    snprintf(text, sizeof text,
             "Name:\tpython\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t%d\nNgid:\t0\nPid:\t%d\nPPid:\t%d\n"
             "TracerPid:\t0\nUid:\t%u\t%u\t%u\t%u\nGid:\t%u\t%u\t%u\t%u\nVmSize:\t  8252 kB\n"
             "CapInh:\t0000000000000000\nCapPrm:\t%s\nCapEff:\t%s\nNoNewPrivs:\t0\nSeccomp:\t0\n",
             pid, pid, parent, tree->user, tree->user, tree->user, tree->user, tree->group, tree->group,
             tree->group, tree->group, capabilities, capabilities);
    put(tree, name, text);
    snprintf(name, sizeof name, "%s/uid_map", folder);
    put(tree, name, "         0          0 4294967295\n");
}

static const char NONE[] = "0000000000000000", ALL[] = "000001ffffffffff";

/* Make a folder with the process 50, a child of 40, which is a child of 1; the debugger is 60, a child of 1.
 */
static made_up plant(const char *scope, const char *capabilities)
{
    made_up tree = {"/tmp/test_access.XXXXXX", geteuid(), getegid()};
    assert_non_null(mkdtemp(tree.root));
    put_process(&tree, "1", 1, 0, NONE);
    put_process(&tree, "40", 40, 1, NONE);
    put_process(&tree, "50", 50, 40, NONE);
    put_process(&tree, "60", 60, 1, capabilities);
    put_process(&tree, "self", 60, 1, capabilities);
    if (scope) {
        put(&tree, "sys/kernel/yama/ptrace_scope", scope);
    }
    return tree;
}

static int unlink_one(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status, (void)kind, (void)at;
    return remove(path);
}

static void fell(const made_up *tree)
{
    assert_int_equal(nftw(tree->root, unlink_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static js_access judge(const made_up *tree, pid_t pid, pid_t tracer, js_access_answer permitted)
{
    js_access_question question = {
        .proc = tree->root, .pid = pid, .tracer = tracer, .permitted = permitted, .ptrace = JS_ANSWER_YES};
    js_access access;
    assert_int_equal(js_access_judge(&question, &access), JS_OK);
    expect_text(&access);
    return access;
}

static void yama_without_privilege(void **state)
{
    (void)state;
    static const struct {
        const char *scope;
        js_access_reason reason;
    } cases[] = {{NULL, JS_ACCESS_ALLOWED}, {"0\n", JS_ACCESS_ALLOWED}, {"1\n", JS_ACCESS_YAMA_1},
                 {"2\n", JS_ACCESS_YAMA_2}, {"3\n", JS_ACCESS_YAMA_3},  {"", JS_ACCESS_ALLOWED}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        made_up tree = plant(cases[i].scope, NONE);
        assert_int_equal(judge(&tree, 50, 0, JS_ANSWER_UNKNOWN).reason, cases[i].reason);
        assert_int_equal(judge(&tree, 50, 60, JS_ANSWER_NO).reason, cases[i].reason ? cases[i].reason
                                                                    : geteuid()     ? JS_ACCESS_MODULE
                                                                                    : JS_ACCESS_UNDUMPABLE);
        /* The kernel's answer takes precedence over the rules: the process may have named its debugger. */
        assert_int_equal(judge(&tree, 50, 0, JS_ANSWER_YES).reason, JS_ACCESS_ALLOWED);
        fell(&tree);
    }
}

static void yama_1_lets_ancestors(void **state)
{
    (void)state;
    made_up tree = plant("1\n", NONE);
    assert_int_equal(judge(&tree, 50, 40, JS_ANSWER_UNKNOWN).reason, JS_ACCESS_ALLOWED);
    assert_int_equal(judge(&tree, 50, 1, JS_ANSWER_UNKNOWN).reason, JS_ACCESS_ALLOWED);
    assert_int_equal(judge(&tree, 40, 50, JS_ANSWER_UNKNOWN).reason, JS_ACCESS_YAMA_1);
    js_access access = judge(&tree, 50, 60, JS_ANSWER_UNKNOWN);
    assert_non_null(strstr(access.text, "process 50 (python) may not be debugged: Yama's ptrace_scope is 1"));
    assert_string_equal(access.fix, geteuid() ? "sudo sysctl kernel.yama.ptrace_scope=0"
                                              : "docker run --cap-add=SYS_PTRACE … (when the container is "
                                                "started)");
    fell(&tree);
}

static void yama_lets_the_privileged(void **state)
{
    (void)state;
    static const char *const scopes[] = {"1\n", "2\n"};
    for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; i++) {
        made_up tree = plant(scopes[i], ALL);
        assert_int_equal(judge(&tree, 50, 0, JS_ANSWER_UNKNOWN).reason, JS_ACCESS_ALLOWED);
        fell(&tree);
    }
    made_up tree = plant("3\n", ALL);
    js_access access = judge(&tree, 50, 0, JS_ANSWER_UNKNOWN);
    assert_int_equal(access.reason, JS_ACCESS_YAMA_3);
    assert_non_null(strstr(access.fix, "sudo tee /etc/sysctl.d/10-ptrace.conf, then restart the machine"));
    fell(&tree);
}

static void yama_1_for_a_user(void **state)
{
    (void)state;
    made_up tree = plant("1\n", NONE);
    tree.user = 1234567; /* another owner of the files, as for an undumpable process */
    put_process(&tree, "50", 50, 40, NONE);
    put_process(&tree, "self", 60, 1, NONE);
    assert_int_equal(judge(&tree, 50, 0, JS_ANSWER_UNKNOWN).reason, JS_ACCESS_UNDUMPABLE);
    if (geteuid() == 0) {
        char path[64];
        snprintf(path, sizeof path, "%s/50/status", tree.root);
        assert_int_equal(chown(path, tree.user, tree.group), 0);
        assert_string_equal(judge(&tree, 50, 0, JS_ANSWER_NO).fix, "sudo sysctl kernel.yama.ptrace_scope=0");
        put(&tree, "sys/kernel/yama/ptrace_scope", "2\n");
        assert_string_equal(judge(&tree, 50, 0, JS_ANSWER_NO).fix, "sudo gdb -p 50");
    }
    fell(&tree);
}

static void security_modules_by_label(void **state)
{
    (void)state;
    static const char *const labels[][2] = {
        {"unconfined_u:unconfined_r:unconfined_t:s0\n", "setsebool deny_ptrace off"},
        {"docker-default (enforce)\n", "apparmor=unconfined"},
        {"unconfined\n", "dmesg"},
    };
    made_up tree = plant(NULL, NONE);
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        put(&tree, "50/attr/current", labels[i][0]);
        js_access access = judge(&tree, 50, 0, JS_ANSWER_NO);
        assert_int_equal(access.reason, JS_ACCESS_MODULE);
        assert_non_null(strstr(access.fix, labels[i][1]));
        assert_int_equal(judge(&tree, 50, 0, JS_ANSWER_UNKNOWN).reason, JS_ACCESS_ALLOWED);
    }
    fell(&tree);
}

/* /proc does not show Landlock: the text mentions it if the kernel has it, and a label of another kind takes
 * precedence. */
static void undumpable_or_landlock(void **state)
{
    (void)state;
    need_root();
    made_up tree = plant(NULL, NONE);
    for (js_access_answer has = JS_ANSWER_UNKNOWN; has <= JS_ANSWER_NO; has++) {
        js_access_question question = {.proc = tree.root,
                                       .pid = 50,
                                       .permitted = JS_ANSWER_NO,
                                       .ptrace = JS_ANSWER_YES,
                                       .landlock = has};
        js_access access;
        assert_int_equal(js_access_judge(&question, &access), JS_OK);
        assert_int_equal(access.reason, JS_ACCESS_UNDUMPABLE);
        expect_text(&access);
        assert_int_equal(strstr(access.text, ", or Landlock keeps the debugger in") != NULL,
                         has != JS_ANSWER_NO);
    }
    put(&tree, "50/attr/current", "docker-default (enforce)\n");
    assert_int_equal(judge(&tree, 50, 0, JS_ANSWER_NO).reason, JS_ACCESS_MODULE);
    put_process(&tree, "self", 60, 1, ALL);
    put(&tree, "50/attr/current", "unconfined\n");
    assert_int_equal(judge(&tree, 50, 0, JS_ANSWER_NO).reason, JS_ACCESS_MODULE);
    fell(&tree);
}

static void namespaces_by_their_maps(void **state)
{
    (void)state;
    made_up tree = plant(NULL, ALL);
    put(&tree, "50/uid_map", "         0     100000      65536\n"); /* a container, from the host */
    assert_int_equal(judge(&tree, 50, 0, JS_ANSWER_UNKNOWN).reason, JS_ACCESS_ALLOWED);
    put(&tree, "self/uid_map", "         0     100000      65536\n");
    put(&tree, "50/uid_map", "         0 4294967295 4294967295\n"); /* the host, from a container */
    assert_int_equal(judge(&tree, 50, 0, JS_ANSWER_UNKNOWN).reason, JS_ACCESS_NAMESPACE);
    put(&tree, "50/uid_map", "         0     100000      65536\n"); /* two containers, or one */
    assert_int_equal(judge(&tree, 50, 0, JS_ANSWER_UNKNOWN).reason, JS_ACCESS_ALLOWED);
    assert_int_equal(judge(&tree, 50, 0, JS_ANSWER_NO).reason, JS_ACCESS_NAMESPACE);
    put(&tree, "self/uid_map",
        "         0          0 4294967295\n"); /* the kernel refuses a container's root */
    js_access access = judge(&tree, 50, 0, JS_ANSWER_NO);
    assert_int_equal(access.reason, JS_ACCESS_NAMESPACE);
    assert_string_equal(access.fix, geteuid()
                                        ? "sudo gdb -p 50"
                                        : "gdb -p PID, outside this container (its PID may differ there)");
    fell(&tree);
}

static void what_is_no_status(void **state)
{
    (void)state;
    made_up tree = plant("1\n", NONE);
    char line[4096];
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = 0;
    const char *const broken[] = {"", "Name:", "State:\n", line,
                                  "Name:\tpy\x1b[2J\\nthon\nState:\tS\nPid:\t50\n"};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        put(&tree, "50/status", broken[i]);
        js_access access = judge(&tree, 50, 0, JS_ANSWER_UNKNOWN);
        assert_int_not_equal(access.reason, JS_ACCESS_ALLOWED);
        assert_null(strchr(access.text, '\x1b'));
    }
    put(&tree, "self/status", "");
    js_access_question question = {.proc = tree.root, .pid = 50};
    js_access access;
    assert_int_equal(js_access_judge(&question, &access), JS_EARG);
    fell(&tree);
}

/* --- the two forms --- */

static void as_a_line_and_as_json(void **state)
{
    (void)state;
    pid_t pid = start(NULL);
    char expected[128];
    js_text text;
    js_text_init(&text, 0);
    assert_int_equal(js_access_explain(pid, 0, &text), JS_OK);
    snprintf(expected, sizeof expected, "process %d (%.15s) may be debugged", (int)pid,
             program_invocation_short_name);
    assert_string_equal(text.data, expected);
    js_text_deinit(&text);
    js_text_init(&text, 0);
    assert_int_equal(js_access_explain(NO_SUCH_PROCESS, 0, &text), JS_OK);
    assert_non_null(strstr(text.data, "; type pgrep -af python"));
    js_text_deinit(&text);
    char *json;
    assert_int_equal(js_access_json(pid, 0, &json), JS_OK);
    snprintf(expected, sizeof expected,
             "{\"allowed\": true, \"reason\": \"allowed\", \"text\": \"process %d (%.15s) may be "
             "debugged\", "
             "\"fix\": \"\"}",
             (int)pid, program_invocation_short_name);
    assert_string_equal(json, expected);
    js_free(json);
    assert_int_equal(js_access_json(0, 0, &json), JS_EARG);
    assert_null(json);
    assert_string_equal(js_access_reason_text(JS_ACCESS_YAMA_1), "yama-1");
    assert_string_equal(js_access_reason_text((js_access_reason)99), "unknown");
    end(pid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_of_ones_own),
        cmocka_unit_test(who_is_no_process),
        cmocka_unit_test(a_zombie),
        cmocka_unit_test(a_thread_of_the_kernel),
        cmocka_unit_test(traced_by_another),
        cmocka_unit_test(ptrace_is_filtered),
        cmocka_unit_test(ptrace_kills),
        cmocka_unit_test(another_users),
        cmocka_unit_test(undumpable_and_made_dumpable),
        cmocka_unit_test(may_be_undumpable_of_root),
        cmocka_unit_test(more_capabilities),
        cmocka_unit_test(another_user_namespace),
        cmocka_unit_test(yama_without_privilege),
        cmocka_unit_test(yama_1_lets_ancestors),
        cmocka_unit_test(yama_lets_the_privileged),
        cmocka_unit_test(yama_1_for_a_user),
        cmocka_unit_test(security_modules_by_label),
        cmocka_unit_test(undumpable_or_landlock),
        cmocka_unit_test(namespaces_by_their_maps),
        cmocka_unit_test(what_is_no_status),
        cmocka_unit_test(as_a_line_and_as_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
