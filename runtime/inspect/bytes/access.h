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
    JS_ACCESS_SELF,         /* a process cannot trace itself */
    JS_ACCESS_ZOMBIE,       /* the process has ended */
    JS_ACCESS_TRACED,       /* another debugger traces it */
    JS_ACCESS_SECCOMP,      /* the debugger may not make the system call ptrace at all */
    JS_ACCESS_USER,         /* the process is another user's or another group's */
    JS_ACCESS_NAMESPACE,    /* the process is in another user namespace, in which this user has no rights */
    JS_ACCESS_UNDUMPABLE,   /* undumpable: prctl(PR_SET_DUMPABLE), set-user-ID, an executable that may not be
                               read */
    JS_ACCESS_CAPABILITIES, /* the process has capabilities that the debugger lacks */
    JS_ACCESS_YAMA_1, /* kernel.yama.ptrace_scope is 1: only ancestors, and debuggers that the process has
                         named */
    JS_ACCESS_YAMA_2, /* it is 2: only with CAP_SYS_PTRACE */
    JS_ACCESS_YAMA_3, /* it is 3: no debugger, until the machine starts again */
    JS_ACCESS_MODULE, /* refused by a security module (SELinux, AppArmor, Landlock …), or for a reason that is
                         not known */
} js_access_reason;

/* The answer: may the process be debugged, and if not, why. */
typedef struct js_access {
    js_access_reason reason;
    char text[384]; /* one line: the process, whether it may be debugged, and why not */
    char fix[192];  /* the command that helps; "" if debugging is allowed */
} js_access;

/* Answers that are known before the rules are applied. */
typedef enum js_access_answer { JS_ANSWER_UNKNOWN, JS_ANSWER_YES, JS_ANSWER_NO } js_access_answer;

/* The question: may this debugger debug this process. */
typedef struct js_access_question {
    const char *proc;           /* "/proc", or a folder with the same files (tests) */
    pid_t pid;                  /* the process to be debugged */
    pid_t tracer;               /* the debugger's process id; 0: this process */
    js_access_answer ptrace;    /* whether the debugger may make the system call ptrace at all */
    js_access_answer permitted; /* whether the kernel says that this debugger may trace that process */
    js_access_answer landlock;  /* whether the kernel has Landlock, which /proc does not show */
} js_access_question;

/* Apply the kernel's rules to what `proc` says. JS_EARG: the debugger is not in `proc`. A process that is
 * missing is an answer (JS_ACCESS_NO_PROCESS), not an error. Allocates nothing. */
int js_access_judge(const js_access_question *question, js_access *out);

/* Like js_access_judge(), with the real /proc. If the debugger is this process (`tracer` 0), the kernel is
 * asked too, without an effect on the process: then the answer is exact, and only the reason is derived. For
 * another `tracer`, what only the kernel knows (PR_SET_PTRACER, security modules) stays unknown. May be
 * called in a process with threads and signal handlers of its own: it makes one or two child processes, each
 * for one system call, which raise no SIGCHLD. */
JS_API int js_access_find(pid_t pid, pid_t tracer, js_access *out);

/* Append js_access_find()'s answer to `out` as one line without a newline: "process 12 (python) may not be
 * debugged: REASON; type FIX". */
JS_API int js_access_explain(pid_t pid, pid_t tracer, js_text *out);
/* Give js_access_find()'s answer as JSON: {"allowed": bool, "reason": "yama-1", "text": "…", "fix": "…"}. The
 * caller frees *out with js_free. */
JS_API int js_access_json(pid_t pid, pid_t tracer, char **out);
/* Return the reason's name, "allowed", "no-process", "yama-1" …; static storage. */
JS_API const char *js_access_reason_text(js_access_reason reason);

#endif
