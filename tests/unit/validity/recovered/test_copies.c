/* Unoptimised code, written by hand, that clears a variable after its last use: what is still told of it? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

static void another_word_that_holds_the_same_tells_it(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {
        0x48, 0x83, 0xec, 0x28,                   /* 0 sub rsp,0x28 */
        0x48, 0xc7, 0x44, 0x24, 0x08, 0, 0, 0, 0, /* 4 mov qword [rsp+8],0 */
        0x48, 0x89, 0x7c, 0x24, 0x10,             /* 13 mov [rsp+0x10],rdi */
        0x48, 0x8b, 0x44, 0x24, 0x10,             /* 18 mov rax,[rsp+0x10] */
        0x48, 0x89, 0x44, 0x24, 0x08,             /* 23 mov [rsp+8],rax */
        0x48, 0xc7, 0x44, 0x24, 0x08, 0, 0, 0, 0, /* 28 mov qword [rsp+8],0 */
        0x48, 0xff, 0xc1,                         /* 37 inc rcx */
        0x48, 0xc7, 0x44, 0x24, 0x10, 0, 0, 0, 0, /* 40 mov qword [rsp+0x10],0 */
        0x48, 0xff, 0xc1,                         /* 49 inc rcx */
        0x48, 0x83, 0xc4, 0x28, 0xc3,             /* 52 add rsp,0x28; ret */
    };
    static const uint8_t copy[] = {DW_OP_breg7, 0x10, DW_OP_deref_size, 8, DW_OP_stack_value};
    row(0, 4);
    row(13, 6);
    row(28, 7);
    row(49, 8);
    run(bytes, sizeof(bytes),
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

static void a_line_behind_a_loop_tells_nothing_within_it(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {
        0x48, 0x83, 0xec, 0x18,                   /* 0 sub rsp,0x18 */
        0x48, 0xc7, 0x44, 0x24, 0x08, 0, 0, 0, 0, /* 4 mov qword [rsp+8],0 */
        0x48, 0xc7, 0x44, 0x24, 0x08, 5, 0, 0, 0, /* 13 mov qword [rsp+8],5 */
        0x48, 0xff, 0xcf,                         /* 22 dec rdi */
        0x48, 0xc7, 0x44, 0x24, 0x08, 0, 0, 0, 0, /* 25 mov qword [rsp+8],0 */
        0x48, 0xff, 0xc0,                         /* 34 inc rax: of line 10 */
        0x48, 0x85, 0xff,                         /* 37 test rdi,rdi */
        0x75, 0xec,                               /* 40 jne 22 */
        0x48, 0xff, 0xc0,                         /* 42 inc rax */
        0x48, 0x83, 0xc4, 0x18, 0xc3,             /* 45 add rsp,0x18; ret */
    };
    row(0, 4);
    row(13, 6);
    row(22, 7);
    row(25, 8);
    row(34, 10);
    row(37, 7);
    row(42, 10);
    run(bytes, sizeof(bytes),
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
