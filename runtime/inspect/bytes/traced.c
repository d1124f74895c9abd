#include "bytes/traced.h"

#ifdef __x86_64__

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>

/* A thread that runs, or that others trace, is none of ours (ESRCH). The word is written first: whenever the
 * debugger is killed, the thread goes on as it was, or there. */
static bool send(pid_t thread, uint64_t from, uint64_t to, uint64_t back, uint64_t below)
{
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, thread, NULL, &registers) || registers.rip != from)
        return false;
    uint64_t word = registers.rsp - below;
    registers.rsp = word;
    registers.rip = to;
    return ptrace(PTRACE_POKEDATA, thread, (void *)(uintptr_t)word, (void *)(uintptr_t)back) == 0 &&
           ptrace(PTRACE_SETREGS, thread, NULL, &registers) == 0;
}

int js_traced_send(pid_t process, uint64_t from, uint64_t to, uint64_t back, uint64_t below, size_t *count)
{
    char path[40];
    *count = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *tasks = opendir(path);
    if (!tasks)
        return JS_ESYS;
    for (const struct dirent *entry; (entry = readdir(tasks));) {
        pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
        *count += thread > 0 && send(thread, from, to, back, below);
    }
    closedir(tasks);
    return JS_OK;
}

int js_traced_registers(pid_t thread, uint64_t out[JS_TRACED_REGISTERS])
{
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, thread, NULL, &r))
        return JS_ESYS;
    const uint64_t found[JS_TRACED_REGISTERS] = {r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi, r.rbp, r.rsp, r.r8,
                                                 r.r9,  r.r10, r.r11, r.r12, r.r13, r.r14, r.r15, r.rip};
    memcpy(out, found, sizeof found);
    return JS_OK;
}

#else

int js_traced_registers(pid_t thread, uint64_t out[JS_TRACED_REGISTERS])
{
    (void)thread, (void)out;
    return JS_EUNSUP;
}

int js_traced_send(pid_t process, uint64_t from, uint64_t to, uint64_t back, uint64_t below, size_t *count)
{
    (void)process, (void)from, (void)to, (void)back, (void)below;
    *count = 0;
    return JS_EUNSUP;
}

#endif
