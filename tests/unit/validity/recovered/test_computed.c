/* validity/recovered/computed.c: what the source computes from variables, as DWARF, gives the numbers that
 * Python would. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <dwarf.h>

#include "program/source/formula_text.h"
#include "program/validity/locations/evaluate.h"
#include "program/validity/recovered/computed.h"

static js_types *types;
static js_arena arena;
static js_function function;
static js_truth truth = {.function = &function};
static char strict[] = "Flags(boundscheck=True, debuginfo=True)";
static char fast[] = "Flags(debuginfo=True, fastmath=FastMathOptions({'fast'}), nrt=True)";
static js_variable int_variable, bool_variable, float_variable, pair_variable;
static const int64_t n = -7, m = 3;
static const double real[2] = {2.75, 0}, no_number[2] = {NAN, 0};

static int registers(void *context, unsigned regnum, void *buffer, size_t capacity)
{
    (void)context;
    if (regnum >= 17) { /* xmm0, xmm1 */
        assert_true(capacity >= sizeof(real));
        memcpy(buffer, regnum == 17 ? real : no_number, sizeof(real));
        return sizeof(real);
    }
    int64_t value = regnum == 3 ? n : m; /* rbx, r12 */
    memcpy(buffer, &value, 8);
    return 8;
}

static int set_up(void **state)
{
    (void)state;
    function.name.flags = strict;
    js_arena_init(&arena, 0);
    assert_int_equal(js_types_create(&types), JS_OK);
    assert_int_equal(js_types_get(types, "int64", NULL, &int_variable.type), JS_OK);
    assert_int_equal(js_types_get(types, "bool", NULL, &bool_variable.type), JS_OK);
    assert_int_equal(js_types_get(types, "float64", NULL, &float_variable.type), JS_OK);
    return js_types_get(types, "Tuple(int64, bool)", NULL, &pair_variable.type);
}

static int tear_down(void **state)
{
    (void)state;
    js_types_destroy(types);
    js_arena_deinit(&arena);
    return 0;
}

/* NULL: the expression is no formula. */
static const js_node *parse(const char *expression)
{
    const js_node *formula;
    int status = js_formula_read(&arena, expression, &formula);
    assert_true(status == JS_OK || status == JS_EBAD);
    return status == JS_OK ? formula : NULL;
}

/* Find a variable: n and m are in registers; k is computed by the source, `self` by itself; u is not known;
 * f, and q, which is no number, are floats; g is computed from f. */
static bool find(void *context, const js_node *asked, js_verdict *out)
{
    const char *name = js_formula_text(asked);
    (void)context;
    memset(out, 0, sizeof(*out));
    out->state = JS_STATE_EXACT;
    out->version = strchr("fgq", name[0]) ? &float_variable : &int_variable;
    const char *computed = strcmp(name, "k") == 0      ? "n - 1"
                           : strcmp(name, "self") == 0 ? "self + self"
                           : strcmp(name, "g") == 0    ? "f / 4"
                                                       : NULL;
    out->computed = computed ? parse(computed) : NULL;
    if (name[0] == 'f' || name[0] == 'q') {
        js_expr_register(&out->expr, js_code_from_dwarf(name[0] == 'f' ? 17 : 18));
    } else if (name[0] == 'n') {
        js_expr_register(&out->expr, js_code_from_dwarf(3));
    } else {
        js_expr_register(&out->expr, js_code_from_dwarf(12));
    }
    return strcmp(name, "u") != 0;
}

/* Compute a version by an expression. False: it cannot be computed. *has_value: it has a value with these
 * registers. */
static bool compute(const js_variable *version, const char *expression, int64_t *out, bool *has_value)
{
    js_finder finder = {find, NULL, 256};
    js_frame frame = {.registers = registers};
    js_expr expr;
    uint8_t bytes[32] = {0}, known[32];
    const js_node *formula = parse(expression);
    if (!formula || !js_truth_compute(&truth, version, formula, &finder, &expr)) {
        return false;
    }
    size_t size = version->type->size;
    assert_true(size <= sizeof(bytes));
    js_found_bytes found = {.contents = bytes, .known = known, .size = size};
    assert_int_equal(
        js_evaluate(&frame, (js_dwarf_operators){0}, (js_dwarf_operators){expr.bytes, expr.size}, &found),
        JS_OK);
    *has_value = known[0];
    memcpy(out, bytes, 8);
    return true;
}

