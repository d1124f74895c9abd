/* Rows of small functions, written by hand as the compiler writes them: where a statement begins. */
#include <dwarf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assembly.h"
#include "flow_fixture.h"
#include "function_fixture.h"

static js_variable variables[4];

static int set_up(void **state)
{
    (void)state;
    memset(variables, 0, sizeof(variables));
    return create_function(variables);
}

static void run(const uint8_t *bytes, size_t size, const char *text)
{
    js_flow flow;
    js_row before[ROWS];
    memcpy(before, rows, sizeof(rows));
    function.code = bytes;
    function.hi = LO + size;
    if (text) {
        assert_int_equal(read_flow(&object.arena, text, &flow), JS_OK);
    }
    assert_int_equal(js_truth_function(&object, NULL, &function, text ? &flow : NULL), JS_OK);
    assert_memory_equal(rows, before, sizeof(rows)); /* what was read stays as read */
}

/* Check the lines of the rows that begin a statement, and their offsets, in order. */
static void assert_begins(const unsigned (*expected)[2], size_t count)
{
    size_t found = 0;
    assert_non_null(function.statements.rows);
    for (size_t i = 0; i < function.lines.nall; i++) {
        const js_row *it = &function.statements.rows[i];
        if (!it->is_stmt) {
            continue;
        }
        assert_true(found < count);
        assert_int_equal(it->address, LO + expected[found][0]);
        assert_int_equal(it->line, expected[found][1]);
        found++;
    }
    assert_int_equal(found, count);
}
#define ASSERT_BEGINS(...)                                                                                   \
    do {                                                                                                     \
        const unsigned expected[][2] = {__VA_ARGS__};                                                        \
        assert_begins(expected, sizeof(expected) / sizeof(*expected));                                       \
    } while (0)

JS_ASSEMBLY(straight, ".rept 8; inc rax; .endr; ret");

/* Four assignments in succession: each line has facts of its own. */
static const char four[] =
    "{'first': 4, 'last': 8, "
    "'defs': [{'name': 'a', 'line': 5}, {'name': 'b', 'line': 6}, {'name': 'c', 'line': 7}], "
    "'at': [{'name': 'a', 'first': 5, 'last': 5, 'maybe_unassigned': true, 'defs': []}, "
    "{'name': 'a', 'first': 6, 'last': 8, 'defs': [1]}, "
    "{'name': 'b', 'first': 5, 'last': 6, 'maybe_unassigned': true, 'defs': []}, "
    "{'name': 'b', 'first': 7, 'last': 8, 'defs': [2]}, "
    "{'name': 'c', 'first': 5, 'last': 7, 'maybe_unassigned': true, 'defs': []}, "
    "{'name': 'c', 'first': 8, 'last': 8, 'defs': [3]}]}";

static void code_that_was_moved_begins_no_statement(void **state)
{
    (void)state;
    row(0, 5);
    row(3, 7); /* moved up */
    row(6, 6);
    row(9, 7);
    row(12, 5); /* moved down */
    row(15, 7); /* the line has begun already */
    row(18, 8);
    run(straight, JS_ASSEMBLY_SIZE(straight), four);
    ASSERT_BEGINS({0, 5}, {6, 6}, {9, 7}, {18, 8});
}

static void code_moved_to_the_start_belongs_to_the_first_statement(void **state)
{
    (void)state;
    row(0, 4);
    row(3, 6);
    rows[1].prologue_end = true;
    row(6, 5);
    row(9, 6);
    row(12, 8);
    run(straight, JS_ASSEMBLY_SIZE(straight), four);
    ASSERT_BEGINS({0, 4}, {3, 5}, {6, 5}, {9, 6}, {12, 8});
    assert_true(function.statements.rows[1].prologue_end);
    assert_false(function.statements.rows[2].prologue_end);
}

static void the_only_row_of_a_line_is_kept_before_one_of_several(void **state)
{
    (void)state;
    row(0, 5);
    row(3, 7);
    row(6, 6); /* code of one branch only: line 6 has another row */
    row(9, 8);
    row(12, 6);
    run(straight, JS_ASSEMBLY_SIZE(straight), four);
    ASSERT_BEGINS({0, 5}, {3, 7}, {9, 8});
}

JS_ASSEMBLY(branching, "inc rax; "
                       "inc rax; je 2f; " /* 3 */
                       "inc rax; "        /* 8 */
                       "2: inc rax; "     /* 11 */
                       "inc rax; ret");   /* 14 */

