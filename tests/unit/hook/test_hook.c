/* Small functions that were compiled with the hook, as machine code written by hand: where their slots are
 * valid, and which rows begin a statement. */
#include <dwarf.h>
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "assembly.h"
#include "program/hook/hook.h"
#include "program/model/callees.h"
#include "program/model/object.h"

enum { LO = 0x1000, ROWS = 8 };

static js_types *types;
static js_object object;
static js_function function;
static js_variable variable;
static js_location location;
static js_row rows[ROWS];
static js_inline item;
static uint64_t ranges[4];
static const uint8_t frame_base[] = {DW_OP_reg7};
static const uint8_t with_word[] = {DW_OP_fbreg, 0x60,        DW_OP_dup,  DW_OP_plus_uconst,
                                    8,           DW_OP_deref, DW_OP_swap, DW_OP_plus_uconst,
                                    16,          DW_OP_and};

static int set_up(void **state)
{
    (void)state;
    memset(&object, 0, sizeof(object));
    memset(&function, 0, sizeof(function));
    memset(&item, 0, sizeof(item));
    object.machine = EM_X86_64;
    js_arena_init(&object.arena, 0);
    location = (js_location){.lo = LO, .expr = with_word, .size = sizeof(with_word)};
    variable =
        (js_variable){.name = "x", .base = "x", .is_whole = true, .locations = &location, .nlocations = 1};
    function = (js_function){.frame_base = frame_base,
                             .frame_base_size = sizeof(frame_base),
                             .variables = &variable,
                             .nvariables = 1,
                             .line = 4,
                             .lo = LO,
                             .build.level = JS_LEVEL_EXACT,
                             .object = &object};
    int status = js_types_create(&types);
    return status ? status : js_types_get(types, "int64", NULL, &variable.type);
}

static int tear_down(void **state)
{
    (void)state;
    js_arena_deinit(&object.arena);
    js_types_destroy(types);
    return 0;
}

static void run(const uint8_t *code, size_t size, size_t nrows)
{
    function.code = code;
    function.hi = LO + size;
    function.lines.all = rows;
    function.lines.nall = nrows;
    assert_int_equal(js_hook_function(&object, &function), JS_OK);
}

JS_ASSEMBLY(loop, "push rax; nop; inc rax; "
                  "2: dec rax; jne 2b; " /* 5 */
                  "nop; pop rax; ret");  /* 10 */

static void test_slots_hold_behind_the_first_marker(void **state)
{
    (void)state;
    rows[0] = (js_row){.address = LO, .line = 4};
    rows[1] = (js_row){.address = LO + 1, .line = 5, .column = JS_COLUMN_MARKER};
    run(loop, JS_ASSEMBLY_SIZE(loop), 2);
    assert_int_equal(function.nlocals, 1);
    const js_local *local = &function.locals[0];
    assert_int_equal(local->nspans, 3);
    assert_int_equal(local->spans[0].state, JS_STATE_UNKNOWN);
    assert_int_equal(local->spans[1].state, JS_STATE_EXACT);
    assert_int_equal(local->spans[1].lo, LO + 1);
    assert_int_equal(local->spans[1].hi, LO + 12); /* at the return the register points elsewhere */
    assert_int_equal(local->spans[2].state, JS_STATE_UNKNOWN);
    assert_int_equal(local->spans[2].hi, function.hi);
    assert_string_equal(local->spans[0].reason, "its function has not begun, or is being left");
    assert_string_equal(local->spans[2].reason, "its function has not begun, or is being left");
}

JS_ASSEMBLY(passes, "push rax; test eax, eax; je 2f; "
                    "nop; "                  /* 5 */
                    "2: nop; pop rax; ret"); /* 6 */

static void test_a_marker_on_one_of_two_ways(void **state)
{
    (void)state;
    rows[0] = (js_row){.address = LO, .line = 4};
    rows[1] = (js_row){.address = LO + 5, .line = 5, .column = JS_COLUMN_MARKER};
    run(passes, JS_ASSEMBLY_SIZE(passes), 2);
    const js_local *local = &function.locals[0];
    assert_int_equal(local->spans[1].state, JS_STATE_EXACT);
    assert_int_equal(local->spans[2].lo, LO + 6);
    assert_int_equal(local->spans[2].state, JS_STATE_UNKNOWN);
    assert_string_equal(local->spans[2].reason, "on some of the ways here no line has begun yet");
}

JS_ASSEMBLY(growing, "push rbp; mov rbp, rsp; "
                     "nop; sub rsp, rax; test eax, eax; je 2f; nop; " /* 4 */
                     "2: leave; ret");                                /* 13 */

