/* Variables in small functions, whose machine code and locations are written by hand as the compiler writes
 * them. */
#include <dwarf.h>
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assembly.h"
#include "variables_fixture.h"

static void assert_expr(const js_range_state *it, const uint8_t *expr, size_t size)
{
    assert_int_equal(it->state, JS_STATE_EXACT);
    assert_int_equal(it->size, size);
    assert_memory_equal(it->expr, expr, size);
}
#define ASSERT_EXPR(it, ...)                                                                                 \
    do {                                                                                                     \
        const uint8_t expected[] = {__VA_ARGS__};                                                            \
        assert_expr(it, expected, sizeof(expected));                                                         \
    } while (0)

JS_ASSEMBLY(home, "sub rsp, 24; "                /* 0 */
                  "mov qword ptr [rsp + 8], 0; " /* 4: fill */
                  "mov [rsp + 8], rdi; "         /* 13 */
                  "mov rax, [rsp + 8]; "         /* 18 */
                  "mov qword ptr [rsp + 8], 0; " /* 23: cleared */
                  "add rsp, 24; "                /* 32 */
                  "ret");                        /* 36 */
static const uint8_t at_8[] = {DW_OP_fbreg, 8};

static void zeros_of_the_compiler_are_no_values(void **state)
{
    (void)state;
    js_location whole = {0, JS_ASSEMBLY_SIZE(home), at_8, sizeof(at_8)};
    code(home, JS_ASSEMBLY_SIZE(home));
    row(0, 4);
    row(13, 5);
    row(18, 6);
    js_variable *x = variable("x", "x", 0, 5);
    located(x, &whole, 1);
    x->is_whole = true;
    run(NULL);
    assert_int_equal(span("x", 0)->state, JS_STATE_UNASSIGNED);
    assert_int_equal(span("x", 13)->state, JS_STATE_UNASSIGNED);
    ASSERT_EXPR(span("x", 18), DW_OP_fbreg, 8);
    assert_ptr_equal(span("x", 18)->version, x);
    assert_int_equal(span("x", 32)->state, JS_STATE_OPTIMIZED_OUT);
}

JS_ASSEMBLY(zeroed, "sub rsp, 24; "                /* 0 */
                    "mov qword ptr [rsp + 8], 0; " /* 4: fill */
                    "mov qword ptr [rsp + 8], 0; " /* 13 */
                    "mov rax, [rsp + 8]; "         /* 22 */
                    "nop; "                        /* 27 */
                    "add rsp, 24; ret");           /* 28 */

static void a_zero_that_the_source_assigns_is_a_value(void **state)
{
    (void)state;
    js_location whole = {0, JS_ASSEMBLY_SIZE(zeroed), at_8, sizeof(at_8)};
    code(zeroed, JS_ASSEMBLY_SIZE(zeroed));
    row(0, 4);
    rows[0].prologue_end = false;
    row(13, 5);
    rows[1].prologue_end = true;
    row(22, 6);
    row(27, 7);
    js_variable *x = variable("x", "x", 0, 5);
    located(x, &whole, 1);
    x->is_whole = true;
    run(NULL);
    assert_int_equal(span("x", 13)->state, JS_STATE_UNASSIGNED);
    ASSERT_EXPR(span("x", 22), DW_OP_fbreg, 8);
    /* the program does not read it any more, so debuggers must not write there */
    ASSERT_EXPR(span("x", 27), DW_OP_fbreg, 8, DW_OP_deref_size, 8, DW_OP_stack_value);
}

JS_ASSEMBLY(keeps, "push rbx; "     /* 0 */
                   "mov rbx, rdi; " /* 1 */
                   "call rax; "     /* 4 */
                   "mov rax, rbx; " /* 6 */
                   "pop rbx; ret"); /* 9 */
static const uint8_t zero[] = {DW_OP_consts, 0, DW_OP_stack_value};
static const uint8_t in_rdx[] = {DW_OP_reg1};

JS_ASSEMBLY(keeps_third, "push rbx; "
                         "mov rbx, rdx; "
                         "call rax; "
                         "mov rax, rbx; "
                         "pop rbx; ret");