static void what_a_statement_goes_on_with_begins_none(void **state)
{
    (void)state;
    row(0, 5);
    row(3, 6);
    row(8, 7);
    rows[2].is_stmt = false;
    row(11, 6); /* where two paths of line 6 meet */
    row(14, 8);
    run(branching, JS_ASSEMBLY_SIZE(branching), four);
    ASSERT_BEGINS({0, 5}, {3, 6}, {14, 8});
}

static void lines_of_loops_come_again(void **state)
{
    (void)state;
    row(0, 5);
    row(3, 6);
    row(6, 7);
    row(9, 6); /* unrolled */
    row(12, 7);
    row(15, 8);
    run(straight, JS_ASSEMBLY_SIZE(straight),
        "{'first': 4, 'last': 8, "
        "'defs': [{'name': 'i', 'line': 6, 'in_loop': true}, {'name': 's', 'line': 5}, "
        "{'name': 's', 'line': 7, 'in_loop': true}], "
        "'at': [{'name': 'i', 'first': 5, 'last': 5, 'maybe_unassigned': true, 'defs': []}, "
        "{'name': 'i', 'first': 6, 'last': 6, 'maybe_unassigned': true, 'defs': [1]}, "
        "{'name': 'i', 'first': 7, 'last': 7, 'defs': [1]}, "
        "{'name': 'i', 'first': 8, 'last': 8, 'maybe_unassigned': true, 'defs': [1]}, "
        "{'name': 's', 'first': 5, 'last': 5, 'maybe_unassigned': true, 'defs': []}, "
        "{'name': 's', 'first': 6, 'last': 8, 'defs': [2, 3]}]}");
    ASSERT_BEGINS({0, 5}, {3, 6}, {6, 7}, {9, 6}, {12, 7}, {15, 8});
}

static void lines_of_one_statement_have_no_order(void **state)
{
    (void)state;
    row(0, 6);
    row(3, 7);
    row(6, 6);
    row(9, 8);
    run(straight, JS_ASSEMBLY_SIZE(straight),
        "{'first': 4, 'last': 8, "
        "'spans': [{'first': 6, 'last': 7}], "
        "'defs': [{'name': 'a', 'line': 6}], "
        "'at': [{'name': 'a', 'first': 6, 'last': 7, 'maybe_unassigned': true, 'defs': []}, "
        "{'name': 'a', 'first': 8, 'last': 8, 'defs': [1]}]}");
    ASSERT_BEGINS({0, 6}, {3, 7}, {6, 6}, {9, 8});
}

static void statements_that_assign_nothing_are_in_order(void **state)
{
    (void)state;
    row(0, 5);
    row(3, 7); /* runs before the store above it */
    row(6, 6);
    row(9, 7);
    run(straight, JS_ASSEMBLY_SIZE(straight),
        "{'first': 4, 'last': 8, "
        "'defs': [{'name': 'a', 'line': 4}], "
        "'at': [{'name': 'a', 'first': 5, 'last': 7, 'defs': [1]}]}");
    ASSERT_BEGINS({0, 5}, {6, 6}, {9, 7});
}

JS_ASSEMBLY(two_paths, "test rdi, rdi; je 2f; "
                       "inc rax; jmp 3f; " /* 5 */
                       "2: inc rax; "      /* 10 */
                       "3: ret");          /* 13 */

static void other_paths_are_not_compared(void **state)
{
    (void)state;
    row(0, 5);
    row(5, 7);
    row(10, 6); /* the other branch */
    row(13, 8);
    run(two_paths, JS_ASSEMBLY_SIZE(two_paths), four);
    ASSERT_BEGINS({0, 5}, {5, 7}, {10, 6}, {13, 8});
}

JS_ASSEMBLY(joins, "sub rsp, 24; "                /* 0 */
                   "mov qword ptr [rsp + 8], 7; " /* 4: x = 7 */
                   "mov rax, [rsp + 8]; "         /* 13: its joining version */
                   "mov [rsp + 16], rax; "        /* 18 */
                   "mov qword ptr [rsp + 8], 0; " /* 23: cleared */
                   "mov rax, [rsp + 16]; "        /* 32 */
                   "inc rax; "                    /* 37 */
                   "mov [rsp + 16], rax; "        /* 40 */
                   "add rsp, 24; ret");           /* 45 */
