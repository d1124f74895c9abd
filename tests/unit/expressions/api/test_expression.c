/* expressions/api/expression_api.c: values and errors of expressions over variables that are given as bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "expressions/api/condition.h"
#include "expressions/api/expression.h"
#include "expressions/api/expression_api.h"
#include "expressions/api/result.h"
#include "values_fixture.h"

/* Comparisons with Python and NumPy are in tests/oracle/test_expressions_against_numpy.py. */

typedef struct array1 {
    uint64_t meminfo, parent;
    int64_t nitems, itemsize;
    uint64_t data;
    int64_t shape, stride;
} array1;

typedef struct array2 {
    uint64_t meminfo, parent;
    int64_t nitems, itemsize;
    uint64_t data;
    int64_t shape[2], strides[2];
} array2;

static const struct {
    double numbers[6];
    int8_t small[4];
    uint64_t large[2];
} memory = {{1.0, 2.5, -3.0, 4.0, 5.0, 6.0}, {100, 27, -128, 1}, {UINT64_MAX, 1}};

static const array2 a = {.nitems = 6, .itemsize = 8, .data = BASE, .shape = {2, 3}, .strides = {24, 8}};
static const array1 b = {.nitems = 4, .itemsize = 1, .data = BASE + 48, .shape = 4, .stride = 1};
static const array1 u = {.nitems = 2, .itemsize = 8, .data = BASE + 56, .shape = 2, .stride = 8};
static const array1 gone = {.nitems = 4, .itemsize = 8, .data = 0x10, .shape = 4, .stride = 8};
static const array1 vast = {.nitems = 1LL << 40, .itemsize = 8, .data = BASE, .shape = 1LL << 40};
static const int64_t n = 7;
static const double x = 0.5;

static const js_api_variable variables[] = {
    {"a", "array(float64, 2d, A)", &a, sizeof a},
    {"b", "array(int8, 1d, A)", &b, sizeof b},
    {"u", "array(uint64, 1d, A)", &u, sizeof u},
    {"gone", "array(int64, 1d, A)", &gone, sizeof gone},
    {"vast", "array(int64, 1d, A)", &vast, sizeof vast},
    {"n", "int64", &n, sizeof n},
    {"x", "float64", &x, sizeof x},
};

static int create_memory(void **state)
{
    return create_with(state, &memory, sizeof memory);
}

static char *evaluate(fixture *f, const char *text, js_progress_fn poll, int *status)
{
    char *out = NULL;
    *status = js_api_evaluate(f->types, &f->bytes, variables, sizeof variables / sizeof variables[0], text,
                              NULL, poll, NULL, &out);
    return out;
}

typedef struct expectation {
    const char *text, *expected;
} expectation;

/* Check the "text" of each, or its error and the byte at which the caret is: `error|offset`. */
static void expect(fixture *f, const expectation *all, size_t count, const char *member)
{
    for (size_t i = 0; i < count; i++) {
        char wanted[256];
        int status;
        snprintf(wanted, sizeof wanted, "\"%s\": %s", member, all[i].expected);
        char *out = evaluate(f, all[i].text, NULL, &status);
        assert_int_equal(status, JS_OK);
        if (!strstr(out, wanted)) {
            fail_msg("%s: %s, not %s", all[i].text, out, wanted);
        }
        js_free(out);
    }
}
#define EXPECT(MEMBER, ...)                                                                                  \
    do {                                                                                                     \
        const expectation all[] = {__VA_ARGS__};                                                             \
        expect(*state, all, sizeof all / sizeof all[0], MEMBER);                                             \
    } while (0)

static void the_grammar_binds_as_pythons(void **state)
{
    EXPECT("text", {"1 + 2 * 3", "\"7\""}, {"-2 ** 2", "\"-4\""}, {"2 ** 3 ** 2", "\"512\""},
           {"(1 + 2) * 3", "\"9\""}, {"not n == 7 or n > 3 and x < 1", "\"True\""},
           {"1 < n <= 7", "\"True\""}, {"7 if n else 8", "\"7\""}, {"1 | 6 ^ 3 & 2", "\"5\""},
           {"7 // -2, 7 % -2", "\"(-4, -1)\""}, {"a[1:, ::2]", "\"array([[4., 6.]])\""},
           {"a[-1, -1]", "\"6.0\""}, {"a.shape[0]", "\"2\""}, {"len(a)", "\"2\""},
           {"'ab'[1] + \"c\"", "\"'bc'\""}, {"3 in (1, 3)", "\"True\""});
}

