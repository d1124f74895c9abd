/* source/formula.c: formulas of the source, as expressions and values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program/source/formula_text.h"

static js_arena arena;

static int set_up(void **state)
{
    (void)state;
    js_arena_init(&arena, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    js_arena_deinit(&arena);
    return 0;
}

static const js_node *read_formula(const char *expression)
{
    const js_node *formula;
    assert_int_equal(js_formula_read(&arena, expression, &formula), JS_OK);
    return formula;
}

static void a_formula_has_kinds_and_parts(void **state)
{
    (void)state;
    const js_node *formula = read_formula("(a.shape[3], -x) if entry(n) >= -4 else ...");
    assert_int_equal(js_formula_kind_of(formula), JS_FORMULA_IF);
    assert_int_equal(js_formula_nparts(formula), 3);
    const js_node *test = js_formula_part(formula, 0), *pair = js_formula_part(formula, 1);
    assert_int_equal(js_formula_kind_of(test), JS_FORMULA_GREATER_OR_EQUAL);
    assert_int_equal(js_formula_kind_of(js_formula_part(test, 0)), JS_FORMULA_ENTRY);
    assert_string_equal(js_formula_text(js_formula_part(test, 0)), "n");
    assert_string_equal(js_formula_text(js_formula_part(test, 1)), "-4");
    assert_int_equal(js_formula_kind_of(pair), JS_FORMULA_TUPLE);
    assert_int_equal(js_formula_nparts(pair), 2);
    const js_node *length = js_formula_part(pair, 0), *negative = js_formula_part(pair, 1);
    assert_int_equal(js_formula_kind_of(length), JS_FORMULA_LENGTH);
    assert_int_equal(js_formula_axis_of(length), 3);
    assert_string_equal(js_formula_text(js_formula_part(length, 0)), "a");
    assert_int_equal(js_formula_kind_of(negative), JS_FORMULA_NEGATE);
    assert_null(js_formula_part(negative, 1));
    assert_int_equal(js_formula_kind_of(js_formula_part(formula, 2)), JS_FORMULA_NONE);
    assert_true(js_formula_has(formula, JS_FORMULA_NONE) && js_formula_has(formula, JS_FORMULA_ENTRY));
    assert_false(js_formula_has(formula, JS_FORMULA_ADD));
}

static void each_expression_is_of_its_kind(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        js_formula_kind kind;
    } cases[] = {
        {"1", JS_FORMULA_NUMBER},
        {"-1.5e3", JS_FORMULA_NUMBER},
        {"--1", JS_FORMULA_NEGATE},
        {"größe", JS_FORMULA_NAME},
        {"entry(n)", JS_FORMULA_ENTRY},
        {"'a'", JS_FORMULA_TEXT},
        {"'\\ud800\\x00'", JS_FORMULA_TEXT},
        {"None", JS_FORMULA_TEXT},
        {"...", JS_FORMULA_NONE},
        {"a + 1", JS_FORMULA_ADD},
        {"a % 1", JS_FORMULA_REMAINDER},
        {"a != 1", JS_FORMULA_NOT_EQUAL},
        {"a and b and c", JS_FORMULA_AND},
        {"min(a, 1)", JS_FORMULA_MIN},
        {"index(a - 1)", JS_FORMULA_WHOLE},
        {"len(a)", JS_FORMULA_LENGTH},
        {"len(entry(a))", JS_FORMULA_LENGTH},
        {"entry(a).shape[1]", JS_FORMULA_LENGTH},
        {"a[0]", JS_FORMULA_VIEW},
        {"entry(a)[:, 1]", JS_FORMULA_VIEW},
        {"(a,)", JS_FORMULA_TUPLE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (js_formula_kind_of(read_formula(cases[i].expression)) != cases[i].kind) {
            fail_msg("%s is of another kind", cases[i].expression);
        }
    }
}

static void a_view_has_its_axes(void **state)
{
    (void)state;
    js_formula_axis axes[JS_FORMULA_AXES];
    assert_int_equal(js_formula_axes(read_formula("a[-1, 1::2, :3:-1]"), axes), 3);
    assert_false(axes[0].is_slice);
    assert_int_equal(axes[0].start, -1);
    assert_true(axes[1].is_slice && axes[1].has_start && !axes[1].has_stop);
    assert_int_equal(axes[1].step, 2);
    assert_true(!axes[2].has_start && axes[2].has_stop);
    assert_int_equal(axes[2].stop, 3);
    assert_int_equal(axes[2].step, -1);
}

static void what_is_no_formula_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        ",",
        "+",
        "n +",
        "n + 1 2",
        "n <> m",
        "len(1)",
        "len()",
        "len(a, b)",
        "a.shape[10]",
        "a.shape[-1]",
        "a.shape",
        "()",
        "other(a)",
        "a[()]",
        "a[b]",
        "a[1:b]",
        "a[::0]",
        "(a + 1)[1:]",
        "1 if n",
        "a.b",
        "[a]",
        "a ** 2",
        "a & 1",
        "a < b < c",
        "a in b",
        "~a",
        "+a",
        "True",
        "1j",
        "b'a'",
        "entry(1)",
        "entry(n=n)",
        "min(a, b, c)",
        "lambda: 1",
        "a[1,2,3,4,5,6,7,8,9]",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const js_node *formula;
        if (js_formula_read(&arena, bad[i], &formula) != JS_EBAD) {
            fail_msg("%s is a formula", bad[i]);
        }
    }
    char deep[1024] = "";
    for (unsigned i = 0; i < 300; i++) {
        strcat(deep, "-");
    }
    const js_node *formula;
    assert_int_equal(js_formula_read(&arena, strcat(deep, "n"), &formula), JS_EBAD);
}

static void any_bytes_are_survived(void **state)
{
    (void)state;
    static const char *const words[] = {"+",    "a[1:", "]", "(",  ")",   " if ", " else ",   "n",
                                        "len(", ", ",   "'", "-1", "...", " < ",  ".shape[1]"};
    srand(7);
    for (unsigned round = 0; round < 5000; round++) {
        char text[256] = "";
        const js_node *formula;
        for (unsigned i = 0; i < 1 + round % 9; i++) {
            strcat(text, words[(size_t)rand() % (sizeof words / sizeof *words)]);
        }
        if (text[0] && rand() % 2) {
            text[(size_t)rand() % strlen(text)] = (char)(1 + rand() % 126);
        }
        if (js_formula_read(&arena, text, &formula) == JS_OK) {
            js_text out;
            js_text_init(&out, 0);
            js_formula_write(&out, formula);
            assert_int_equal(out.status, JS_OK);
            js_text_deinit(&out);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_formula_has_kinds_and_parts), cmocka_unit_test(each_expression_is_of_its_kind),
        cmocka_unit_test(a_view_has_its_axes),           cmocka_unit_test(what_is_no_formula_is_refused),
        cmocka_unit_test(any_bytes_are_survived),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