static const uint8_t at_8[] = {DW_OP_fbreg, 8}, at_16[] = {DW_OP_fbreg, 16};
static const char one[] =
    "{'first': 4, 'last': 9, "
    "'defs': [{'name': 'x', 'line': 5}], "
    "'at': [{'name': 'x', 'first': 5, 'last': 5, 'maybe_unassigned': true, 'defs': []}, "
    "{'name': 'x', 'first': 6, 'last': 9, 'defs': [1]}]}";

static void in_frame(js_variable *it, unsigned version, uint32_t line, js_location *whole)
{
    *it = (js_variable){.name = "x", .base = "x", .version = version, .line = line, .is_whole = true};
    assert_int_equal(js_types_get(types, "int64", NULL, &it->type), JS_OK);
    it->locations = whole;
    it->nlocations = 1;
    function.nvariables++;
}

static void a_row_that_joins_versions_is_idle(void **state)
{
    (void)state;
    js_location first = {LO, LO + JS_ASSEMBLY_SIZE(joins), at_8, 2},
                second = {LO, LO + JS_ASSEMBLY_SIZE(joins), at_16, 2};
    in_frame(&variables[0], 0, 5, &first);
    in_frame(&variables[1], 1, 8, &second);
    row(0, 4);
    row(4, 5);
    row(13, 8); /* joins */
    row(32, 8);
    rows[3].line = 6;
    row(37, 8);
    run(joins, JS_ASSEMBLY_SIZE(joins), one);
    ASSERT_BEGINS({0, 4}, {4, 5}, {32, 6}, {37, 8});
}

static void the_only_row_of_a_line_is_not_idle(void **state)
{
    (void)state;
    js_location first = {LO, LO + JS_ASSEMBLY_SIZE(joins), at_8, 2},
                second = {LO, LO + JS_ASSEMBLY_SIZE(joins), at_16, 2};
    in_frame(&variables[0], 0, 5, &first);
    in_frame(&variables[1], 1, 8, &second);
    row(0, 4);
    row(4, 5);
    row(13, 6); /* break, continue, pass */
    row(37, 8);
    run(joins, JS_ASSEMBLY_SIZE(joins), one);
    ASSERT_BEGINS({0, 4}, {4, 5}, {13, 6}, {37, 8});
}

static const char turns[] =
    "{'first': 4, 'last': 9, "
    "'defs': [{'name': 'x', 'line': 5}, {'name': 'y', 'line': 8, 'in_loop': true}], "
    "'at': [{'name': 'x', 'first': 5, 'last': 5, 'maybe_unassigned': true, 'defs': []}, "
    "{'name': 'x', 'first': 6, 'last': 6, 'defs': [1]}, "
    "{'name': 'x', 'first': 8, 'last': 9, 'defs': [1]}, "
    "{'name': 'y', 'first': 8, 'last': 8, 'maybe_unassigned': true, 'defs': [2]}]}";
static const uint8_t at_0[] = {DW_OP_fbreg, 0};

/* x of line 5, its joining version, and y of line 8. */
static void x_and_y(size_t size)
{
    static js_location locations[3];
    locations[0] = (js_location){LO, LO + size, at_8, 2};
    locations[1] = (js_location){LO, LO + size, at_16, 2};
    locations[2] = (js_location){LO, LO + size, at_0, 2};
    in_frame(&variables[0], 0, 5, &locations[0]);
    in_frame(&variables[1], 1, 8, &locations[1]);
    in_frame(&variables[2], 0, 8, &locations[2]);
    variables[2].name = variables[2].base = "y";
}

JS_ASSEMBLY(zeroes, "sub rsp, 24; "                /* 0 */
                    "mov qword ptr [rsp + 8], 7; " /* 4 */
                    "mov rax, [rsp + 8]; "         /* 13 */
                    "mov [rsp + 16], rax; "        /* 18 */
                    "inc rax; "                    /* 23 */
                    "mov qword ptr [rsp], 0; "     /* 26: y = 0 */
                    "inc rax; "                    /* 34 */
                    "add rsp, 24; ret");           /* 37 */

static void a_row_that_makes_its_variable_zero_is_none_that_joins(void **state)
{
    (void)state;
    x_and_y(JS_ASSEMBLY_SIZE(zeroes));
    row(0, 4);
    row(4, 5);
    row(13, 8); /* joins */
    row(23, 6);
    row(26, 8); /* y = 0 */
    row(34, 9);
    run(zeroes, JS_ASSEMBLY_SIZE(zeroes), turns);
    ASSERT_BEGINS({0, 4}, {4, 5}, {23, 6}, {26, 8}, {34, 9});
}

