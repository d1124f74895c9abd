/* stacks/cpython/address_map.c: addresses are found again while the map grows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bytes/status.h"
#include "stacks/cpython/address_map.h"

static void an_address_map_finds_what_it_was_given(void **state)
{
    (void)state;
    js_address_map map = {0};
    uint32_t value;
    assert_false(js_address_map_find(&map, 8, &value));
    for (uint32_t i = 1; i <= 5000; i++) {
        assert_int_equal(js_address_map_add(&map, i * UINT64_C(0x1000), i), 0);
    }
    assert_int_equal(js_address_map_add(&map, 0x1000, 9), 1);
    assert_int_equal(js_address_map_add(&map, 0, 9), JS_EARG);
    for (uint32_t i = 1; i <= 5000; i++) {
        assert_true(js_address_map_find(&map, i * UINT64_C(0x1000), &value));
        assert_int_equal(value, i);
    }
    assert_false(js_address_map_find(&map, 0x1008, &value));
    js_address_map_deinit(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_map_finds_what_it_was_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
