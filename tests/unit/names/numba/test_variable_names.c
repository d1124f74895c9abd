/* names/numba/variable_names.c: which variables of Numba's debug information are the user's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "program/names/numba/legal_names.h"
#include "program/names/numba/variable_names.h"

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
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        assert_true(js_numba_is_internal(own[i], false));
    }
    for (size_t i = 0; i < sizeof users / sizeof *users; i++) {
        assert_false(js_numba_is_internal(users[i], false));
    }
}

static void test_names_of_both(void **state)
{
    static const char *const shared[] = {"size", "index", "ret", "a_shape", "a_size0", "rows_size12"};
    static const char *const users[] = {"n", "sizes", "_size", "size0", "shape", "_shape", "a_size", "total"};
    (void)state;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        assert_true(js_numba_is_shared(shared[i]));
    }
    for (size_t i = 0; i < sizeof users / sizeof *users; i++) {
        assert_false(js_numba_is_shared(users[i]));
    }
}

static void test_names_of_a_kernel(void **state)
{
    static const struct {
        const char *written, *name;
        unsigned version;
    } users[] = {{"my__scale", "my_scale", 0}, {"my____scale", "my__scale", 0},
                 {"__arr__3", "_arr_3", 0},    {"n", "n", 0},
                 {"total_2", "total", 2},      {"acc__sum_12", "acc_sum", 12},
                 {"x___1", "x_", 1},           {"a__1", "a_1", 0},
                 {"in__arr", "in_arr", 0},     {"x_2_1", "x", JS_NUMBA_RENUMBERED + (2 << 10 | 1)}};
    static const char *const own[] = {"_12load__global_3", "total_2__arr", "_1", "a_b", "x_"};
    char name[32];
    unsigned version;
    (void)state;
    for (size_t i = 0; i < sizeof users / sizeof *users; i++) {
        assert_true(js_numba_legal_decode(users[i].written, name, &version));
        assert_string_equal(name, users[i].name);
        assert_int_equal(version, users[i].version);
        assert_true(js_numba_legal_is(users[i].written, users[i].name));
    }
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        assert_false(js_numba_legal_decode(own[i], name, &version));
    }
    assert_false(js_numba_legal_is("my__scale", "my__scale"));
    assert_false(js_numba_legal_is("total_2", "total_2"));
    assert_true(js_numba_legal_is_parts("total_2__arr", "total_2"));
    assert_false(js_numba_legal_is_parts("in__arr", "out"));
}

static void test_names_of_inlined_functions(void **state)
{
    (void)state;
    assert_true(js_numba_is_inlined_name("closure__locals__add_v52_v", "add", "v"));
    assert_true(js_numba_is_inlined_name("closure__locals__add_v5_v2_v", "add_v5", "v"));
    assert_false(js_numba_is_inlined_name("closure__locals__add_v52_v", "ad", "v"));
    assert_false(js_numba_is_inlined_name("closure__locals__add_v_v", "add", "v"));
    assert_false(js_numba_is_inlined_name("add_v52_v", "add", "v"));
    assert_true(js_numba_is_inlined_name("closure__locals___listcomp__v2_i", "<listcomp>", "i"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_compilers_own),
        cmocka_unit_test(test_names_of_both),
        cmocka_unit_test(test_names_of_a_kernel),
        cmocka_unit_test(test_names_of_inlined_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