JS_ASSEMBLY(calls, "sub rsp, 24; "                    /* 0 */
                   "mov qword ptr [rsp + 8], 7; "     /* 4 */
                   "movabs rax, 0x0101010101010101; " /* 13 */
                   "call rax; "                       /* 23 */
                   "mov rax, [rsp + 8]; "             /* 25 */
                   "mov [rsp + 16], rax; "            /* 30 */
                   "inc rax; "                        /* 35 */
                   "mov qword ptr [rsp], 7; "         /* 38: y = 7 */
                   "add rsp, 24; ret");               /* 46 */

static void run_calling(const char *name)
{
    js_reference reference = {LO + 15, name};
    object.references = &reference;
    object.nreferences = 1;
    x_and_y(JS_ASSEMBLY_SIZE(calls));
    row(0, 4);
    row(4, 5);
    row(13, 8);
    row(35, 6);
    row(38, 8); /* y = 7 */
    run(calls, JS_ASSEMBLY_SIZE(calls), turns);
    object.references = NULL;
    object.nreferences = 0;
}

static void giving_up_is_no_work(void **state)
{
    (void)state;
    run_calling("NRT_decref");
    ASSERT_BEGINS({0, 4}, {4, 5}, {35, 6}, {38, 8});
}

static void taking_is_no_work_of_an_assignment(void **state)
{
    (void)state;
    run_calling("NRT_incref");
    ASSERT_BEGINS({0, 4}, {4, 5}, {35, 6}, {38, 8});
}

JS_ASSEMBLY(tries, "sub rsp, 24; "                               /* 0 */
                   "mov qword ptr [rsp + 8], 7; "                /* 4 */
                   "inc rax; "                                   /* 13 */
                   "mov rax, [rsp]; "                            /* 16 */
                   "add rax, 1; "                                /* 20 */
                   "mov [rsp], rax; "                            /* 24 */
                   "mov qword ptr [rdi], 0; "                    /* 28 */
                   "vcvtsi2sd xmm0, xmm0, qword ptr [rsp + 8]; " /* 35 */
                   "inc rax; "                                   /* 42 */
                   "inc rax; "                                   /* 45 */
                   "add rsp, 24; ret");                          /* 48 */

static void counting_tries_is_no_work(void **state)
{
    (void)state;
    js_location first = {LO, LO + JS_ASSEMBLY_SIZE(tries), at_8, 2};
    in_frame(&variables[0], 0, 5, &first);
    row(0, 4);
    row(4, 5);
    row(13, 6);
    row(16, 8); /* a try ends, the version of another type is made */
    row(42, 6); /* line 6 continues */
    row(45, 8);
    run(tries, JS_ASSEMBLY_SIZE(tries), turns);
    ASSERT_BEGINS({0, 4}, {4, 5}, {13, 6}, {45, 8});
}

static void other_calls_are_work(void **state)
{
    (void)state;
    run_calling("NRT_Allocate");
    ASSERT_BEGINS({0, 4}, {4, 5}, {13, 8}, {35, 6}, {38, 8});
}

static void without_a_source_rows_stay(void **state)
{
    (void)state;
    row(0, 6);
    row(3, 5);
    run(straight, JS_ASSEMBLY_SIZE(straight), NULL);
    assert_null(function.statements.rows);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(code_that_was_moved_begins_no_statement),
        TEST(code_moved_to_the_start_belongs_to_the_first_statement),
        TEST(the_only_row_of_a_line_is_kept_before_one_of_several),
        TEST(what_a_statement_goes_on_with_begins_none),
        TEST(lines_of_loops_come_again),
        TEST(lines_of_one_statement_have_no_order),
        TEST(statements_that_assign_nothing_are_in_order),
        TEST(other_paths_are_not_compared),
        TEST(a_row_that_joins_versions_is_idle),
        TEST(the_only_row_of_a_line_is_not_idle),
        TEST(a_row_that_makes_its_variable_zero_is_none_that_joins),
        TEST(giving_up_is_no_work),
        TEST(taking_is_no_work_of_an_assignment),
        TEST(counting_tries_is_no_work),
        TEST(other_calls_are_work),
        TEST(without_a_source_rows_stay),
    };
    return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