static void errors_have_a_place(void **state)
{
    EXPECT("offset", {"1 +", "3"}, {"a[1", "1"}, {"n + $", "4"}, {"(1, 2", "0"});
    EXPECT("error", {"a[2]", "\"IndexError: index 2 is out of bounds for axis 0 with size 2\""},
           {"nothing", "\"NameError: name 'nothing' is not defined\""},
           {"n / 0", "\"ZeroDivisionError: division by zero\""},
           {"n.real.x", "\"AttributeError: 'int' object has no attribute 'x'\""},
           {"a + b", "\"ValueError: operands could not be broadcast together with shapes (2,3) (4,) \""});
}

static void types_are_promoted_as_numpys(void **state)
{
    EXPECT("type", {"b + 1", "\"array(int8, 1d, C)\""}, {"b + n", "\"array(int64, 1d, C)\""},
           {"b + x", "\"array(float64, 1d, C)\""}, {"b / 2", "\"array(float64, 1d, C)\""},
           {"u + b[:2]", "\"array(float64, 1d, C)\""}, {"b > 0", "\"array(bool, 1d, C)\""},
           {"n / 2", "\"float64\""}, {"b[0]", "\"int8\""}, {"b.sum()", "\"int64\""});
    EXPECT("text", {"b[:1] + b[1:2]", "\"array([127], dtype=int8)\""},
           {"b + b", "\"array([-56, 54, 0, 2], dtype=int8)\""}, {"u[0]", "\"18446744073709551615\""},
           {"u[0] > -1", "\"True\""}, {"n ** 40", "\"6366805760909027985741435139224001\""});
}

static void reductions_go_through_all(void **state)
{
    EXPECT("text", {"a.sum()", "\"15.5\""}, {"a[:, 1].sum()", "\"7.5\""},
           {"a.min(), a.max()", "\"(-3.0, 6.0)\""}, {"a.argmin()", "\"2\""}, {"(a > 2).sum()", "\"4\""},
           {"(a < 0).any()", "\"True\""}, {"(a > 0).all()", "\"False\""}, {"b.mean()", "\"0.0\""},
           {"a[a > 4]", "\"array([5., 6.])\""}, {"b.sum()", "\"0\""}, {"u.sum()", "\"0\""});
    EXPECT("error", {"a[:0].max()",
                     "\"ValueError: zero-size array to reduction operation maximum which has no identity\""});
}

static void memory_that_is_not_there_is_said(void **state)
{
    EXPECT("error", {"gone.sum()", "\"<unreadable: 0x10 (32 bytes)>\""});
}

static int stop(void *context, uint64_t done, uint64_t total)
{
    (void)context;
    assert_true(done <= total && done < 1 << 22);
    return 1;
}

static void what_is_not_asked_for_is_not_read(void **state)
{
    fixture *f = *state;
    int status;
    js_free(evaluate(f, "(vast + 1)[3:5].shape", NULL, &status));
    assert_int_equal(f->bytes.wanted, 0);
    js_free(evaluate(f, "vast.sum()", stop, &status));
    assert_int_equal(status, JS_ECANCEL);
}

static void any_depth_ends(void **state)
{
    fixture *f = *state;
    char text[4096];
    int status;
    for (size_t depth = 1; depth < sizeof text - 1; depth *= 4) {
        memset(text, '(', depth);
        text[depth] = '\0';
        char *out = evaluate(f, text, NULL, &status);
        assert_non_null(strstr(out, "SyntaxError"));
        js_free(out);
    }
}

static void check_condition(const char *text, const char *expected)
{
    char *out = NULL;
    assert_int_equal(js_condition_check(text, &out), JS_OK);
    assert_string_equal(out, expected);
    js_free(out);
}