static void numbers_are_pythons(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        int64_t value;
    } cases[] = {
        {"5", 5},
        {"n", -7},
        {"n + 1", -6},
        {"n - m", -10},
        {"n * m", -21},
        {"n // 2", -4},
        {"n // -2", 3},
        {"n % 2", 1},
        {"n % -2", -1},
        {"m % 7", 3},
        {"m % -7", -4},
        {"m // 7", 0},
        {"m // -7", -1},
        {"-n", 7},
        {"min(n, m)", -7},
        {"max(n, m)", 3},
        {"k", -8},
        {"k * 2", -16},
        {"k % 4", 0},
        {"k if (m > 0) else ...", -8},
        {"1 if ((n < 0) and (m < 0)) else 2", 2},
        {"1 if ((n < 0) or (m < 0)) else 2", 1},
        {"1 if (m < 0) else n", -7},
        {"(1 if (m < 0) else 2) if (n < 0) else 3", 2},
        {"(n * m) + (m % 2)", -20},
        {"index(n + 1)", -6},
        {"(n if (n < m) else 5) * 2", -14},
        {"2 + (n if (m < n) else (m if (n < m) else n))", 5},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        int64_t value = 0;
        bool has_value = false;
        if (!compute(&int_variable, cases[i].expression, &value, &has_value) || !has_value ||
            value != cases[i].value) {
            fail_msg("%s: %ld, not %ld", cases[i].expression, (long)value, (long)cases[i].value);
        }
    }
}

static void tests_are_truth_values(void **state)
{
    (void)state;
    static const char *const trues[] = {"n < m",   "n <= n", "m > n",      "m >= -9",
                                        "k == -8", "n != m", "not (m < n)"};
    for (size_t i = 0; i < sizeof(trues) / sizeof(*trues); i++) {
        int64_t value = 0;
        bool has_value;
        assert_true(compute(&bool_variable, trues[i], &value, &has_value) && has_value);
        assert_int_equal(value, 1);
    }
}

static void parts_stand_where_the_type_has_them(void **state)
{
    (void)state;
    int64_t value;
    bool has_value;
    assert_true(compute(&pair_variable, "(n + 1, n < m)", &value, &has_value) && has_value);
    assert_int_equal(value, -6);
    assert_false(compute(&pair_variable, "(n,)", &value, &has_value));
    assert_false(compute(&pair_variable, "(n, f)", &value, &has_value));
    js_variable mixed = {0};
    assert_int_equal(js_types_get(types, "Tuple(int64, float64)", NULL, &mixed.type), JS_OK);
    assert_true(compute(&mixed, "(n, f * 2)", &value, &has_value) && has_value);
}

static void there_may_be_no_value(void **state)
{
    (void)state;
    int64_t value;
    bool has_value = true;
    assert_true(compute(&int_variable, "(n - 1) if (n > 0) else ...", &value, &has_value));
    assert_false(has_value);
}

static void what_may_differ_from_the_program_is_not_told(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "u",       "u + 1",  "f + 1",  "f",   "n +",     "n + 1 2",    "n // 0",
        "n // -1", "n // m", "n % 0",  "1.5", "n + 1.5", "1 if n > 0", "(... if n > 0 else 2) + 1",
        "len(n)",  "self",   "n <> m",
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        int64_t value;
        bool has_value;
        if (compute(&int_variable, bad[i], &value, &has_value)) {
            fail_msg("%s is known", bad[i]);
        }
    }
    int64_t value;
    bool has_value;
    assert_false(compute(&bool_variable, "n + 1", &value, &has_value));
    assert_false(compute(&float_variable, "n + 1", &value, &has_value));
}

static void floats_are_made_as_the_machine_makes_them(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        double value;
    } cases[] = {
        {"f + 1", 3.75},
        {"1 - f", -1.75},
        {"f * f", 7.5625},
        {"n / 2", -3.5},
        {"f / n", 2.75 / -7},
        {"-f", -2.75},
        {"-0.0", -0.0},
        {"0.1 * m", 0.1 * 3},
        {"g if (f < 3.0) else 0.5", 0.6875},
        {"f if (q <= q) else 1e-3", 1e-3},
        {"(f + n) - (m * g)", 2.75 - 7 - 3 * 0.6875},
        {"g", 0.6875},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        int64_t value = 0;
        bool has_value = false;
        if (!compute(&float_variable, cases[i].expression, &value, &has_value) || !has_value ||
            memcmp(&value, &cases[i].value, sizeof(value)) != 0) {
            fail_msg("%s: %lx", cases[i].expression, (unsigned long)value);
        }
    }
    static const char *const tests[][2] = {
        {"f < 3", "q < 3"},   {"f <= 2.75", "q <= q"}, {"f >= n", "q >= n"},
        {"f == f", "q == q"}, {"q != q", "f != 2.75"}, {"f > n", "n > f"},
    };
    for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
        for (int64_t wrong = 0; wrong < 2; wrong++) {
            int64_t value = 0;
            bool has_value = false;
            bool is_known = compute(&bool_variable, tests[i][wrong], &value, &has_value);
            if (!is_known || !has_value || (value & 1) == wrong) {
                fail_msg("%s", tests[i][wrong]);
            }
        }
    }
}

