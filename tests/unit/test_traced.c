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

enum { BELOW = 136, WORD = 42 };

/* Ends the process with what lies at the stack pointer. */
__attribute__((visibility("hidden"))) extern const char landing[];
__asm__(".text\n"
        "landing:\n"
        "    popq %rdi\n"
        "    movl $60, %eax\n" /* exit */
        "    syscall\n");

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

static int status_of(pid_t child)
{
    int status;
    assert_int_equal(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void who_is_there_goes_on_elsewhere(void **state)
{
    (void)state;
    struct user_regs_struct before, after;
    size_t count;
    pid_t child = stopped_child(&before);
    assert_int_equal(js_traced_send(child, before.rip, (uintptr_t)landing, WORD, BELOW, &count), JS_OK);
    assert_int_equal(count, 1);
    assert_int_equal(ptrace(PTRACE_GETREGS, child, NULL, &after), 0);
    assert_true(after.rsp == before.rsp - BELOW && after.rbx == before.rbx && after.eflags == before.eflags);
    uint64_t general[JS_TRACED_REGISTERS];
    assert_int_equal(js_traced_registers(child, general), JS_OK);
    assert_true(general[3] == after.rbx && general[6] == after.rbp && general[7] == after.rsp);
    assert_true(general[15] == after.r15 && general[16] == (uintptr_t)landing);
    assert_int_equal(status_of(child), WORD);
    assert_int_equal(js_traced_registers(child, general), JS_ESYS);
}

static void who_is_not_there_goes_on(void **state)
{
    (void)state;
    struct user_regs_struct before;
    size_t count;
    pid_t child = stopped_child(&before);
    assert_int_equal(js_traced_send(child, before.rip + 1, (uintptr_t)landing, WORD, BELOW, &count), JS_OK);
    assert_int_equal(count, 0);
    assert_int_equal(status_of(child), 1);
    /* threads that nobody has stopped, and a process that is none */
    assert_int_equal(js_traced_send(getpid(), before.rip, (uintptr_t)landing, WORD, BELOW, &count), JS_OK);
    assert_int_equal(count, 0);
    assert_int_equal(js_traced_send(-1, before.rip, (uintptr_t)landing, WORD, BELOW, &count), JS_ESYS);
}

#else

static void nothing_is_sent(void **state)
{
    (void)state;
    size_t count;
    assert_int_equal(js_traced_send(getpid(), 0, 0, 0, 0, &count), JS_EUNSUP);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef __x86_64__
        cmocka_unit_test(who_is_there_goes_on_elsewhere),
        cmocka_unit_test(who_is_not_there_goes_on),
#else
        cmocka_unit_test(nothing_is_sent),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
