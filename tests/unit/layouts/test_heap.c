/* layouts/heap.c: the allocator's headers after blocks. */
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "layouts/heap.h"

enum { BLOCK = 2, NEXT = 6, WORDS = 16 }; /* words of the first block and of the second header */

/* Find damage after the first block, where the sizes in its header and in the next one are these. */
static int find(uint64_t own, uint64_t next, js_heap_damage *out, const uint64_t **heap)
{
    static alignas(16) uint64_t words[WORDS];
    js_bytes bytes;
    words[BLOCK - 1] = own;
    words[NEXT + 1] = next;
    *heap = words;
    assert_int_equal(js_bytes_init_process(&bytes, getpid()), JS_OK);
    int status = js_heap_damage_after(&bytes, (uint64_t)(uintptr_t)&words[BLOCK], out);
    js_bytes_deinit(&bytes);
    return status;
}

static void test_valid_headers_are_no_damage(void **state)
{
    (void)state;
    js_heap_damage damage;
    const uint64_t *heap;
    assert_int_equal(find(0x31, 0x41, &damage, &heap), JS_ENOTFOUND);
    assert_int_equal(find(0x31, 0x11, &damage, &heap), JS_ENOTFOUND); /* the end of a part of the heap */
}

static void test_a_size_that_no_block_has_is_damage(void **state)
{
    (void)state;
    js_heap_damage damage;
    const uint64_t *heap;
    assert_int_equal(find(0x31, 0x3ff0000000000000, &damage, &heap), JS_OK);
    assert_int_equal(damage.size_at, (uint64_t)(uintptr_t)&heap[NEXT + 1]);
    assert_int_equal(damage.following, (uint64_t)(uintptr_t)&heap[NEXT + 2]);
    assert_int_equal(find(0x31, 0, &damage, &heap), JS_OK);
}

static void test_nothing_is_known_after_a_block_whose_own_header_is_not_valid(void **state)
{
    (void)state;
    js_heap_damage damage;
    const uint64_t *heap;
    assert_int_equal(find(0, 0, &damage, &heap), JS_ENOTFOUND);
    assert_int_equal(find(0x33, 0, &damage, &heap), JS_ENOTFOUND); /* memory of its own from mmap() */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid_headers_are_no_damage),
        cmocka_unit_test(test_a_size_that_no_block_has_is_damage),
        cmocka_unit_test(test_nothing_is_known_after_a_block_whose_own_header_is_not_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
