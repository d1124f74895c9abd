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

/* What the program and its source are. */
typedef struct setting {
    const char *type;       /* the index has this type */
    const char *subscripts; /* NULL: the source is not known */
    const char *maps;
} setting;

static void expect_of(const setting *of, int64_t index, uint64_t address, const char *wanted)
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
    assert_int_equal(js_types_get(types, of->type, NULL, &variables[1].type), JS_OK);
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
    assert_int_equal(js_program_explain_fault(&program, &frame, address, of->subscripts, of->maps, &out),
                     JS_OK);
    if (!strstr(out, wanted)) {
        fail_msg("%s is not in %s", wanted, out);
    }
    free(out);
    js_types_destroy(types);
    js_bytes_deinit(&memory);
}

static void expect(int64_t index, uint64_t address, const char *wanted)
{
    expect_of(&(setting){.type = "int64"}, index, address, wanted);
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

/* An array in a loop's header has the address, so that no index of another one is computed from it. */
static void without_an_index(void **state)
{
    (void)state;
    const setting whole = {.type = "int64", .subscripts = "[{\"array\": \"a\", \"indices\": []}]"},
                  number = {.type = "int64",
                            .subscripts = "[{\"array\": \"a\", \"indices\": [{\"kind\": \"name\", \"text\": "
                                          "\"hash\"}]}, {\"array\": \"i\", \"indices\": []}]"};
    expect_of(&whole, 0, DATA + 40, "`a[5]` is within `a` by its shape (10 elements), but its address ");
    expect_of(&whole, 1000, DATA + 8000, "index 1000 is outside axis 0 of `a` (10 elements): ");
    expect_of(&number, 0, DATA + 8000, "index 1000 (`hash`) is outside axis 0 of `a`");
}

/* An index of 2^64 - 1000 is no index from the end, and one of 2^63 + 1000 leads to where 1000 does. */
static void unsigned_indices(void **state)
{
    (void)state;
    const setting bare = {.type = "uint64"},
                  named = {.type = "uint64",
                           .subscripts = "[{\"array\": \"a\", \"indices\": [{\"kind\": \"name\", "
                                         "\"text\": \"i\"}]}]"};
    expect_of(&bare, -1000, DATA - 8000,
              "\"text\": \"index 18446744073709550616 is outside axis 0 of `a` (10 elements): ");
    expect_of(&named, -1000, DATA - 8000,
              "`i` = 18446744073709550616 is outside axis 0 of `a` (10 elements): address 0xfe0c0 is 8.0 kB "
              "before the start of its data; the index is unsigned, so that its address wraps around");
    expect_of(
        &named, INT64_MIN + 1000, DATA + 8000,
        "`i` = 9223372036854776808 is outside axis 0 of `a` (10 elements): address 0x101f40 is 7.9 kB ");
    expect_of(&named, INT64_C(1) << 60, DATA + (UINT64_C(1) << 63),
              "`i` = 1152921504606846976 is outside axis 0 of `a` (10 elements): address 0x8000000000100000 "
              "is no memory\"");
    expect_of(&(setting){.type = "int64",
                         .subscripts = "[{\"array\": \"a\", \"indices\": [{\"kind\": \"constant\", \"text\": "
                                       "\"18446744073709550616\"}]}]"},
              7, DATA - 8000, "index 18446744073709550616 (`18446744073709550616`) is outside axis 0 of `a`");
    expect_of(&(setting){.type = "int64", .subscripts = named.subscripts}, (INT64_C(1) << 61) + 1000,
              DATA + 8000, "`i` = 2305843009213694952 is outside axis 0 of `a` (10 elements): ");
}

/* A variable that is not the source's index has no value here: the index is computed, and large ones are not
 * certain. */
static void computed_indices(void **state)
{
    (void)state;
    const setting other = {.type = "int64",
                           .subscripts = "[{\"array\": \"a\", \"indices\": [{\"kind\": \"name\", \"text\": "
                                         "\"hash\"}]}]"};
    expect_of(&other, 0, DATA + 8000, "index 1000 (`hash`) is outside axis 0 of `a`");
    expect_of(&other, 0, DATA - 8000, "an index (`hash`) is outside axis 0 of `a`");
    expect_of(&other, 0, DATA + (UINT64_C(1) << 60), "an index (`hash`) is outside axis 0 of `a`");
}

/* The array of 10 elements begins at DATA, and the mappings end within it, or where it begins. */
static void memory_that_ends_within_the_array(void **state)
{
    (void)state;
    setting of = {.type = "int64",
                  .subscripts = "[{\"array\": \"a\", \"indices\": [{\"kind\": \"name\", \"text\": \"i\"}]}, "
                                "{\"array\": \"a\", \"indices\": [{\"kind\": \"constant\", \"text\": "
                                "\"0\"}]}]"};
    const char *within =
        "\"text\": \"`a[5]` is within `a` by its shape (10 elements), but its address 0x100028 "
        "cannot be ";
    struct {
        const char *maps, *wanted;
    } cases[] = {
        {NULL, "accessed: the array is not so long, its memory has been freed, or it is read-only\""},
        {"000ff000-00100008 rw-p 00000000 00:00 0 \n00100008-00100020 r--p 00000000 08:01 7 /a b\n"
         "00100020-00200000 ---p 00000000 00:00 0 \n00200000-00300000 rw-p 00000000 00:00 0\n",
         "accessed: from its start on there is memory for at most 4 elements, so that its shape is wrong, or "
         "a part "
         "of its memory has been freed or protected\""},
        {"000ff000-00100008 rw-p 00000000 00:00 0", "memory for at most 1 element, "},
        {"000ff000-00101000 r--p 00000000 00:00 0\n", "written: its memory is read-only\""},
        {"000ff000-00101000 rw-p 00000000 00:00 0\n", "accessed: the array is not so long, "},
        {"000fe000-000ff000 rw-p 00000000 00:00 0\n00101000-00102000 ---p 00000000 00:00 0\n",
         "accessed: no memory is there: the array is not so long, or its memory has been freed\""},
        {"000fe000-000ff000 rw-p 00000000 00:00 0\n000ff000-00101000 ---p 00000000 00:00 0\n",
         "accessed: nothing may read its memory\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        of.maps = cases[i].maps;
        expect_of(&of, 5, DATA + 40, within);
        expect_of(&of, 5, DATA + 40, cases[i].wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(before_the_data_and_past_it),
                                       cmocka_unit_test(without_an_index), cmocka_unit_test(unsigned_indices),
                                       cmocka_unit_test(computed_indices),
                                       cmocka_unit_test(memory_that_ends_within_the_array)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
