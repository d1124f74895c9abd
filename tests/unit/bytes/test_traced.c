/* bytes/traced.c: registers of a thread that this process traces. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "bytes/traced.h"

#ifdef __x86_64__

static pid_t stopped_child(struct user_regs_struct *registers)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        _exit(1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSTOPPED(status));
    assert_int_equal(ptrace(PTRACE_GETREGS, child, NULL, registers), 0);
    return child;
}

static void registers_are_by_dwarfs_numbers(void **state)
{
    (void)state;
    struct user_regs_struct now;
    int status;
    pid_t child = stopped_child(&now);
    uint64_t general[JS_TRACED_REGISTERS];
    assert_int_equal(js_traced_registers(child, general), JS_OK);
    assert_true(general[3] == now.rbx && general[6] == now.rbp && general[7] == now.rsp);
    assert_true(general[15] == now.r15 && general[16] == now.rip);
    assert_int_equal(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    assert_int_equal(js_traced_registers(child, general), JS_ESYS);
}

#else

static void nothing_is_read(void **state)
{
    (void)state;
    uint64_t general[JS_TRACED_REGISTERS];
    assert_int_equal(js_traced_registers(getpid(), general), JS_EUNSUP);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef __x86_64__
        cmocka_unit_test(registers_are_by_dwarfs_numbers),
#else
        cmocka_unit_test(nothing_is_read),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
