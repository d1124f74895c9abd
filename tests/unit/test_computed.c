/* What the source makes of variables, as DWARF: the numbers that Python would give. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <dwarf.h>

#include "program/computed.h"
#include "program/evaluate.h"
#include "program/truth_internal.h"

static js_types *types;
static js_truth truth;
static js_variable int_variable, bool_variable, float_variable, pair_variable;
static const int64_t n = -7, m = 3;

static int registers(void *context, unsigned regnum, void *buffer, size_t capacity)
{
    (void)context;
    (void)capacity;
    int64_t value = regnum == 3 ? n : m; /* rbx, r12 */
    memcpy(buffer, &value, 8);
    return 8;
}

static int set_up(void **state)
{
    (void)state;
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
    return 0;
}

/* n and m lie in registers; k is told by the source, `self` by itself; u is not known; f is a float. */
static bool find(void *context, const char *name, js_verdict *out)
{
    (void)context;
    memset(out, 0, sizeof(*out));
    out->state = JS_STATE_EXACT;
    out->version = strcmp(name, "f") == 0 ? &float_variable : &int_variable;
    out->computed = strcmp(name, "k") == 0 ? "-,n,1" : strcmp(name, "self") == 0 ? "+,self,self" : NULL;
    if (name[0] == 'n' || name[0] == 'f') {
        js_expr_register(&out->expr, js_code_from_dwarf(3));
    } else {
        js_expr_register(&out->expr, js_code_from_dwarf(12));
    }
    return strcmp(name, "u") != 0;
}

/* False: not told. *has_value: it has one as the registers are. */
static bool compute(const js_variable *version, const char *words, int64_t *out, bool *has_value)
{
    js_finder finder = {find, NULL, 256};
    js_frame frame = {.registers = registers};
    js_expr expr;
    uint8_t bytes[32] = {0}, known[32];
    uint64_t address;
    if (!js_truth_compute(&truth, version, words, &finder, &expr)) {
        return false;
    }
    size_t size = version->type->size;
    assert_true(size <= sizeof(bytes));
    assert_int_equal(js_evaluate(&frame, NULL, 0, expr.bytes, expr.size, bytes, known, size, &address),
                     JS_OK);
    *has_value = known[0];
    memcpy(out, bytes, 8);
    return true;
}

static void numbers_are_pythons(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        int64_t value;
    } cases[] = {
        {"5", 5},
        {"n", -7},
        {"+,n,1", -6},
        {"-,n,m", -10},
        {"*,n,m", -21},
        {"//,n,2", -4},
        {"//,n,-2", 3},
        {"%,n,2", 1},
        {"%,n,-2", -1},
        {"%,m,7", 3},
        {"%,m,-7", -4},
        {"//,m,7", 0},
        {"//,m,-7", -1},
        {".neg,n", 7},
        {".min,n,m", -7},
        {".max,n,m", 3},
        {"k", -8},
        {"*,k,2", -16},
        {"%,k,4", 0},
        {"?,>,m,0,k,.none", -8},
        {"?,.and,<,n,0,<,m,0,1,2", 2},
        {"?,.or,<,n,0,<,m,0,1,2", 1},
        {"?,<,m,0,1,n", -7},
        {"?,<,n,0,?,<,m,0,1,2,3", 2},
        {"+,*,n,m,%,m,2", -20},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        int64_t value = 0;
        bool has_value = false;
        if (!compute(&int_variable, cases[i].words, &value, &has_value) || !has_value ||
            value != cases[i].value) {
            fail_msg("%s: %ld, not %ld", cases[i].words, (long)value, (long)cases[i].value);
        }
    }
}

static void tests_are_truth_values(void **state)
{
    (void)state;
    static const char *const trues[] = {"<,n,m",   "<=,n,n", ">,m,n",     ">=,m,-9",
                                        "==,k,-8", "!=,n,m", ".not,<,m,n"};
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
    assert_true(compute(&pair_variable, ".tuple2,+,n,1,<,n,m", &value, &has_value) && has_value);
    assert_int_equal(value, -6);
    assert_false(compute(&pair_variable, ".tuple1,n", &value, &has_value));
    assert_false(compute(&pair_variable, ".tuple2,n,f", &value, &has_value));
}

static void there_may_be_no_value(void **state)
{
    (void)state;
    int64_t value;
    bool has_value = true;
    assert_true(compute(&int_variable, "?,>,n,0,-,n,1,.none", &value, &has_value));
    assert_false(has_value);
}

static void what_may_differ_from_the_program_is_not_told(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "u",       "+,u,1",   "+,f,1",           "<,f,1",  "f",     "+,n",
        "+,n,1,2", "//,n,0",  "//,n,-1",         "//,n,m", "%,n,0", "1.5",
        "+,n,1.5", "?,>,n,0", "+,?,>,n,0,1,2,1", ".len,n", "self",  "<>,n,m",
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        int64_t value;
        bool has_value;
        if (compute(&int_variable, bad[i], &value, &has_value)) {
            fail_msg("%s is told", bad[i]);
        }
    }
    int64_t value;
    bool has_value;
    assert_false(compute(&bool_variable, "+,n,1", &value, &has_value));
    assert_false(compute(&float_variable, "+,n,1", &value, &has_value));
}

static void floats_and_texts_are_chosen_and_not_computed(void **state)
{
    (void)state;
    int64_t value;
    double real;
    bool has_value;
    assert_true(compute(&float_variable, "?,<,n,0,2.5,1e3", &value, &has_value) && has_value);
    memcpy(&real, &value, sizeof(real));
    assert_true(real == 2.5);
    assert_false(compute(&float_variable, "?,<,n,0,2,1e3", &value, &has_value)); /* an int of the source */
    assert_false(compute(&float_variable, "?,<,n,0,+,f,0.5,.none", &value, &has_value));
    assert_false(compute(&int_variable, "?,<,n,0,2.5,1", &value, &has_value));
    js_variable text_variable = {0};
    assert_int_equal(js_types_get(types, "Literal[str](abc)", NULL, &text_variable.type), JS_OK);
    assert_true(compute(&text_variable, "?,<,n,0,.text,.none", &value, &has_value) && has_value);
    assert_true(compute(&text_variable, "?,>,n,0,.text,.none", &value, &has_value) && !has_value);
    assert_true(compute(&text_variable, ".text", &value, &has_value) && has_value);
    assert_false(compute(&int_variable, "?,<,n,0,.text,.none", &value, &has_value));
    assert_false(compute(&int_variable, "+,n,.text", &value, &has_value));
}

static void it_is_written_as_in_the_source(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"+,*,n,3,1", "(n * 3) + 1"},
        {"?,>,n,0,-,n,1,.none", "(n - 1) if n > 0"},
        {"?,>,n,0,1,2", "1 if n > 0 else 2"},
        {".tuple2,.len,a,.min,x,-4", "(len(a), min(x, -4))"},
        {".not,<,n,.neg,m", "not (n < -m)"},
        {"+,n", "n + …"},
        {"+,^n,5", "n@entry + 5"},
        {"?,!=,n,0,.text,.none", "the constant if n != 0"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        js_text text;
        js_text_init(&text, 0);
        js_computed_write(&text, cases[i][0]);
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
        cmocka_unit_test(floats_and_texts_are_chosen_and_not_computed),
        cmocka_unit_test(it_is_written_as_in_the_source),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
