/* Reads a thread's registers by ptrace. */
#include "bytes/traced.h"

#ifdef __x86_64__

#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>

int js_traced_registers(pid_t thread, uint64_t out[JS_TRACED_REGISTERS])
{
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, thread, NULL, &r)) {
        return JS_ESYS;
    }
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

#endif