static void test_slots_hold_where_the_stack_grows(void **state)
{
    (void)state;
    static const uint8_t rbp[] = {DW_OP_reg6};
    function.frame_base = rbp;
    rows[0] = (js_row){.address = LO, .line = 4};
    rows[1] = (js_row){.address = LO + 4, .line = 5, .column = JS_COLUMN_MARKER};
    run(growing, JS_ASSEMBLY_SIZE(growing), 2);
    const js_local *local = &function.locals[0];
    assert_int_equal(local->nspans, 3);
    assert_int_equal(local->spans[1].state, JS_STATE_EXACT);
    assert_int_equal(local->spans[1].lo, LO + 4); /* this block also sets the register up */
    assert_int_equal(local->spans[1].hi, LO + 14);
}

static void test_statements(void **state)
{
    (void)state;
    rows[0] = (js_row){.address = LO, .line = 6, .column = JS_COLUMN_LOOP}; /* hoisted to the entry */
    rows[1] = (js_row){.address = LO + 1, .line = 5, .column = JS_COLUMN_MARKER};
    rows[2] = (js_row){.address = LO + 2, .line = 7, .column = JS_COLUMN_LOOP}; /* before the loop */
    rows[3] = (js_row){.address = LO + 5, .line = 7, .column = JS_COLUMN_LOOP};
    rows[4] = (js_row){.address = LO + 8, .line = 7, .column = JS_COLUMN_LOOP}; /* continues the line */
    rows[5] = (js_row){.address = LO + 10, .line = 8, .column = JS_COLUMN_MARKER};
    rows[6] = (js_row){.address = LO + 11, .line = 8};
    run(loop, JS_ASSEMBLY_SIZE(loop), 7);
    static const unsigned expected[][3] = {{0, 4, 0}, {1, 5, 1},  {2, 7, 0}, {5, 7, 1},
                                           {8, 0, 0}, {10, 8, 1}, {11, 0, 0}};
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(function.statements.rows[i].address, LO + expected[i][0]);
        assert_int_equal(function.statements.rows[i].line, expected[i][1]);
        assert_int_equal(function.statements.rows[i].is_stmt, expected[i][2]);
        assert_int_equal(function.statements.rows[i].prologue_end, i == 1);
    }
}

JS_ASSEMBLY(body_first, "push rax; jmp 3f; "
                        "2: nop; pop rax; ret; " /* 3 */
                        "3: nop; jmp 2b");       /* 6 */

static void test_a_body_that_is_laid_out_before_the_first_line(void **state)
{
    (void)state;
    rows[0] = (js_row){.address = LO, .line = 4, .column = JS_COLUMN_OTHER};
    rows[1] = (js_row){.address = LO + 3, .line = 5, .column = JS_COLUMN_MARKER};
    rows[2] = (js_row){.address = LO + 6, .line = 4, .column = JS_COLUMN_MARKER};
    run(body_first, JS_ASSEMBLY_SIZE(body_first), 3);
    assert_false(function.statements.rows[0].is_stmt);
    for (size_t i = 1; i < 3;
         i++) { /* GDB would take the code before an end of the prologue for the prologue */
        assert_int_equal(function.statements.rows[i].line, rows[i].line);
        assert_true(function.statements.rows[i].is_stmt);
        assert_false(function.statements.rows[i].prologue_end);
    }
}

static void test_without_a_marker_nothing_is_known(void **state)
{
    (void)state;
    rows[0] = (js_row){.address = LO, .line = 4};
    run(loop, JS_ASSEMBLY_SIZE(loop), 1);
    assert_int_equal(function.locals[0].nspans, 1);
    assert_int_equal(function.locals[0].spans[0].state, JS_STATE_UNKNOWN);
}

/* What the marker of inlined code left in its slots belongs to another iteration. */
JS_ASSEMBLY(again, "nop; "
                   "2: inc rax; "      /* 1 */
                   "nop; "             /* 4: the marker */
                   "dec rax; jne 2b; " /* 5 */
                   "ret");

static void test_code_in_line_begins_anew(void **state)
{
    (void)state;
    ranges[0] = LO + 1;
    ranges[1] = LO + 8;
    item =
        (js_inline){.name = "leaf", .call_line = 5, .ranges = ranges, .nranges = 1, .level = JS_LEVEL_EXACT};
    item.variables = &variable;
    item.nvariables = 1;
    function.variables = NULL;
    function.nvariables = 0;
    function.inlines = &item;
    function.ninlines = 1;
    rows[0] = (js_row){.address = LO, .line = 5, .column = JS_COLUMN_MARKER};
    rows[1] = (js_row){.address = LO + 4, .line = 2, .column = JS_COLUMN_MARKER};
    run(again, JS_ASSEMBLY_SIZE(again), 2);
    assert_int_equal(item.nlocals, 1);
    const js_local *local = &item.locals[0];
    assert_int_equal(local->nspans, 3);
    assert_int_equal(local->spans[1].state, JS_STATE_EXACT);
    assert_int_equal(local->spans[1].lo, LO + 4);
    assert_int_equal(local->spans[1].hi, LO + 8);
    assert_int_equal(item.ranges[0], LO + 4); /* a breakpoint at the function stops there */
    assert_int_equal(item.nranges, 2);
}

