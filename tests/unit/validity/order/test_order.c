/* Optimised code, written by hand, that runs out of the order of its statements, and the states of variables
 * there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assembly.h"
#include "flow_fixture.h"
#include "function_fixture.h"

static js_variable variable;

static int set_up(void **state)
{
    (void)state;
    int status = create_function(&variable);
    variable = (js_variable){.name = "x", .base = "x", .line = 7};
    function.nvariables = 1;
    return status ? status : js_types_get(types, "int64", NULL, &variable.type);
}

static void run(const uint8_t *bytes, size_t size, const char *text)
{
    js_flow flow;
    function.code = bytes;
    function.hi = LO + size;
    assert_int_equal(read_flow(&object.arena, text, &flow), JS_OK);
    assert_int_equal(js_truth_function(&object, NULL, &function, &flow), JS_OK);
}

static void assert_state(uint64_t offset, js_state expected)
{
    const js_local *local = &function.locals[0];
    for (size_t i = 0; i < local->nspans; i++) {
        const js_range_state *it = &local->spans[i];
        if (LO + offset >= it->lo && LO + offset < it->hi) {
            assert_int_equal(it->state, expected);
            return;
        }
    }
    fail_msg("no span at %#lx", (unsigned long)offset);
}

JS_ASSEMBLY(straight, ".rept 4; inc rax; .endr; ret");

/* a = …; x = 7, for which there is no code; x + a */
static const char below[] =
    "{'first': 4, 'last': 8, "
    "'defs': [{'name': 'a', 'line': 6}, {'name': 'x', 'line': 7, 'literal': '7'}], "
    "'at': [{'name': 'a', 'first': 4, 'last': 6, 'maybe_unassigned': true, 'defs': []}, "
    "{'name': 'a', 'first': 7, 'last': 8, 'defs': [1]}, "
    "{'name': 'x', 'first': 4, 'last': 7, 'maybe_unassigned': true, 'defs': []}, "
    "{'name': 'x', 'first': 8, 'last': 8, 'defs': [2]}]}";

static void what_a_moved_line_knows_is_not_assigned_yet(void **state)
{
    (void)state;
    row(0, 5);
    row(3, 8); /* moved up */
    row(6, 6);
    row(9, 8);
    run(straight, JS_ASSEMBLY_SIZE(straight), below);
    assert_state(0, JS_STATE_UNASSIGNED);
    assert_state(3, JS_STATE_UNKNOWN);
    assert_state(6, JS_STATE_UNASSIGNED);
    assert_state(9, JS_STATE_EXACT);
}

/* if …:  x = 7;  use(x) */
static const char arm[] =
    "{'first': 4, 'last': 9, "
    "'regions': [{'kind': 'arm', 'first_test': 6, 'last_test': 6, 'first': 7, 'last': 8}], "
    "'defs': [{'name': 'x', 'line': 7, 'literal': '7'}], "
    "'at': [{'name': 'x', 'first': 5, 'last': 7, 'maybe_unassigned': true, 'defs': []}, "
    "{'name': 'x', 'first': 8, 'last': 8, 'defs': [1]}, "
    "{'name': 'x', 'first': 9, 'last': 9, 'maybe_unassigned': true, 'defs': [1]}]}";

static void a_line_under_a_test_waits_for_the_test(void **state)
{
    (void)state;
    row(0, 5);
    row(3, 8); /* runs whether the condition is true or not */
    row(6, 9);
    run(straight, JS_ASSEMBLY_SIZE(straight), arm);
    assert_state(3, JS_STATE_UNKNOWN);
}

JS_ASSEMBLY(with_a_test, "test rdi, rdi; je 2f; "
                         "inc rax; " /* 5 */
                         "2: ret");  /* 8 */

static void a_line_behind_its_test_is_in_its_turn(void **state)
{
    (void)state;
    row(0, 6);
    row(5, 8);
    row(8, 9);
    run(with_a_test, JS_ASSEMBLY_SIZE(with_a_test), arm);
    assert_state(5, JS_STATE_EXACT);
}

/* A jump that is followed by code. */
JS_ASSEMBLY(jumping_anywhere, "jmp rax; mov rax, rdi; ret");

static void where_the_code_cannot_be_followed_nothing_has_an_order(void **state)
{
    (void)state;
    row(0, 5);
    row(2, 8);
    run(jumping_anywhere, JS_ASSEMBLY_SIZE(jumping_anywhere), below);
    assert_state(0, JS_STATE_UNKNOWN);
    assert_state(2, JS_STATE_UNKNOWN);
}

JS_ASSEMBLY(asking, "inc rax; "       /* 0 */
                    "movabs rax, 0; " /* 3 */
                    "call rax; "      /* 13 */
                    "nop; "           /* 15 */
                    "inc rax; "       /* 16 */
                    "ret");           /* 19 */
static js_reference called = {.pc = LO + 5};

/* Like `below`, in a loop: line 6 may be that of the next iteration, so calls and rows have no order. */
static const char again[] =
    "{'first': 4, 'last': 8, "
    "'regions': [{'kind': 'loop', 'first_test': 5, 'last_test': 5, 'first': 6, 'last': 8}], "
    "'defs': [{'name': 'a', 'line': 6}, {'name': 'x', 'line': 7, 'literal': '7'}], "
    "'at': [{'name': 'a', 'first': 4, 'last': 6, 'maybe_unassigned': true, 'defs': []}, "
    "{'name': 'a', 'first': 7, 'last': 8, 'defs': [1]}, "
    "{'name': 'x', 'first': 4, 'last': 7, 'maybe_unassigned': true, 'defs': []}, "
    "{'name': 'x', 'first': 8, 'last': 8, 'defs': [2]}]}";

static void call(const char *name, uint32_t line)
{
    called.name = name;
    object.references = &called;
    object.nreferences = 1;
    row(0, 5);
    row(3, line);
    row(16, 6); /* above the call in the source */
    row(19, 8);
    run(asking, JS_ASSEMBLY_SIZE(asking), again);
}

static void where_the_program_asks_to_stop_it_is_at_its_line(void **state)
{
    (void)state;
    call("jitscope_breakpoint", 8);
    assert_state(3, JS_STATE_UNKNOWN); /* its code may run before the call */
    assert_state(13, JS_STATE_EXACT);
    assert_state(14, JS_STATE_EXACT); /* in the call */
    assert_state(15, JS_STATE_EXACT);
}

static void other_calls_may_be_ahead_of_their_line(void **state)
{
    (void)state;
    call("exp", 8);
    assert_state(13, JS_STATE_UNKNOWN);
    assert_state(15, JS_STATE_UNKNOWN);
}

static void a_stop_of_several_statements_is_at_no_line(void **state)
{
    (void)state;
    call("jitscope_breakpoint", 4); /* the call is one of the function */
    assert_state(13, JS_STATE_UNKNOWN);
    assert_state(15, JS_STATE_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_a_moved_line_knows_is_not_assigned_yet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_line_under_a_test_waits_for_the_test, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_line_behind_its_test_is_in_its_turn, set_up, tear_down),
        cmocka_unit_test_setup_teardown(where_the_program_asks_to_stop_it_is_at_its_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_calls_may_be_ahead_of_their_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_stop_of_several_statements_is_at_no_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(where_the_code_cannot_be_followed_nothing_has_an_order, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
