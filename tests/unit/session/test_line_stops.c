/* session/line_stops.c: what is said of a breakpoint at a line, for code and rows that are written by hand.
 */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assembly.h"
#include "program/model/object.h"
#include "program/session/program.h"

enum { LO = 0x1000, ROWS = 4 };

/* Adds two elements in each iteration. */
JS_ASSEMBLY(sums, "2: addsd xmm0, qword ptr [rax + rcx * 8]; "
                  "addsd xmm0, qword ptr [rax + rcx * 8 + 8]; " /* 5 */
                  "add rcx, 2; cmp rdx, rcx; jne 2b; ret");
JS_ASSEMBLY(counts, "2: inc rcx; "           /* 0 */
                    "inc rdx; "              /* 3 */
                    "cmp rdx, rcx; jne 2b; " /* 6 */
                    "ret");                  /* 11 */

static js_row rows[ROWS];
static js_function function;

static int set_up(void **state)
{
    static char name[] = "f", module[] = "m";
    (void)state;
    memset(rows, 0, sizeof rows);
    function = (js_function){.linkage_name = name,
                             .source_name = name,
                             .lo = LO,
                             .line = 4,
                             .has_debug_info = true,
                             .lines = {.rows = rows, .all = rows}};
    function.name.kind = JS_NAME_FUNCTION;
    function.name.module = module;
    function.name.qualname = name;
    return 0;
}

static js_row *row(uint64_t offset, uint32_t line)
{
    js_row *it = &rows[function.lines.nall];
    *it = (js_row){.address = LO + offset, .line = line, .is_stmt = true, .iterations = 1};
    function.lines.nrows = ++function.lines.nall;
    return it;
}

/* Check the state of line 6, and what is said of it. */
static void expect(const uint8_t *code, size_t size, const char *state, const char *why)
{
    js_file file = {.directory = "", .path = "/a/x.py", .absolute = "/a/x.py"};
    js_object object = {.machine = EM_X86_64,
                        .functions = &function,
                        .nfunctions = 1,
                        .files = &file,
                        .nfiles = 1,
                        .lo = LO,
                        .hi = LO + size};
    js_object *objects[] = {&object};
    js_program program = {.objects = objects, .nobjects = 1};
    char *out = NULL, wanted[512];
    function.object = &object;
    function.code = code;
    function.hi = LO + size;
    assert_int_equal(js_program_line(&program, "x.py", 6, 0, &out), JS_OK);
    snprintf(wanted, sizeof wanted, "\"state\": \"%s\", ", state);
    assert_non_null(strstr(out, wanted));
    snprintf(wanted, sizeof wanted, "\"why\": \"%s\", ", why);
    if (!strstr(out, wanted)) {
        fail_msg("%s is not in %s", wanted, out);
    }
    free(out);
}

static void a_line_that_stops_where_its_code_begins(void **state)
{
    (void)state;
    row(0, 5);
    row(11, 6);
    expect(counts, JS_ASSEMBLY_SIZE(counts), "there", "line 6 stops in f where its code begins");
}

static void several_elements_in_an_iteration(void **state)
{
    (void)state;
    row(0, 6);
    expect(sums, JS_ASSEMBLY_SIZE(sums), "strided",
           "line 6 is in a loop of f that takes several elements at a time: a stop there may be several "
           "iterations");
}

static void several_places_in_an_iteration(void **state)
{
    (void)state;
    row(0, 6);
    row(3, 7);
    row(6, 6);
    expect(
        counts, JS_ASSEMBLY_SIZE(counts), "repeated",
        "line 6 is at 2 places in f, some of them in one iteration of a loop: it may stop more than once an "
        "iteration, or once for several");
}

static void a_loop_that_goes_on_without_markers(void **state)
{
    (void)state;
    function.build.level = JS_LEVEL_EXACT;
    js_row *marker = row(0, 6);
    marker->column = JS_COLUMN_MARKER;
    marker->goes_on = true;
    expect(counts, JS_ASSEMBLY_SIZE(counts), "entered",
           "line 6 stops in f where its loop begins, not each time it runs");
}

static void a_loop_that_is_not_compiled_yet(void **state)
{
    (void)state;
    function.name.is_object_mode = true;
    row(0, 5);
    row(11, 8);
    expect(counts, JS_ASSEMBLY_SIZE(counts), "lifted",
           "line 6 of f has no code yet: in object mode a loop is compiled when it first runs");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_line_that_stops_where_its_code_begins, set_up),
        cmocka_unit_test_setup(several_elements_in_an_iteration, set_up),
        cmocka_unit_test_setup(several_places_in_an_iteration, set_up),
        cmocka_unit_test_setup(a_loop_that_goes_on_without_markers, set_up),
        cmocka_unit_test_setup(a_loop_that_is_not_compiled_yet, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