JS_ASSEMBLY(raising, "push rax; nop; nop; "
                     "xor edx, edx; "                     /* 3 */
                     "nop dword ptr [rax + rax + 0x6a]; " /* 5: the marker */
                     "pop rax; ret");                     /* 10 */

static void test_raising_marker_is_its_instruction(void **state)
{
    (void)state;
    rows[0] = (js_row){.address = LO, .line = 4};
    rows[1] = (js_row){.address = LO + 1, .line = 5, .column = JS_COLUMN_MARKER};
    rows[2] = (js_row){.address = LO + 2, .line = 5};
    rows[3] = (js_row){.address = LO + 3, .line = 5, .column = JS_COLUMN_RAISE};
    rows[4] = (js_row){.address = LO + 10, .line = 5, .column = JS_COLUMN_RAISE}; /* it has no marker */
    run(raising, JS_ASSEMBLY_SIZE(raising), 5);
    assert_int_equal(function.statements.rows[3].address, LO + 5);
    assert_int_equal(function.statements.rows[3].line, 5);
    assert_int_equal(function.statements.rows[3].column, JS_COLUMN_RAISE);
    assert_false(function.statements.rows[3].is_stmt);
    assert_int_equal(function.statements.rows[4].column, JS_COLUMN_OTHER);
    assert_int_equal(js_hook_raise_address(&function, &rows[4]), 0);
}

static void test_cycles(void **state)
{
    (void)state;
    /* 0 → 1 → 2 → 1, 2 → 3 → 4 → 3, 4 → 5; 5 alone; 6 → 6 */
    js_basic_block blocks[] = {{.successors = {1, JS_CODE_NOWHERE}},
                               {.successors = {2, JS_CODE_NOWHERE}},
                               {.successors = {1, 3}},
                               {.successors = {4, JS_CODE_NOWHERE}},
                               {.successors = {3, 5}},
                               {.successors = {JS_CODE_NOWHERE, JS_CODE_NOWHERE}},
                               {.successors = {6, JS_CODE_NOWHERE}}};
    js_code code = {.blocks = blocks, .nblocks = 7};
    static const uint8_t none[7], cut[7] = {0, 0, 1, 0, 0, 0, 0};
    static const uint8_t all[] = {0, 1, 1, 1, 1, 0, 1}, rest[] = {0, 0, 0, 1, 1, 0, 1};
    uint8_t *found;
    assert_int_equal(js_hook_cycles(&object.arena, &code, none, &found), JS_OK);
    assert_memory_equal(found, all, sizeof(all));
    assert_int_equal(js_hook_cycles(&object.arena, &code, cut, &found), JS_OK);
    assert_memory_equal(found, rest, sizeof(rest));
}

static void test_callees(void **state)
{
    (void)state;
    const js_callee *found;
    size_t count;
    assert_int_equal(js_callees_read(&object.arena, NULL, &found, &count), JS_OK);
    assert_int_equal(count, 0);
    static const char listed[] = "foo:5:/a/x.py\n\nbad\nbad:\nbad:0:/a\nbad:7\nbad:-7:/a\nC.add:9:/a:b.py";
    assert_int_equal(js_callees_read(&object.arena, listed, &found, &count), JS_OK);
    assert_int_equal(count, 2);
    assert_string_equal(found[0].name, "foo");
    assert_string_equal(found[0].path, "/a/x.py");
    assert_int_equal(found[1].line, 9);
    assert_string_equal(found[1].path, "/a:b.py");

    js_file file = {.directory = "", .path = "/a/x.py", .absolute = "/a/x.py"};
    js_function there = {.line = 5};
    object.files = &file;
    object.nfiles = 1;
    object.functions = &there;
    object.nfunctions = 1;
    function.object = &object;
    assert_true(js_callee_has_code(&function, &found[0]));
    assert_false(js_callee_has_code(&function, &found[1]));
    object.functions = NULL;
    object.files = NULL;
    object.nfunctions = object.nfiles = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_slots_hold_behind_the_first_marker, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_marker_on_one_of_two_ways, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_slots_hold_where_the_stack_grows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_statements, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_body_that_is_laid_out_before_the_first_line, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_without_a_marker_nothing_is_known, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_code_in_line_begins_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_raising_marker_is_its_instruction, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cycles, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_callees, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