static void floats_that_may_be_made_otherwise_are_not_told(void **state)
{
    (void)state;
    static char none[] = "";
    char *const others[] = {fast, none, NULL};
    int64_t value;
    bool has_value;
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
        function.name.flags = others[i];
        assert_false(compute(&float_variable, "f + 1", &value, &has_value));
        assert_false(compute(&float_variable, "n / m", &value, &has_value));
        assert_false(compute(&bool_variable, "f < 3", &value, &has_value));
        assert_true(compute(&float_variable, "f if (n < 0) else 0.5", &value, &has_value) && has_value);
    }
    function.name.flags = strict;
    assert_false(compute(&float_variable, "index(f + 1)", &value, &has_value));
    assert_false(compute(&int_variable, "1 + (n if (n < m) else f)", &value, &has_value));
    assert_false(compute(&float_variable, "f // 2", &value, &has_value));
    assert_false(compute(&float_variable, "max(f, n)", &value, &has_value));
    assert_false(compute(&bool_variable, "f and 1", &value, &has_value));
    assert_false(compute(&bool_variable, "not f", &value, &has_value));
}

static void floats_and_texts_are_chosen(void **state)
{
    (void)state;
    int64_t value;
    double chosen;
    bool has_value;
    assert_true(compute(&float_variable, "2.5 if (n < 0) else 1e3", &value, &has_value) && has_value);
    memcpy(&chosen, &value, sizeof(chosen));
    assert_true(chosen == 2.5);
    assert_false(
        compute(&float_variable, "2 if (n < 0) else 1e3", &value, &has_value)); /* the source's 2 is an int */
    assert_false(compute(&int_variable, "2.5 if (n < 0) else 1", &value, &has_value));
    js_variable five = {0};
    assert_int_equal(js_types_get(types, "Literal[int](5)", NULL, &five.type), JS_OK);
    assert_true(compute(&five, "5 if (n < 0) else ...", &value, &has_value) && has_value && value == 5);
    assert_false(compute(&five, "6 if (n < 0) else ...", &value, &has_value)); /* it would read 5 */
    assert_false(compute(&five, "n + 1", &value, &has_value));
    assert_false(compute(&five, "6", &value, &has_value));
    assert_false(compute(&int_variable, "n < m", &value, &has_value)); /* a value of another type */
    js_variable text_variable = {0};
    assert_int_equal(js_types_get(types, "Literal[str](abc)", NULL, &text_variable.type), JS_OK);
    assert_true(compute(&text_variable, "'abc' if (n < 0) else ...", &value, &has_value) && has_value);
    assert_true(compute(&text_variable, "'abc' if (n > 0) else ...", &value, &has_value) && !has_value);
    assert_true(compute(&text_variable, "'abc'", &value, &has_value) && has_value);
    assert_false(compute(&int_variable, "'abc' if (n < 0) else ...", &value, &has_value));
    assert_false(compute(&int_variable, "n + 'abc'", &value, &has_value));
}

static void it_is_written_as_in_the_source(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"(n * 3) + 1", "(n * 3) + 1"},
        {"(n - 1) if (n > 0) else ...", "(n - 1) if n > 0"},
        {"1 if (n > 0) else 2", "1 if n > 0 else 2"},
        {"(1 if (n > 0) else n) + 2", "(1 if n > 0 else n) + 2"},
        {"(len(a), min(x, -4))", "(len(a), min(x, -4))"},
        {"(a.shape[1]) * 2", "a.shape[1] * 2"},
        {"not (n < (-m))", "not (n < -m)"},
        {"a[1:, 0]", "a[1:, 0]"},
        {"a[:-1, -1]", "a[:-1, -1]"},
        {"a[5:1:-2]", "a[5:1:-2]"},
        {"index(n + 1) / 2.5", "(n + 1) / 2.5"},
        {"entry(n) + 5", "n@entry + 5"},
        {"'abc' if (n != 0) else ...", "the constant if n != 0"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        js_text text;
        js_text_init(&text, 0);
        js_formula_write(&text, parse(cases[i][0]));
        assert_int_equal(text.status, JS_OK);
        assert_string_equal(text.data, cases[i][1]);
        js_text_deinit(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_pythons),
        cmocka_unit_test(tests_are_truth_values),
        cmocka_unit_test(parts_stand_where_the_type_has_them),
        cmocka_unit_test(there_may_be_no_value),
        cmocka_unit_test(what_may_differ_from_the_program_is_not_told),
        cmocka_unit_test(floats_are_made_as_the_machine_makes_them),
        cmocka_unit_test(floats_that_may_be_made_otherwise_are_not_told),
        cmocka_unit_test(floats_and_texts_are_chosen),
        cmocka_unit_test(it_is_written_as_in_the_source),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
