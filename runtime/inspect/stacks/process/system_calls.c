/* The numbers are those of the header asm/unistd_64.h. */
#include "stacks/process/system_calls.h"

#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>

static const struct {
    uint64_t number;
    const char *name;
} calls[] = {
#define CALL(name)                                                                                           \
    {                                                                                                        \
        SYS_##name, #name                                                                                    \
    }
    CALL(read),
    CALL(write),
    CALL(open),
    CALL(close),
    CALL(poll),
    CALL(pread64),
    CALL(pwrite64),
    CALL(readv),
    CALL(writev),
    CALL(select),
    CALL(sched_yield),
    CALL(msync),
    CALL(pause),
    CALL(nanosleep),
    CALL(sendfile),
    CALL(connect),
    CALL(accept),
    CALL(sendto),
    CALL(recvfrom),
    CALL(sendmsg),
    CALL(recvmsg),
    CALL(vfork),
    CALL(wait4),
    CALL(semop),
    CALL(msgsnd),
    CALL(msgrcv),
    CALL(fcntl),
    CALL(flock),
    CALL(fsync),
    CALL(fdatasync),
    CALL(ftruncate),
    CALL(sync),
    CALL(futex),
    CALL(io_getevents),
    CALL(semtimedop),
    CALL(clock_nanosleep),
    CALL(epoll_wait),
    CALL(mq_timedsend),
    CALL(mq_timedreceive),
    CALL(waitid),
    CALL(openat),
    CALL(pselect6),
    CALL(ppoll),
    CALL(splice),
    CALL(tee),
    CALL(vmsplice),
    CALL(epoll_pwait),
    CALL(fallocate),
    CALL(accept4),
    CALL(preadv),
    CALL(pwritev),
    CALL(recvmmsg),
    CALL(sendmmsg),
    CALL(getrandom),
    CALL(copy_file_range),
    CALL(rt_sigsuspend),
    CALL(rt_sigtimedwait),
    CALL(madvise),
    CALL(mmap),
    CALL(munmap),
    CALL(ioctl),
    CALL(io_uring_enter),
    CALL(restart_syscall),
#undef CALL
};

const char *js_system_call_name(uint64_t number)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (calls[i].number == number) {
            return calls[i].name;
        }
    }
    return NULL;
}

/* ---- calls that go on ---- */

/* What stands before `syscall` (0f 05), where glibc loads the number of the call; ANY: any byte. Only
 * a number that is in the code or in memory can be read again: the kernel has overwritten the register. */
enum { BEFORE = 5, SYSCALL = 2, ANY = 0x100, BY_CODE = 0, BY_STACK, BY_CALLER };

static const uint16_t loads[][BEFORE] = {
    [BY_CODE] = {0xb8, ANY, ANY, ANY, ANY}, /* mov $NUMBER, %eax */
    /* sysdeps/unix/sysv/linux/x86_64/syscall_cancel.S and nptl/cancellation.c of glibc >= 2.41: the number is
     * the argument on the stack of __internal_syscall_cancel(), or of the function that it is called by. */
    [BY_STACK] = {0x48, 0x8b, 0x44, 0x24, ANY},    /* mov OFFSET(%rsp), %rax */
    [BY_CALLER] = {0x4c, 0x89, 0x5c, 0x24, 0x08}}; /* mov %r11, 8(%rsp) */

static bool is_load(const uint8_t *code, const uint16_t *load)
{
    bool is_same = code[BEFORE] == 0x0f && code[BEFORE + 1] == 0x05;
    for (unsigned i = 0; i < BEFORE; i++) {
        is_same = is_same && (load[i] == ANY || load[i] == code[i]);
    }
    return is_same;
}

/* Return the address of the argument on the stack that the caller of __syscall_cancel_arch() has got; 0: it
 * is not known. */
static uint64_t argument_of_caller(js_native_stack *stack)
{
    js_native_stack_at(stack, 2); /* this finds the CFA of the frame before it */
    const js_native_frame *caller = js_native_stack_at(stack, 1);
    return caller && caller->registers.by == JS_UNWOUND_BY_RULES ? caller->registers.cfa : 0;
}

/* Read the number that the code at the innermost frame loads. False: it is not known. */
static bool find_number(js_native_stack *stack, uint64_t *number)
{
    const js_unwound *frame = &js_native_stack_at(stack, 0)->registers;
    uint64_t pc = frame->values[JS_UNWIND_RETURN], stack_pointer = frame->values[JS_UNWIND_RSP];
    uint8_t code[BEFORE + SYSCALL];
    if (pc < sizeof code || js_bytes_read(stack->unwinder->code, pc - sizeof code, code, sizeof code)) {
        return false;
    }
    if (is_load(code, loads[BY_CODE])) {
        return js_bytes_read_uint(stack->unwinder->code, pc - sizeof code + 1, 4, number) == JS_OK;
    }
    uint64_t place = is_load(code, loads[BY_STACK])    ? stack_pointer + code[BEFORE - 1]
                     : is_load(code, loads[BY_CALLER]) ? argument_of_caller(stack)
                                                       : 0;
    return place && js_bytes_read_uint(stack->unwinder->stack, place, 8, number) == JS_OK;
}

uint64_t js_system_call_restarted(js_native_stack *stack)
{
    uint64_t number;
    /* The kernel restarts calls that wait for a time so: set_restart_fn() of Linux. */
    bool is_known = find_number(stack, &number) && (number == SYS_poll || number == SYS_nanosleep ||
                                                    number == SYS_clock_nanosleep || number == SYS_futex);
    return is_known ? number : JS_CALL_RESTART;
}
