/* bytes/arena.c: alignment, zeroed memory and limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bytes/arena.h"

static void arenas_align_zero_and_limit(void **state)
{
    (void)state;
    js_arena arena;
    js_arena_init(&arena, 100000);
    for (size_t i = 1; i < 200; i++) {
        unsigned char *piece = js_arena_alloc(&arena, i);
        assert_non_null(piece);
        assert_int_equal((uintptr_t)piece % 16, 0);
        for (size_t at = 0; at < i; at++) {
            assert_int_equal(piece[at], 0);
        }
        memset(piece, 0xff, i);
    }
    assert_non_null(js_arena_alloc(&arena, 40000));
    assert_null(js_arena_alloc(&arena, 60000));
    assert_null(js_arena_alloc(&arena, SIZE_MAX));
    assert_string_equal(js_arena_strdup(&arena, "abc"), "abc");
    assert_string_equal(js_arena_strndup(&arena, "abc", 2), "ab");
    js_arena_deinit(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arenas_align_zero_and_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
