/* stacks/unwind/rules.c: the rules of a signal's frame, whose expressions read the stack, lead to the code
 * that the signal has interrupted, also from a stack of its own. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include "own_process.h"

enum { OTHER_STACK = 1 << 20 };

static own_process own;
static int handled;
static void *volatile interrupted_sp;

/* Keep what the handler knows of the code that it has interrupted. */
static ucontext_t before;
static uint64_t registers[JS_UNWIND_REGISTERS];

__attribute__((noinline)) static void unwind_here(void)
{
    js_native_stack stack;
    ucontext_t context;
    getcontext(&context);
    uint64_t here[JS_UNWIND_REGISTERS];
    own_registers(&context, here);
    own_init(&own);
    assert_int_equal(js_native_stack_init(&stack, &own.unwinder, here), JS_OK);
    int handler = own_find(&stack, 0, "own_handler");
    int interrupted = own_find(&stack, 0, "own_interrupted");
    assert_true(handler > 0);
    assert_true(interrupted > handler + 1);
    const js_unwound *found = NULL;
    for (size_t i = 0; i < stack.count && !found; i++) {
        found = stack.frames[i].registers.is_caller ? NULL : &stack.frames[i].registers;
        found = i ? found : NULL;
    }
    assert_non_null(found); /* the frame that the signal has interrupted has all registers of then */
    own_registers(&before, registers);
    for (int i = 0; i < JS_UNWIND_REGISTERS; i++) {
        assert_true(found->is_known[i]);
        assert_true(found->values[i] == registers[i]);
    }
    assert_true(own_find(&stack, (size_t)interrupted, "main") > interrupted);
    assert_int_equal(stack.status, JS_OK);
    js_native_stack_deinit(&stack);
    own_deinit(&own);
    handled++;
}

static void own_handler(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info;
    before = *(ucontext_t *)context;
    unwind_here();
    interrupted_sp = NULL; /* no tail call */
}

__attribute__((noinline)) static void own_interrupted(void)
{
    raise(SIGUSR1);
    interrupted_sp = &handled; /* no tail call */
}

static void signal_frame(void **state)
{
    (void)state;
    struct sigaction action = {.sa_sigaction = own_handler, .sa_flags = SA_SIGINFO};
    handled = 0;
    sigaction(SIGUSR1, &action, NULL);
    own_interrupted();
    assert_int_equal(handled, 1);
}

static void signal_frame_on_another_stack(void **state)
{
    (void)state;
    struct sigaction action = {.sa_sigaction = own_handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    static uint8_t low[OTHER_STACK]; /* below the stack */
    uint8_t high[OTHER_STACK];       /* above the frames of own_interrupted */
    uint8_t *const stacks[] = {low, high};
    for (size_t i = 0; i < 2; i++) {
        const stack_t other = {.ss_sp = stacks[i], .ss_size = OTHER_STACK};
        handled = 0;
        assert_int_equal(sigaltstack(&other, NULL), 0);
        sigaction(SIGUSR1, &action, NULL);
        own_interrupted();
        assert_int_equal(handled, 1);
    }
    const stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signal_frame),
        cmocka_unit_test(signal_frame_on_another_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