/* The argument comes third: the result's and the exception's address come first. */
static void an_argument_is_followed_past_the_compilers_zero(void **state)
{
    (void)state;
    js_location locations[] = {{0, 1, in_rdx, 1}, {1, JS_ASSEMBLY_SIZE(keeps_third), zero, sizeof(zero)}};
    code(keeps_third, JS_ASSEMBLY_SIZE(keeps_third));
    row(0, 4);
    row(4, 5);
    js_variable *a = variable("a", "a", 0, 4);
    a->is_argument = true;
    located(a, locations, 2);
    run("{'first': 4, 'last': 9, "
        "'defs': [{'name': 'a', 'line': 4}], "
        "'at': [{'name': 'a', 'first': 4, 'last': 5, 'defs': [1]}]}");
    ASSERT_EXPR(span("a", 0), DW_OP_reg1);
    ASSERT_EXPR(span("a", 4), DW_OP_reg1);
    ASSERT_EXPR(span("a", 5), DW_OP_reg3); /* as a callee sees it: rdx is lost */
    ASSERT_EXPR(span("a", 6), DW_OP_reg3);
    ASSERT_EXPR(span("a", 10), DW_OP_reg0);
}

static void an_argument_that_is_not_used_may_be_anything(void **state)
{
    (void)state;
    js_location locations[] = {{0, JS_ASSEMBLY_SIZE(keeps), zero, sizeof(zero)}};
    code(keeps, JS_ASSEMBLY_SIZE(keeps));
    row(0, 4);
    js_variable *a = variable("a", "a", 0, 4);
    a->is_argument = true;
    located(a, locations, 1);
    run("{'first': 4, 'last': 9, "
        "'defs': [{'name': 'a', 'line': 4}], "
        "'at': [{'name': 'a', 'first': 4, 'last': 4, 'defs': [1]}]}");
    assert_int_equal(span("a", 0)->state, JS_STATE_OPTIMIZED_OUT);
}

static void an_argument_that_may_be_assigned_again_is_labelled(void **state)
{
    (void)state;
    js_location locations[] = {{0, JS_ASSEMBLY_SIZE(keeps), in_rdx, 1}};
    code(keeps, JS_ASSEMBLY_SIZE(keeps));
    row(0, 4);
    row(4, 6);
    js_variable *a = variable("a", "a", 0, 4);
    a->is_argument = true;
    located(a, locations, 1);
    run("{'first': 4, 'last': 9, "
        "'defs': [{'name': 'a', 'line': 4}, {'name': 'a', 'line': 5}], "
        "'at': [{'name': 'a', 'first': 4, 'last': 4, 'defs': [1]}, "
        "{'name': 'a', 'first': 6, 'last': 6, 'defs': [1, 2]}]}");
    assert_int_not_equal(span("a", 4)->state, JS_STATE_EXACT);
    function.locals = NULL;
    run(NULL);
    assert_int_equal(span("a", 4)->state, JS_STATE_UNKNOWN);
}

static void the_source_tells_which_version_is_current(void **state)
{
    (void)state;
    static const uint8_t in_rbx[] = {DW_OP_reg3};
    js_location first[] = {{0, JS_ASSEMBLY_SIZE(keeps), in_rbx, 1}},
                second[] = {{0, JS_ASSEMBLY_SIZE(keeps), in_rbx, 1}};
    code(keeps, JS_ASSEMBLY_SIZE(keeps));
    row(0, 4);
    row(1, 6);
    row(6, 8);
    row(9, 9);
    js_variable *x = variable("x", "x", 0, 5), *later = variable("x$1", "x", 1, 7);
    located(x, first, 1);
    located(later, second, 1);
    run("{'first': 4, 'last': 9, "
        "'defs': [{'name': 'x', 'line': 5}, {'name': 'x', 'line': 7, 'literal': '-3'}], "
        "'at': [{'name': 'x', 'first': 4, 'last': 4, 'maybe_unassigned': true, 'defs': []}, "
        "{'name': 'x', 'first': 6, 'last': 6, 'defs': [1]}, "
        "{'name': 'x', 'first': 8, 'last': 8, 'defs': [2]}, "
        "{'name': 'x', 'first': 9, 'last': 9, 'maybe_unassigned': true, 'defs': [1]}]}");
    assert_int_equal(span("x", 0)->state, JS_STATE_UNASSIGNED);
    assert_ptr_equal(span("x", 1)->version, x);
    ASSERT_EXPR(span("x", 1), DW_OP_reg3);
    assert_ptr_equal(span("x", 6)->version, later);
    ASSERT_EXPR(span("x", 6), DW_OP_consts, 0x7d, DW_OP_stack_value);
    assert_int_equal(span("x", 9)->state, JS_STATE_UNKNOWN);
}

