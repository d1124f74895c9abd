/* validity/states/in_memory.c: a variable's place in the frame before it holds the variable. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assembly.h"
#include "variables_fixture.h"

JS_ASSEMBLY(home, "sub rsp, 24; "      /* 0 */
                  "mov [rsp], rdi; "   /* 4 */
                  "mov rax, [rsp]; "   /* 8 */
                  "add rsp, 8; "       /* 12 */
                  "nop; "              /* 16: the place is below the stack pointer */
                  "add rsp, 16; ret"); /* 17 */

static js_location whole;

/* Begin a function with one variable, which has a place in the frame. */
static js_variable *in_memory(uint32_t line)
{
    static const uint8_t at_0[] = {DW_OP_fbreg, 0};
    whole = (js_location){0, JS_ASSEMBLY_SIZE(home), at_0, sizeof(at_0)};
    code(home, JS_ASSEMBLY_SIZE(home));
    js_variable *x = variable("x", "x", 0, line);
    located(x, &whole, 1);
    x->is_whole = true;
    return x;
}

static void expect(uint64_t offset, js_state state, const char *reason)
{
    const js_range_state *found = span("x", offset);
    assert_int_equal(found->state, state);
    assert_string_equal(found->reason, reason);
}

static void a_frame_that_is_left(void **state)
{
    (void)state;
    row(0, 4);
    row(4, 5);
    row(8, 6);
    in_memory(5);
    run(NULL);
    assert_int_equal(span("x", 12)->state, JS_STATE_EXACT);
    expect(16, JS_STATE_UNKNOWN, "the frame is not set up here");
}

static void a_line_that_begins_before_the_store(void **state)
{
    (void)state;
    row(0, 4);
    row(4, 6);
    row(12, 7);
    in_memory(5);
    run("{'first': 4, 'last': 9, 'defs': [{'name': 'x', 'line': 5}], "
        "'at': [{'name': 'x', 'first': 6, 'last': 7, 'defs': [1]}]}");
    expect(4, JS_STATE_UNKNOWN, "not stored yet");
}

/* Numba removes the assignment of line 7, and the place keeps the value from before. */
static void an_assignment_that_was_removed(void **state)
{
    (void)state;
    row(0, 4);
    row(4, 5);
    row(8, 8);
    in_memory(5);
    run("{'first': 4, 'last': 9, 'defs': [{'name': 'x', 'line': 5}, {'name': 'x', 'line': 7}], "
        "'at': [{'name': 'x', 'first': 8, 'last': 8, 'defs': [1, 2]}]}");
    expect(8, JS_STATE_UNKNOWN, "the compiler removed an assignment that nothing reads");
}

static void an_argument_that_is_not_in_place(void **state)
{
    static char unknown[] = "(foo)";
    (void)state;
    function.name.arguments = unknown;
    row(0, 4);
    row(8, 5);
    in_memory(4)->is_argument = true;
    run(NULL);
    expect(0, JS_STATE_UNKNOWN, "the arguments are not in place yet");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_frame_that_is_left, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_line_that_begins_before_the_store, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_assignment_that_was_removed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_argument_that_is_not_in_place, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
