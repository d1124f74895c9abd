/* validity/recovered/memory_homes.c: what a variable's place in the frame holds where code is reached by
 * several paths, or by none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assembly.h"
#include "variables_fixture.h"

static const uint8_t at_8[] = {DW_OP_fbreg, 8}, at_16[] = {DW_OP_fbreg, 16};

static void expect(const char *name, uint64_t offset, js_state state, const char *reason)
{
    const js_range_state *found = span(name, offset);
    assert_int_equal(found->state, state);
    assert_string_equal(found->reason, reason);
}

JS_ASSEMBLY(home, "sub rsp, 24; "                /* 0 */
                  "mov qword ptr [rsp + 8], 0; " /* 4: fill */
                  "mov [rsp + 8], rdi; "         /* 13 */
                  "mov rax, [rsp + 8]; "         /* 18 */
                  "mov qword ptr [rsp + 8], 0; " /* 23: cleared */
                  "add rsp, 24; "                /* 32 */
                  "ret; "                        /* 36 */
                  "nop; ret");                   /* 37: no path leads here */

static void after_the_last_use_and_where_no_path_leads(void **state)
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
    expect("x", 32, JS_STATE_OPTIMIZED_OUT, "no longer used");
    expect("x", 37, JS_STATE_OPTIMIZED_OUT, "no longer used");
}

JS_ASSEMBLY(two_ways, "sub rsp, 24; "                             /* 0 */
                      "test edi, edi; "                           /* 4 */
                      "je 2f; "                                   /* 6 */
                      "mov [rsp + 8], rdi; "                      /* 8 */
                      "jmp 3f; "                                  /* 13 */
                      "2: mov [rsp + 16], rdi; "                  /* 15 */
                      "3: nop; "                                  /* 20 */
                      "mov rax, [rsp + 8]; mov rax, [rsp + 16]; " /* 21 */
                      "add rsp, 24; ret");

static void two_versions_on_two_paths(void **state)
{
    (void)state;
    js_location first = {0, JS_ASSEMBLY_SIZE(two_ways), at_8, sizeof(at_8)},
                second = {0, JS_ASSEMBLY_SIZE(two_ways), at_16, sizeof(at_16)};
    code(two_ways, JS_ASSEMBLY_SIZE(two_ways));
    row(0, 4);
    row(8, 5);
    row(15, 6);
    row(20, 7);
    js_variable *x = variable("x", "x", 0, 5), *other = variable("x$1", "x", 1, 6);
    located(x, &first, 1);
    located(other, &second, 1);
    x->is_whole = other->is_whole = true;
    run(NULL);
    expect("x", 20, JS_STATE_UNKNOWN, "assigned differently on the paths that lead here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(after_the_last_use_and_where_no_path_leads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_versions_on_two_paths, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
