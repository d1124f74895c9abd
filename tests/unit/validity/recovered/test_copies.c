/* validity/recovered/copies.c: unoptimised code, written by hand, that clears a variable after its last use,
 * and what is still known of the variable. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assembly.h"
#include "flow_fixture.h"
#include "function_fixture.h"

static const uint8_t home_expr[] = {DW_OP_fbreg, 8};
static js_location location;
static js_variable variable;

static int set_up(void **state)
{
    (void)state;
    int status = create_function(&variable);
    variable = (js_variable){.name = "x", .base = "x", .line = 6, .is_whole = true, .locations = &location};
    variable.nlocations = 1;
    function.nvariables = 1;
    return status ? status : js_types_get(types, "int64", NULL, &variable.type);
}

static void run(const uint8_t *bytes, size_t size, const char *text)
{
    js_flow flow;
    function.code = bytes;
    function.hi = LO + size;
    location = (js_location){.lo = LO, .hi = LO + size, .expr = home_expr, .size = sizeof(home_expr)};
    assert_int_equal(read_flow(&object.arena, text, &flow), JS_OK);
    assert_int_equal(js_truth_function(&object, NULL, &function, &flow), JS_OK);
}

static const js_range_state *span_at(uint64_t offset)
{
    const js_local *local = &function.locals[0];
    for (size_t i = 0; i < local->nspans; i++) {
        if (LO + offset >= local->spans[i].lo && LO + offset < local->spans[i].hi) {
            return &local->spans[i];
        }
    }
    fail_msg("no span at %#lx", (unsigned long)offset);
    return NULL;
}

JS_ASSEMBLY(copied, "sub rsp, 0x28; "                 /* 0 */
                    "mov qword ptr [rsp + 8], 0; "    /* 4 */
                    "mov [rsp + 0x10], rdi; "         /* 13 */
                    "mov rax, [rsp + 0x10]; "         /* 18 */
                    "mov [rsp + 8], rax; "            /* 23 */
                    "mov qword ptr [rsp + 8], 0; "    /* 28 */
                    "inc rcx; "                       /* 37 */
                    "mov qword ptr [rsp + 0x10], 0; " /* 40 */
                    "inc rcx; "                       /* 49 */
                    "add rsp, 0x28; ret");            /* 52 */

static void another_word_that_holds_the_same_tells_it(void **state)
{
    (void)state;
    static const uint8_t copy[] = {DW_OP_breg7, 0x10, DW_OP_deref_size, 8, DW_OP_stack_value};
    row(0, 4);
    row(13, 6);
    row(28, 7);
    row(49, 8);
    run(copied, JS_ASSEMBLY_SIZE(copied),
        "{'first': 4, 'last': 8, "
        "'defs': [{'name': 'x', 'line': 6}], "
        "'at': [{'name': 'x', 'first': 5, 'last': 6, 'maybe_unassigned': true, 'defs': []}, "
        "{'name': 'x', 'first': 7, 'last': 8, 'defs': [1]}]}");
    const js_range_state *cleared = span_at(37);
    assert_int_equal(cleared->state, JS_STATE_EXACT);
    assert_int_equal(cleared->size, sizeof(copy));
    assert_memory_equal(cleared->expr, copy, sizeof(copy));
    assert_int_not_equal(span_at(49)->state, JS_STATE_EXACT);
}

JS_ASSEMBLY(looping, "sub rsp, 0x18; "              /* 0 */
                     "mov qword ptr [rsp + 8], 0; " /* 4 */
                     "mov qword ptr [rsp + 8], 5; " /* 13 */
                     "2: dec rdi; "                 /* 22 */
                     "mov qword ptr [rsp + 8], 0; " /* 25 */
                     "inc rax; "                    /* 34: code of line 10 */
                     "test rdi, rdi; jne 2b; "      /* 37 */
                     "inc rax; "                    /* 42 */
                     "add rsp, 0x18; ret");         /* 45 */

static void a_line_behind_a_loop_tells_nothing_within_it(void **state)
{
    (void)state;
    row(0, 4);
    row(13, 6);
    row(22, 7);
    row(25, 8);
    row(34, 10);
    row(37, 7);
    row(42, 10);
    run(looping, JS_ASSEMBLY_SIZE(looping),
        "{'first': 4, 'last': 10, "
        "'regions': [{'kind': 'loop', 'first_test': 7, 'last_test': 7, 'first': 8, 'last': 8}], "
        "'defs': [{'name': 'x', 'line': 6}], "
        "'at': [{'name': 'x', 'first': 5, 'last': 6, 'maybe_unassigned': true, 'defs': []}, "
        "{'name': 'x', 'first': 7, 'last': 8, 'defs': [1]}, "
        "{'name': 'x', 'first': 10, 'last': 10, 'defs': [1], 'known': '5'}]}");
    assert_int_not_equal(span_at(34)->state, JS_STATE_EXACT);
    assert_int_equal(span_at(42)->state, JS_STATE_EXACT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(another_word_that_holds_the_same_tells_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_line_behind_a_loop_tells_nothing_within_it, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