static void a_condition_is_checked_before_there_is_a_frame(void **state)
{
    (void)state;
    check_condition("n in {1, k} and not a[n] < abs(k)",
                    "{\"names\": [\"n\", \"k\", \"a\"], \"error\": null, \"offset\": null}");
    check_condition("x.sum() > np.pi and k in range(n)",
                    "{\"names\": [\"x\", \"k\", \"n\"], \"error\": null, \"offset\": null}");
    check_condition("n ==", "{\"names\": [], \"error\": \"SyntaxError: invalid syntax\", \"offset\": 4}");
    check_condition("n in {1, 2",
                    "{\"names\": [], \"error\": \"SyntaxError: invalid syntax\", \"offset\": 10}");
    check_condition("n == f'{k}'",
                    "{\"names\": [], \"error\": \"SyntaxError: f-strings are not supported in an expression; "
                    "'help jit print' lists what is\", \"offset\": 5}");
    check_condition("any(x > 1 for x in a)",
                    "{\"names\": [], \"error\": \"SyntaxError: generator expressions are not supported in an "
                    "expression; 'help jit print' lists what is\", \"offset\": 10}");
    check_condition("n := 3",
                    "{\"names\": [], \"error\": \"SyntaxError: ':=' is not supported in an expression; "
                    "'help jit print' lists what is\", \"offset\": 2}");
    check_condition("foo(n)",
                    "{\"names\": [], \"error\": \"foo() is not known here: a condition calls no function "
                    "of the program\", \"offset\": null}");
    check_condition("a.walk()", "{\"names\": [], \"error\": \"walk() is not known here: a condition calls no "
                                "function of the program\", \"offset\": null}");
    check_condition("len(range(3))",
                    "{\"names\": [], \"error\": \"range() is not known here: a condition calls no "
                    "function of the program\", \"offset\": null}");
}

static void check_truth(fixture *f, const char *text, const char *expected)
{
    js_api_variables given = {f->types, variables, sizeof variables / sizeof variables[0]};
    js_surroundings surroundings = js_api_surroundings(&given, &f->bytes, NULL, NULL);
    js_expression *expression;
    js_text why;
    size_t at;
    bool truth = false;
    js_text_init(&why, 0);
    int status = js_expression_create(&surroundings, text, &expression, &why, &at);
    status = status ? status : js_expression_truth(expression, &truth, &why);
    assert_string_equal(status ? why.data : truth ? "True" : "False", expected);
    js_expression_destroy(expression);
    js_text_deinit(&why);
}

static void truth_is_pythons(void **state)
{
    fixture *f = *state;
    check_truth(f, "n in {1, 7}", "True");
    check_truth(f, "n in range(1, 8, 3)", "True");
    check_truth(f, "n in range(1, 7)", "False");
    check_truth(f, "n not in range(9, 3, -2)", "False");
    check_truth(f, "7.5 in range(9)", "False");
    check_truth(f, "n in range(1, 9, 0)", "ValueError: range() arg 3 must not be zero");
    check_truth(f, "x - 0.5", "False");
    check_truth(
        f, "b[:0]",
        "ValueError: The truth value of an empty array is ambiguous. Use `array.size > 0` to check that "
        "an array is not empty.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_grammar_binds_as_pythons, create_memory, destroy),
        cmocka_unit_test_setup_teardown(errors_have_a_place, create_memory, destroy),
        cmocka_unit_test_setup_teardown(types_are_promoted_as_numpys, create_memory, destroy),
        cmocka_unit_test_setup_teardown(reductions_go_through_all, create_memory, destroy),
        cmocka_unit_test_setup_teardown(memory_that_is_not_there_is_said, create_memory, destroy),
        cmocka_unit_test_setup_teardown(what_is_not_asked_for_is_not_read, create_memory, destroy),
        cmocka_unit_test_setup_teardown(any_depth_ends, create_memory, destroy),
        cmocka_unit_test(a_condition_is_checked_before_there_is_a_frame),
        cmocka_unit_test_setup_teardown(truth_is_pythons, create_memory, destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
