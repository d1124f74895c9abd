/* bytes/pages.c: pages are read once, and missing ones fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bytes/pages.h"

enum { PAGE = 4096 };

/* Each page is read once, and a read with a missing page fails like one without pages. */
static void pages_are_read_once(void **state)
{
    (void)state;
    uint8_t *data = malloc(3 * PAGE), out[2 * PAGE];
    assert_non_null(data);
    for (size_t i = 0; i < 3 * PAGE; i++) {
        data[i] = (uint8_t)(i * 7 + i / PAGE);
    }
    js_bytes bytes;
    js_pages pages;
    js_bytes_init_buffer(&bytes, 16 * PAGE, data, 2 * PAGE + 100);
    assert_int_equal(js_pages_init(&pages, &bytes), JS_OK);
    for (size_t at = 0; at + 24 <= 2 * PAGE; at += 8) {
        assert_int_equal(js_bytes_read(&pages.bytes, 16 * PAGE + at, out, 24), JS_OK);
        assert_memory_equal(out, data + at, 24);
    }
    assert_int_equal(bytes.reads, 2);
    /* a page that exists in part, and a read that is longer than a page */
    assert_int_equal(js_bytes_read(&pages.bytes, 18 * PAGE - 8, out, 108), JS_OK);
    assert_memory_equal(out, data + 2 * PAGE - 8, 108);
    assert_int_equal(js_bytes_read(&pages.bytes, 16 * PAGE + 1, out, 2 * PAGE), JS_OK);
    assert_memory_equal(out, data + 1, 2 * PAGE);
    assert_int_equal(js_bytes_read(&pages.bytes, 18 * PAGE + 96, out, 8), JS_EFAULT);
    assert_int_equal(js_bytes_read(&pages.bytes, 16 * PAGE - 4, out, 8), JS_EFAULT);
    assert_int_equal(js_bytes_read(&pages.bytes, 0, out, 8), JS_EFAULT);
    js_pages_deinit(&pages);
    js_bytes_deinit(&bytes);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_are_read_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