static void a_source_that_does_not_match_is_not_believed(void **state)
{
    (void)state;
    static const uint8_t in_rbx[] = {DW_OP_reg3};
    js_location first[] = {{0, JS_ASSEMBLY_SIZE(keeps), in_rbx, 1}};
    code(keeps, JS_ASSEMBLY_SIZE(keeps));
    row(0, 6);
    located(variable("x", "x", 0, 17), first, 1);
    run("{'first': 4, 'last': 9, "
        "'defs': [{'name': 'x', 'line': 5}], "
        "'at': [{'name': 'x', 'first': 6, 'last': 6, 'defs': [1]}]}");
    assert_int_equal(span("x", 4)->state, JS_STATE_UNKNOWN);
}

static void loops_of_optimised_code_are_labelled(void **state)
{
    (void)state;
    js_location first[] = {{0, JS_ASSEMBLY_SIZE(keeps), in_rdx, 1}};
    code(keeps, JS_ASSEMBLY_SIZE(keeps));
    row(0, 6);
    located(variable("x", "x", 0, 5), first, 1);
    run("{'first': 4, 'last': 9, "
        "'defs': [{'name': 'x', 'line': 5, 'in_loop': true}], "
        "'at': [{'name': 'x', 'first': 6, 'last': 6, 'defs': [1]}]}");
    assert_int_equal(span("x", 4)->state, JS_STATE_OPTIMIZED_OUT);
}

static void any_code_and_locations_are_survived(void **state)
{
    srand(3);
    assert_int_equal(JS_ASSEMBLY_SIZE(home), 37);
    for (unsigned round = 0; round < 4000; round++) {
        static uint8_t bytes[37], expr[2][12];
        js_location locations[2];
        assert_int_equal(set_up(state), JS_OK);
        for (size_t i = 0; i < sizeof(bytes); i++) {
            bytes[i] = round % 3 ? home[i] : (uint8_t)rand();
        }
        bytes[(size_t)rand() % sizeof(bytes)] = (uint8_t)rand();
        code(bytes, sizeof(bytes));
        for (uint64_t at = 0; at < sizeof(bytes); at += 1 + (uint64_t)rand() % 9) {
            row(at, (uint32_t)rand() % 10);
            if (function.lines.nrows == 16) {
                break;
            }
        }
        for (unsigned v = 0; v < 2; v++) {
            js_variable *x = variable("x", "x", v, (uint32_t)rand() % 10);
            for (size_t i = 0; i < sizeof(expr[v]); i++) {
                expr[v][i] = (uint8_t)(rand() % 2 ? rand() : DW_OP_fbreg);
            }
            locations[v] = (js_location){0, sizeof(bytes), expr[v], 1 + (size_t)rand() % sizeof(expr[v])};
            located(x, &locations[v], 1);
            x->is_argument = rand() % 2;
            x->is_whole = rand() % 2;
        }
        run(round % 2 ? "{'first': 4, 'last': 9, "
                        "'defs': [{'name': 'x', 'line': 5}, {'name': 'x', 'line': 7}], "
                        "'at': [{'name': 'x', 'first': 6, 'last': 6, 'defs': [1]}, "
                        "{'name': 'x', 'first': 8, 'last': 8, 'defs': [1, 2]}]}"
                      : NULL);
        tear_down(state);
    }
    assert_int_equal(set_up(state), JS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(zeros_of_the_compiler_are_no_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_zero_that_the_source_assigns_is_a_value, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_argument_is_followed_past_the_compilers_zero, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_argument_that_is_not_used_may_be_anything, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_argument_that_may_be_assigned_again_is_labelled, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_source_tells_which_version_is_current, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_source_that_does_not_match_is_not_believed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(loops_of_optimised_code_are_labelled, set_up, tear_down),
        cmocka_unit_test_setup_teardown(any_code_and_locations_are_survived, NULL, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
