/* stacks/cpython/lines.c: line tables of CPython 3.9 to 3.11, and damaged ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stacks/cpython/lines.h"
#include "stacks/cpython/offsets.h"

/* What dis.findlinestarts and co_lines() say of one function, compiled by CPython 3.9.18, 3.10.13 and 3.11.7:
 *   1 def f(a,                  7     for k in range(3):
 *   2       b):                 8         y += k
 *   3                           9     try:
 *   4     x = [i for i in …]   10         return x
 *   5     y = (a +             11     finally:
 *   6          b)              12         y                                                            */
static const uint8_t lnotab_3_9[] = {0x00, 0x03, 0x12, 0x01, 0x02, 0x01, 0x02, 0xff, 0x04, 0x02, 0x0c,
                                     0x01, 0x0a, 0x01, 0x02, 0x01, 0x04, 0x02, 0x04, 0xfe, 0x02, 0x02};
static const uint8_t linetable_3_10[] = {0x12, 0x03, 0x02, 0x01, 0x02, 0x01, 0x04, 0xff, 0x0c,
                                         0x02, 0x0a, 0x01, 0x02, 0x01, 0x04, 0x01, 0x0c, 0x02};
static const uint8_t locations_3_11[] = {
    0x80, 0x00, 0xf0, 0x06, 0x00, 0x09, 0x1e, 0xd0, 0x08, 0x1d, 0x95, 0x45, 0x98, 0x21, 0x91, 0x48, 0x94,
    0x48, 0xd0, 0x08, 0x1d, 0xd1, 0x08, 0x1d, 0xd4, 0x08, 0x1d, 0x80, 0x41, 0xd8, 0x09, 0x0a, 0xd8, 0x09,
    0x0a, 0xf1, 0x03, 0x01, 0x0a, 0x0b, 0x80, 0x41, 0xe5, 0x0d, 0x12, 0x90, 0x31, 0x89, 0x58, 0x8c, 0x58,
    0xf0, 0x00, 0x01, 0x05, 0x0f, 0xf0, 0x00, 0x01, 0x05, 0x0f, 0x88, 0x01, 0xd8, 0x08, 0x09, 0x88, 0x51,
    0x89, 0x06, 0x88, 0x01, 0x88, 0x01, 0xf0, 0x02, 0x03, 0x05, 0x0a, 0xd8, 0x0f, 0x10, 0xe0, 0x08, 0x09,
    0x88, 0x01, 0x88, 0x01, 0xf8, 0x88, 0x01, 0x88, 0x01, 0x88, 0x01, 0xf8, 0xf8, 0xf8};

typedef struct expected_line {
    uint32_t start, end;
    int32_t line;
} expected_line;

static const expected_line truth_3_9[] = {{0, 18, 4},   {18, 20, 5},  {20, 22, 6}, {22, 26, 5},
                                          {26, 38, 7},  {38, 48, 8},  {48, 50, 9}, {50, 54, 10},
                                          {54, 58, 12}, {58, 60, 10}, {60, 70, 12}};
static const expected_line truth_3_10[] = {{0, 18, 4},  {18, 20, 5}, {20, 22, 6},  {22, 26, 5}, {26, 38, 7},
                                           {38, 48, 8}, {48, 50, 9}, {50, 54, 10}, {54, 66, 12}};
static const expected_line truth_3_11[] = {{0, 2, 1},
                                           {2, 52, 4},
                                           {52, 54, 5},
                                           {54, 56, 6},
                                           {56, 62, 5},
                                           {62, 96, 7},
                                           {96, 108, 8},
                                           {108, 110, 9},
                                           {110, 112, 10},
                                           {112, 118, 12},
                                           {118, 120, JS_NO_LINE},
                                           {120, 126, 12},
                                           {126, 132, JS_NO_LINE}};

static void assert_lines(uint32_t minor, const uint8_t *table, size_t size, const expected_line *truth,
                         size_t count)
{
    js_lines lines;
    assert_int_equal(js_lines_init(&lines, minor, table, size, 1), JS_OK);
    for (size_t i = 0; i < count; i++) {
        for (uint32_t offset = truth[i].start; offset < truth[i].end; offset++) {
            assert_int_equal(js_lines_find(&lines, offset), truth[i].line);
        }
    }
    js_lines_deinit(&lines);
}

#define ASSERT_LINES(minor, table, truth)                                                                    \
    assert_lines(minor, table, sizeof(table), truth, sizeof(truth) / sizeof((truth)[0]))

static void lines_are_those_of_cpython(void **state)
{
    (void)state;
    ASSERT_LINES(JS_PYTHON_3_9, lnotab_3_9, truth_3_9);
    ASSERT_LINES(JS_PYTHON_3_10, linetable_3_10, truth_3_10);
    ASSERT_LINES(JS_PYTHON_3_11, locations_3_11, truth_3_11);
}

static void instructions_behind_the_table_have_no_line(void **state)
{
    (void)state;
    js_lines lines;
    assert_int_equal(js_lines_init(&lines, JS_PYTHON_3_10, linetable_3_10, sizeof linetable_3_10, 1), JS_OK);
    assert_int_equal(js_lines_find(&lines, 65), 12);
    assert_int_equal(js_lines_find(&lines, 66), JS_NO_LINE);
    assert_int_equal(js_lines_find(&lines, UINT64_MAX), JS_NO_LINE);
    js_lines_deinit(&lines);
}

static void malformed_line_tables_end_early(void **state)
{
    (void)state;
    srand(7);
    for (unsigned round = 0; round < 20000; round++) {
        uint8_t table[64];
        size_t size = (size_t)rand() % sizeof table;
        for (size_t i = 0; i < size; i++) {
            table[i] = (uint8_t)rand();
        }
        /* The table is in a block of exactly its size, so that a read beyond its end is caught. */
        uint8_t *exact = malloc(size ? size : 1);
        memcpy(exact, table, size);
        for (uint32_t minor = JS_PYTHON_3_9; minor <= JS_PYTHON_3_14; minor++) {
            js_lines lines;
            assert_int_equal(js_lines_init(&lines, minor, exact, size, rand()), JS_OK);
            assert_in_range(lines.count, 0, size + 1);
            js_lines_find(&lines, (uint64_t)rand() % 300);
            js_lines_deinit(&lines);
        }
        free(exact);
    }
    js_lines lines;
    assert_int_equal(js_lines_init(&lines, 0x0308, lnotab_3_9, sizeof lnotab_3_9, 1), JS_EUNSUP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_those_of_cpython),
        cmocka_unit_test(instructions_behind_the_table_have_no_line),
        cmocka_unit_test(malformed_line_tables_end_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
