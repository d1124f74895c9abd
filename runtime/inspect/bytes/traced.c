/* Reads a thread's registers by ptrace. */
#include "bytes/traced.h"

#include <string.h>

#ifdef __x86_64__

#include <sys/ptrace.h>
#include <sys/user.h>

int js_traced_read(pid_t thread, js_traced *out)
{
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, thread, NULL, &r)) {
        return JS_ESYS;
    }
    *out = (js_traced){
        .general = {r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi, r.rbp, r.rsp, r.r8, r.r9, r.r10, r.r11, r.r12,
                    r.r13, r.r14, r.r15, r.rip},
        .thread_pointer = r.fs_base,
        .called = r.orig_rax,
    };
    return JS_OK;
}

int js_traced_read_vectors(pid_t thread, js_traced_vectors *out)
{
    struct user_fpregs_struct r;
    if (ptrace(PTRACE_GETFPREGS, thread, NULL, &r)) {
        return JS_ESYS;
    }
    memcpy(out->bytes, r.xmm_space, sizeof out->bytes);
    return JS_OK;
}

#else

int js_traced_read(pid_t thread, js_traced *out)
{
    (void)thread, (void)out;
    return JS_EUNSUP;
}

int js_traced_read_vectors(pid_t thread, js_traced_vectors *out)
{
    (void)thread, (void)out;
    return JS_EUNSUP;
}

#endif

int js_traced_registers(pid_t thread, uint64_t out[JS_TRACED_REGISTERS])
{
    js_traced found;
    int status = js_traced_read(thread, &found);
    if (!status) {
        memcpy(out, found.general, sizeof found.general);
    }
    return status;
}
