/* Finds why a process may not be debugged, by the rules that the kernel applies to ptrace(PTRACE_ATTACH), in
 * its order. Source: Linux kernel/ptrace.c (ptrace_attach, __ptrace_may_access), security/commoncap.c
 * (cap_ptrace_access_check), security/yama/yama_lsm.c (yama_ptrace_access_check); ptrace(2), "Ptrace access
 * mode checking". */
#ifndef JS_BYTES_ACCESS_H
#define JS_BYTES_ACCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "bytes/status.h"
#include "bytes/text.h"

typedef enum js_access_reason {
    JS_ACCESS_ALLOWED,
    JS_ACCESS_NO_PROCESS,
    JS_ACCESS_KERNEL_THREAD,
    JS_ACCESS_SELF, /* a process cannot trace itself */
    JS_ACCESS_ZOMBIE,
    JS_ACCESS_TRACED,       /* by another debugger */
    JS_ACCESS_SECCOMP,      /* the system call ptrace is refused to this process, whomever it would trace */
    JS_ACCESS_USER,         /* another user's process, or one of another group */
    JS_ACCESS_NAMESPACE,    /* another user namespace, in which this user has no rights */
    JS_ACCESS_UNDUMPABLE,   /* prctl(PR_SET_DUMPABLE), set-user-ID, an executable that may not be read */
    JS_ACCESS_CAPABILITIES, /* the process may do more than the debugger */
    JS_ACCESS_YAMA_1,       /* kernel.yama.ptrace_scope: ancestors only, or whom the process has named */
    JS_ACCESS_YAMA_2,       /* CAP_SYS_PTRACE only */
    JS_ACCESS_YAMA_3,       /* nobody, until the machine starts again */
    JS_ACCESS_MODULE, /* refused by a security module (SELinux, AppArmor, Landlock …), or by what is not known
                       */
} js_access_reason;

typedef struct js_access {
    js_access_reason reason;
    char text[384]; /* one line: which process, may it be debugged, and why not */
    char fix[192];  /* what to type next; "" when it is allowed */
} js_access;

/* Facts that are known before the rules are applied. */
typedef enum js_access_answer { JS_ANSWER_UNKNOWN, JS_ANSWER_YES, JS_ANSWER_NO } js_access_answer;

typedef struct js_access_question {
    const char *proc;           /* "/proc", or a tree that looks like it */
    pid_t pid;                  /* the process to be debugged */
    pid_t tracer;               /* the debugger's; 0: this process */
    js_access_answer ptrace;    /* may the debugger make the system call at all? */
    js_access_answer permitted; /* the kernel's own answer to whether this debugger may trace that process */
    js_access_answer landlock;  /* does the kernel have Landlock, which shows nowhere in /proc? */
} js_access_question;

/* Apply the kernel's rules to what is in `proc` alone. JS_EARG when the debugger is not in there; a missing
 * process is an answer, not an error. Allocates nothing. */
int js_access_judge(const js_access_question *question, js_access *out);

/* Like js_access_judge(), with what the real /proc says. When the debugger is this process (`tracer` 0), the
 * kernel is asked too, without an effect on the process: then the answer is exact, and only the reason is
 * reasoned. For another `tracer`, what only the kernel knows (PR_SET_PTRACER, security modules) is not known
 * here. May be called in a process with threads and handlers of its own: it makes a child or two, each for as
 * long as a system call, which raise no SIGCHLD. */
JS_API int js_access_find(pid_t pid, pid_t tracer, js_access *out);

/* As one line for a person, without a newline: "process 12 (python) may not be debugged: REASON; type FIX".
 */
JS_API int js_access_explain(pid_t pid, pid_t tracer, js_text *out);
/* {"allowed": bool, "reason": "yama-1", "text": "…", "fix": "…"}; the caller frees it with js_free. */
JS_API int js_access_json(pid_t pid, pid_t tracer, char **out);
/* "allowed", "no-process", "yama-1" …; static storage. */
JS_API const char *js_access_reason_text(js_access_reason reason);

#endif
