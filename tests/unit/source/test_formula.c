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

static const js_formula *parse(const char *words)
{
    const js_formula *formula;
    assert_int_equal(js_formula_parse(&arena, words, &formula), JS_OK);
    return formula;
}

static void words_make_a_tree(void **state)
{
    (void)state;
    const js_formula *formula = parse("?,>=,^n,-4,.tuple2,.axis3,a,.neg,x,.none");
    assert_int_equal(formula->kind, JS_FORMULA_CHOICE);
    assert_int_equal(formula->nparts, 3);
    const js_formula *test = &formula->parts[0], *pair = &formula->parts[1];
    assert_int_equal(test->kind, JS_FORMULA_GREATER_OR_EQUAL);
    assert_int_equal(test->parts[0].kind, JS_FORMULA_ENTRY);
    assert_string_equal(test->parts[0].text, "n");
    assert_string_equal(test->parts[1].text, "-4");
    assert_int_equal(pair->kind, JS_FORMULA_TUPLE);
    assert_int_equal(pair->nparts, 2);
    assert_int_equal(pair->parts[0].kind, JS_FORMULA_LENGTH);
    assert_int_equal(pair->parts[0].number, 3);
    assert_string_equal(pair->parts[0].parts->text, "a");
    assert_int_equal(pair->parts[1].kind, JS_FORMULA_NEGATE);
    assert_int_equal(formula->parts[2].kind, JS_FORMULA_NONE);
    assert_true(js_formula_has(formula, JS_FORMULA_NONE) && js_formula_has(formula, JS_FORMULA_ENTRY));
    assert_false(js_formula_has(formula, JS_FORMULA_ADD));
}

static void a_view_has_its_axes(void **state)
{
    (void)state;
    const js_formula *view = parse(".view:-1:1//2:/3/-1,a");
    assert_int_equal(view->naxes, 3);
    assert_false(view->axes[0].is_slice);
    assert_int_equal(view->axes[0].start, -1);
    assert_true(view->axes[1].is_slice && view->axes[1].has_start && !view->axes[1].has_stop);
    assert_int_equal(view->axes[1].step, 2);
    assert_true(!view->axes[2].has_start && view->axes[2].has_stop);
    assert_int_equal(view->axes[2].stop, 3);
    assert_int_equal(view->axes[2].step, -1);
}

static void equal_ones_are_found(void **state)
{
    (void)state;
    static const char *const all[] = {"n",
                                      "^n",
                                      "m",
                                      "1",
                                      "+,n,1",
                                      "+,1,n",
                                      "-,n,1",
                                      ".len,n",
                                      ".axis1,n",
                                      ".view:1//1,n",
                                      ".view:2//1,n",
                                      ".view:1//1:0,n",
                                      ".tuple1,n",
                                      ".tuple2,n,n",
                                      ".none"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            assert_int_equal(js_formula_is_equal(parse(all[i]), parse(all[k])), i == k);
    }
}

static void what_is_no_formula_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",        ",",        "+",         "+,n",          "+,n,1,2",     "<>,n,m",
        ".len,1",  ".len",     ".axis,a",   ".axis10,a",    ".tuple,a",    ".tuple2,a",
        ".what,a", ".view:,a", ".view:/,a", ".view:1//0,a", ".view:1/2/3", ".view:1//1,+,a,1",
        "?,n,1",   ".textual", "--",        "=,a,b"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const js_formula *formula;
        if (js_formula_parse(&arena, bad[i], &formula) != JS_EBAD)
            fail_msg("%s is a formula", bad[i]);
    }
    char deep[1024] = "";
    for (unsigned i = 0; i < 100; i++)
        strcat(deep, ".neg,");
    const js_formula *formula;
    assert_int_equal(js_formula_parse(&arena, strcat(deep, "n"), &formula), JS_EBAD);
}

static void any_bytes_are_survived(void **state)
{
    (void)state;
    static const char *const words[] = {"+", ".view:1//1:", ".tuple3", "?",    "n", ".len",
                                        "",  ".axis1",      "-1",      ".none"};
    srand(7);
    for (unsigned round = 0; round < 5000; round++) {
        char text[256] = "";
        const js_formula *formula;
        for (unsigned i = 0; i < 1 + round % 9; i++) {
            strcat(text, words[(size_t)rand() % (sizeof words / sizeof *words)]);
            strcat(text, rand() % 8 ? "," : ":/");
        }
        if (text[0] && rand() % 2)
            text[(size_t)rand() % strlen(text)] = (char)(1 + rand() % 126);
        if (js_formula_parse(&arena, text, &formula) == JS_OK) {
            js_text out;
            js_text_init(&out, 0);
            js_formula_write(&out, formula);
            assert_int_equal(out.status, JS_OK);
            assert_true(js_formula_is_equal(formula, formula));
            js_text_deinit(&out);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_make_a_tree),      cmocka_unit_test(a_view_has_its_axes),
        cmocka_unit_test(equal_ones_are_found),   cmocka_unit_test(what_is_no_formula_is_refused),
        cmocka_unit_test(any_bytes_are_survived),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
