/* stacks/cpython/locks/exception_table.c: a table of CPython 3.11, and damaged ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stacks/cpython/locks/exception_table.h"

/* Entries {start, length, target, depth << 1 | lasti} in code units: 5 6 66 3, 12 3 27 7, 1000 70 5000 9. */
static const uint8_t table[] = {0x85, 0x06, 0x41, 0x02, 0x03, 0x8c, 0x03, 0x1b, 0x07,
                                0xcf, 0x28, 0x41, 0x06, 0x41, 0x4e, 0x08, 0x09};

static void test_entries(void **state)
{
    (void)state;
    js_exception_entry entry;
    const struct {
        uint64_t offset, start, end, target, depth;
    } truth[] = {
        {10, 10, 22, 132, 1}, {20, 10, 22, 132, 1}, {24, 24, 30, 54, 3}, {2000, 2000, 2140, 10000, 4}};
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++) {
        assert_true(js_exception_entry_find(table, sizeof table, truth[i].offset, &entry));
        assert_int_equal(entry.start, truth[i].start);
        assert_int_equal(entry.end, truth[i].end);
        assert_int_equal(entry.target, truth[i].target);
        assert_int_equal(entry.depth, truth[i].depth);
    }
    assert_false(js_exception_entry_find(table, sizeof table, 8, &entry));
    assert_false(js_exception_entry_find(table, sizeof table, 22, &entry));
    assert_false(js_exception_entry_find(table, sizeof table, 30, &entry));
    assert_false(js_exception_entry_find(table, sizeof table, 2140, &entry));
    assert_false(js_exception_entry_find(table, 0, 10, &entry));
}

static void test_damaged_tables(void **state)
{
    (void)state;
    js_exception_entry entry;
    uint8_t damaged[sizeof table];
    for (size_t size = 0; size < sizeof table; size++) {
        uint8_t *cut = malloc(size ? size : 1); /* a sanitizer sees a read beyond it */
        memcpy(cut, table, size);
        js_exception_entry_find(cut, size, 2000, &entry);
        free(cut);
    }
    srand(1);
    for (unsigned i = 0; i < 20000; i++) {
        memcpy(damaged, table, sizeof table);
        damaged[(size_t)rand() % sizeof table] = (uint8_t)rand();
        damaged[(size_t)rand() % sizeof table] = (uint8_t)rand();
        js_exception_entry_find(damaged, sizeof damaged, (uint64_t)rand() % 3000, &entry);
    }
    memset(damaged, 0x7f, sizeof damaged);
    damaged[0] = 0xff; /* a number that does not end */
    assert_false(js_exception_entry_find(damaged, sizeof damaged, 10, &entry));
    damaged[0] = 0x3f; /* no begin of an entry */
    assert_false(js_exception_entry_find(damaged, sizeof damaged, 10, &entry));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_entries), cmocka_unit_test(test_damaged_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
