/* names/loop_name.c: the name of a parallel loop's body, and that of its function in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "program/names/loop_name.h"

static void names_of_loops(void **state)
{
    (void)state;
    js_arena arena;
    js_arena_init(&arena, 0);
    assert_string_equal(js_loop_name(&arena, "foo"), "foo.prange");
    assert_int_equal(js_loop_name_function(js_loop_name(&arena, "Point.norm")), 10);
    js_arena_deinit(&arena);
}

static void names_of_functions(void **state)
{
    (void)state;
    assert_int_equal(js_loop_name_function("foo.prange[gufunc-wrapper]"), 3);
    assert_int_equal(js_loop_name_function("foo.prange.inner"), 0);
    assert_int_equal(js_loop_name_function("foo.prange.inner.prange"), 16);
    assert_int_equal(js_loop_name_function("prange"), 0);
    assert_int_equal(js_loop_name_function(".prange"), 0);
    assert_int_equal(js_loop_name_function(""), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_of_loops),
                                       cmocka_unit_test(names_of_functions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
