/* queries/locals.c: variables whose states, locations and causes are written by hand, and what is said of
 * them. */
#include <dwarf.h>
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "flow_fixture.h"
#include "program/model/object.h"
#include "program/queries/queries.h"

enum { LO = 0x1000, HI = 0x1100, STACK = 0x7000 };

static uint64_t stack[4];
static js_types *types;
static js_object object;
static js_function function;
static js_variable variable, older;
static js_variable *versions[] = {&variable, &older};
static js_range_state span;
static js_local local;
static js_row rows[2];
static js_object *objects[] = {&object};
static js_program program = {.objects = objects, .nobjects = 1};
static js_bytes memory;

static int set_up(void **state)
{
    static char name[] = "f";
    (void)state;
    memset(&object, 0, sizeof object);
    js_arena_init(&object.arena, 0);
    object.machine = EM_X86_64;
    object.functions = &function;
    object.nfunctions = 1;
    object.lo = LO;
    object.hi = HI;
    rows[0] = (js_row){.address = LO, .line = 5};
    function = (js_function){.linkage_name = name,
                             .source_name = name,
                             .lo = LO,
                             .hi = HI,
                             .line = 4,
                             .has_debug_info = true,
                             .lines = {.rows = rows, .nrows = 1, .all = rows, .nall = 1},
                             .locals = &local,
                             .nlocals = 1,
                             .object = &object};
    function.name.kind = JS_NAME_FUNCTION;
    variable = (js_variable){.name = "x", .base = "x", .line = 5};
    older = (js_variable){.name = "x$1", .base = "x", .version = 1, .line = 6};
    span = (js_range_state){.lo = LO, .hi = HI, .state = JS_STATE_EXACT, .version = &variable};
    local = (js_local){.name = "x", .versions = versions, .nversions = 1, .spans = &span, .nspans = 1};
    assert_int_equal(js_bytes_init_buffer(&memory, STACK, stack, sizeof stack), JS_OK);
    int status = js_types_create(&types);
    status = status ? status : js_types_get(types, "int64", NULL, &variable.type);
    older.type = variable.type;
    return status;
}

static int tear_down(void **state)
{
    (void)state;
    js_bytes_deinit(&memory);
    js_arena_deinit(&object.arena);
    js_types_destroy(types);
    return 0;
}

static const js_frame frame = {.pc = LO, .cfa = STACK, .memory = &memory};

static void expect(char *found, const char *wanted)
{
    assert_non_null(found);
    if (!strstr(found, wanted)) {
        fail_msg("%s is not in %s", wanted, found);
    }
    free(found);
}

/* Check what `jit locals` and `jit why` show of the variable. */
static void expect_text(const char *wanted)
{
    char *out = NULL;
    js_render_options options;
    js_render_options_init(&options);
    assert_int_equal(js_program_locals(&program, &frame, 0, 0, &options, &out), JS_OK);
    expect(out, wanted);
}

static void expect_why(const char *wanted)
{
    char *out = NULL;
    assert_int_equal(js_program_why(&program, &frame, "x", &out), JS_OK);
    expect(out, wanted);
}

static void locations_without_a_value(void **state)
{
    static const uint8_t half[] = {DW_OP_lit5, DW_OP_stack_value, DW_OP_piece, 4, DW_OP_piece, 4};
    static const uint8_t nonsense[] = {0xff};
    static const uint8_t elsewhere[] = {DW_OP_lit16};
    static const uint8_t five[] = {DW_OP_lit5, DW_OP_stack_value};
    (void)state;
    span.expr = five, span.size = sizeof five;
    expect_text("\"state\": \"exact\", \"value\": 5, \"text\": \"5\"");
    span.size = 0;
    expect_text("\"state\": \"optimized-out\", \"value\": null, \"text\": \"<optimized out>\"");
    expect_why("\"why\": \"no register or memory holds it\"");
    span.expr = half, span.size = sizeof half;
    expect_why("\"why\": \"only a part of it is left\"");
    span.expr = nonsense, span.size = sizeof nonsense;
    expect_text("\"text\": \"<unknown: its location is not understood>\"");
    span.expr = elsewhere, span.size = sizeof elsewhere;
    expect_text("\"text\": \"<unknown: its memory cannot be read>\"");
    span.lo = LO + 1;
    expect_text("\"text\": \"<unknown: not described here>\"");
}

static void a_value_that_is_too_large(void **state)
{
    static const uint8_t here[] = {DW_OP_lit16};
    (void)state;
    span.expr = here, span.size = sizeof here;
    const char *wide = "UniTuple(UniTuple(int64 x 1000) x 1000)";
    assert_int_equal(js_types_get(types, wide, NULL, &variable.type), JS_OK);
    expect_text("\"text\": \"<unknown: its value has more than 1 MiB>\"");
}

static void versions_that_are_not_current(void **state)
{
    static const uint8_t five[] = {DW_OP_lit5, DW_OP_stack_value};
    char *out = NULL;
    js_render_options options;
    (void)state;
    js_render_options_init(&options);
    span.expr = five, span.size = sizeof five;
    local.nversions = 2;
    assert_int_equal(js_program_locals(&program, &frame, 0, 1, &options, &out), JS_OK);
    expect(out,
           "\"text\": \"<unknown: not the current version>\", \"assigned_line\": 6, \"argument\": false, "
           "\"version\": 1, \"version_line\": 6, \"current\": false}");
}

static void states_without_a_reason_of_their_own(void **state)
{
    (void)state;
    span.state = JS_STATE_OPTIMIZED_OUT;
    expect_why("\"why\": \"the optimiser kept no copy of it\"");
    span.state = JS_STATE_UNKNOWN;
    expect_why("\"why\": \"the compiler's description cannot be trusted here\"");
    expect_text("\"text\": \"<unknown: the compiler's description cannot be trusted here>\"");
}

static void inlined_code_at_level_exact(void **state)
{
    uint64_t range[] = {LO, HI};
    js_inline item = {.name = "leaf",
                      .ranges = range,
                      .nranges = 1,
                      .level = JS_LEVEL_EXACT,
                      .locals = &local,
                      .nlocals = 1};
    (void)state;
    function.build.level = JS_LEVEL_EXACT;
    function.inlines = &item;
    function.ninlines = 1;
    span.state = JS_STATE_OPTIMIZED_OUT;
    js_frame inner = frame;
    inner.depth = 1;
    char *out = NULL;
    assert_int_equal(js_program_why(&program, &inner, "x", &out), JS_OK);
    expect(out,
           "\"why\": \"its function is inlined here, and inlined code runs at full speed at level exact\"");
}

/* Numba inlines a closure before it compiles: on the closure's lines the name is the closure's. */
static void a_name_of_inlined_code(void **state)
{
    js_flow flow;
    (void)state;
    assert_int_equal(read_flow(&object.arena,
                               "{'first': 4, 'last': 9, 'defs': [{'name': 'x', 'line': 4}], 'at': [], "
                               "'hidden': [{'name': 'x', 'first': 5, 'last': 6}]}",
                               &flow),
                     JS_OK);
    function.build.level = JS_LEVEL_EXACT;
    function.source.flow = &flow;
    span.state = JS_STATE_OPTIMIZED_OUT;
    expect_why("\"why\": \"on this line the name is that of another function, whose code was inlined\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(locations_without_a_value, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_value_that_is_too_large, set_up, tear_down),
        cmocka_unit_test_setup_teardown(versions_that_are_not_current, set_up, tear_down),
        cmocka_unit_test_setup_teardown(states_without_a_reason_of_their_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(inlined_code_at_level_exact, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_name_of_inlined_code, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
