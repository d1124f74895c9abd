/* stacks/cpython/memory.c: pages that are read once, and memory that ends within a page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stacks/cpython/memory.h"

static int count_reads(void *context, uint64_t address, void *buffer, size_t size)
{
    ++*(unsigned *)context;
    if (address + size > 3 * JS_MEMORY_PAGE + 100) { /* memory ends within a page */
        return JS_EFAULT;
    }
    for (size_t i = 0; i < size; i++) {
        ((uint8_t *)buffer)[i] = (uint8_t)((address + i) / 8);
    }
    return JS_OK;
}

static void neighbouring_reads_cost_one(void **state)
{
    (void)state;
    unsigned reads = 0;
    js_bytes bytes;
    js_bytes_init_callback(&bytes, count_reads, &reads);
    js_memory memory = {.bytes = &bytes};
    js_memory_reset(&memory);
    uint64_t word;
    for (uint64_t address = JS_MEMORY_PAGE; address < 2 * JS_MEMORY_PAGE; address += 8) {
        assert_int_equal(js_memory_read_word(&memory, address, &word), JS_OK);
        assert_int_equal(word & 0xff, address / 8 & 0xff);
    }
    assert_int_equal(reads, 1);
    assert_int_equal(js_memory_read_word(&memory, 2 * JS_MEMORY_PAGE - 4, &word), JS_OK);
    assert_int_equal(word >> 32 & 0xff, 2 * JS_MEMORY_PAGE / 8 & 0xff);
    assert_int_equal(js_memory_read_word(&memory, 3 * JS_MEMORY_PAGE + 92, &word), JS_OK);
    assert_int_equal(js_memory_read_word(&memory, 3 * JS_MEMORY_PAGE + 96, &word), JS_EFAULT);
    assert_int_equal(js_memory_read_word(&memory, UINT64_MAX - 3, &word), JS_EFAULT);
    js_bytes_deinit(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbouring_reads_cost_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
