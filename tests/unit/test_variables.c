/* Which variables of Numba's debug information are the user's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "program/numba/variables.h"

static void test_the_compilers_own(void **state)
{
    static const char *const own[] = {"$12load.1",
                                      "arg$n",
                                      "total$2#init",
                                      "max_parallel_impl__locals__max_1_v16_val",
                                      "closure__locals___listcomp__v2__vphi8_1",
                                      "closure__locals__inner_v13_implicit0"};
    static const char *const users[] = {
        "n", "total$2", "arg$1", "size", "closure__locals__inner_v1_t", "closure__locals___listcomp__v2_i"};
    (void)state;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        assert_true(js_numba_is_internal(own[i], false));
    for (size_t i = 0; i < sizeof users / sizeof *users; i++)
        assert_false(js_numba_is_internal(users[i], false));
}

static void test_names_of_both(void **state)
{
    static const char *const shared[] = {"size", "index", "ret", "a_shape", "a_size0", "rows_size12"};
    static const char *const users[] = {"n", "sizes", "_size", "size0", "shape", "_shape", "a_size", "total"};
    (void)state;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        assert_true(js_numba_is_shared(shared[i]));
    for (size_t i = 0; i < sizeof users / sizeof *users; i++)
        assert_false(js_numba_is_shared(users[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_compilers_own),
        cmocka_unit_test(test_names_of_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
