/* queries/fault.c: the line that explains a fault, for an array and an index in memory. */
#include <dwarf.h>
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program/model/object.h"
#include "program/queries/queries.h"

enum { LO = 0x1000, HI = 0x1100, MEMORY = 0x7000, DATA = 0x100000 };

/* The descriptor of an array of ten doubles, and after it the index. */
static int64_t words[] = {0, 0, 10, 8, DATA, 10, 8, 0};
static const uint8_t at_array[] = {DW_OP_addr, 0x00, 0x70, 0, 0, 0, 0, 0, 0},
                     at_index[] = {DW_OP_addr, 0x38, 0x70, 0, 0, 0, 0, 0, 0};

static void expect(int64_t index, uint64_t address, const char *wanted)
{
    static char name[] = "f";
    js_types *types;
    js_bytes memory;
    js_variable variables[] = {{.name = "a", .base = "a"}, {.name = "i", .base = "i"}};
    js_variable *versions[] = {&variables[0], &variables[1]};
    js_range_state spans[2];
    js_local locals[2];
    js_row row = {.address = LO, .line = 5};
    js_object object = {.machine = EM_X86_64, .nfunctions = 1, .lo = LO, .hi = HI};
    js_object *objects[] = {&object};
    js_function function = {.linkage_name = name,
                            .source_name = name,
                            .lo = LO,
                            .hi = HI,
                            .line = 4,
                            .has_debug_info = true,
                            .lines = {.rows = &row, .nrows = 1, .all = &row, .nall = 1},
                            .locals = locals,
                            .nlocals = 2,
                            .object = &object};
    js_program program = {.objects = objects, .nobjects = 1};
    const js_frame frame = {.pc = LO, .memory = &memory};
    char *out = NULL;
    object.functions = &function;
    words[7] = index;
    assert_int_equal(js_bytes_init_buffer(&memory, MEMORY, words, sizeof words), JS_OK);
    assert_int_equal(js_types_create(&types), JS_OK);
    assert_int_equal(js_types_get(types, "array(float64, 1d, C)", NULL, &variables[0].type), JS_OK);
    assert_int_equal(js_types_get(types, "int64", NULL, &variables[1].type), JS_OK);
    for (size_t i = 0; i < 2; i++) {
        spans[i] = (js_range_state){.lo = LO,
                                    .hi = HI,
                                    .state = JS_STATE_EXACT,
                                    .version = &variables[i],
                                    .expr = i ? at_index : at_array,
                                    .size = sizeof at_array};
        locals[i] = (js_local){.name = variables[i].name,
                               .versions = &versions[i],
                               .nversions = 1,
                               .spans = &spans[i],
                               .nspans = 1};
    }
    assert_int_equal(js_program_explain_fault(&program, &frame, address, NULL, NULL, &out), JS_OK);
    if (!strstr(out, wanted)) {
        fail_msg("%s is not in %s", wanted, out);
    }
    free(out);
    js_types_destroy(types);
    js_bytes_deinit(&memory);
}

static void before_the_data_and_past_it(void **state)
{
    (void)state;
    expect(
        1000, DATA + 8000,
        "index 1000 is outside axis 0 of `a` (10 elements): address 0x101f40 is 7.9 kB past the end of its "
        "data");
    expect(
        -1010, DATA - 8000,
        "index -1010 is outside axis 0 of `a` (10 elements): address 0xfe0c0 is 8.0 kB before the start of "
        "its data");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(before_the_data_and_past_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
