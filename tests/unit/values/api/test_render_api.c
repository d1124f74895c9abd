/* values/api/render_api.c: values as text and JSON, parts, and damaged memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "values_fixture.h"

/* Comparisons with NumPy's and Python's own repr are in tests/oracle/test_values_against_numba.py. */

static int create_numbers(void **state)
{
    static const double numbers[] = {1.0, 2.5, -3.0, 4.0, 5.0, 6.0};
    return create_with(state, numbers, sizeof numbers);
}

static int render(fixture *f, const char *name, const void *contents, size_t size, const char *path, int json,
                  const char *expected, int expected_exact)
{
    char *text;
    int exact = -1;
    int status =
        js_api_render(f->types, &f->bytes, name, NULL, contents, size, path, NULL, json, &text, &exact);
    assert_string_equal(text, expected);
    assert_int_equal(exact, expected_exact);
    js_free(text);
    return status;
}

typedef struct array2 {
    uint64_t meminfo, parent;
    int64_t nitems, itemsize;
    uint64_t data;
    int64_t shape[2], strides[2];
} array2;

static const array2 matrix = {.nitems = 6, .itemsize = 8, .data = BASE, .shape = {2, 3}, .strides = {24, 8}};
static const char *const matrix_type = "array(float64, 2d, A)";

static void arrays_render(void **state)
{
    fixture *f = *state;
    assert_int_equal(
        render(f, matrix_type, &matrix, sizeof matrix, NULL, 0, "array([[1., 2.5, -3.], [4., 5., 6.]])", 1),
        JS_OK);
    assert_int_equal(render(f, matrix_type, &matrix, sizeof matrix, NULL, 1,
                            "{\"shape\": [2, 3], \"data\": [1.0, 2.5, -3.0, 4.0, 5.0, 6.0]}", 1),
                     JS_OK);
    array2 turned = matrix;
    turned.data += 40;
    turned.strides[0] = -24;
    turned.strides[1] = -8;
    render(f, matrix_type, &turned, sizeof turned, NULL, 0, "array([[6., 5., 4.], [-3., 2.5, 1.]])", 1);
    turned.strides[0] = turned.strides[1] = 0;
    render(f, matrix_type, &turned, sizeof turned, NULL, 0, "array([[6., 6., 6.], [6., 6., 6.]])", 1);
}

static void what_is_read_is_what_is_shown(void **state)
{
    fixture *f = *state;
    js_render_options options;
    js_render_options_init(&options);
    options.elements = 2;
    array2 huge = {
        .nitems = 4000000, .itemsize = 8, .data = BASE, .shape = {2, 2000000}, .strides = {16000000, 8}};
    const js_type *type;
    js_value value;
    js_text text;
    js_text_init(&text, 0);
    assert_int_equal(js_types_get(f->types, matrix_type, NULL, &type), JS_OK);
    assert_int_equal(js_value_init(&value, type, &huge, sizeof huge), JS_OK);
    assert_int_equal(js_value_render_text(&value, &f->bytes, &options, &text), JS_OK);
    assert_string_equal(text.data, "array([[1., 2.5, ...], ...])");
    assert_in_range(f->bytes.wanted, 16, 256 + 16); /* the elements, or the bytes around them first */
    assert_in_range(f->bytes.reads, 1, 2);
    js_text_deinit(&text);
    js_value_deinit(&value);
}

static void nonsense_is_labelled(void **state)
{
    fixture *f = *state;
    array2 bad = {0};
    render(f, matrix_type, &bad, sizeof bad, NULL, 0, "<unknown: empty array descriptor>", 0);
    bad = matrix;
    bad.nitems = 7;
    render(f, matrix_type, &bad, sizeof bad, NULL, 0, "<unknown: shape (2, 3) does not have nitems = 7>", 0);
    bad = matrix;
    bad.data = 0x10;
    render(f, matrix_type, &bad, sizeof bad, NULL, 0, "<unreadable: 0x10 (48 bytes)>", 0);
    render(f, matrix_type, &bad, sizeof bad, NULL, 1, "\"<unreadable: 0x10 (48 bytes)>\"", 0);
    assert_int_equal(render(f, matrix_type, &matrix, 8, NULL, 0, "argument out of range", 0), JS_EARG);
}

static void paths_select(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *path, *expected;
        int status;
    } cases[] = {
        {"[1, 2]", "6.0", JS_OK},
        {"[-1]", "array([4., 5., 6.])", JS_OK},
        {"[:, ::2]", "array([[1., -3.], [4., 6.]])", JS_OK},
        {"[..., 1]", "array([2.5, 5.])", JS_OK},
        {".T[2]", "array([-3., 6.])", JS_OK},
        {".shape", "(2, 3)", JS_OK},
        {".shape[1]", "3", JS_OK},
        {".strides", "(24, 8)", JS_OK},
        {".size", "6", JS_OK},
        {".nbytes", "48", JS_OK},
        {".dtype", "dtype('float64')", JS_OK},
        {"[5]", "IndexError: index 5 is out of bounds for axis 0 with size 2", JS_ELIMIT},
        {"[0, 0, 0]", "IndexError: too many indices for array: array is 2-dimensional, but 3 were indexed",
         JS_ELIMIT},
        {".x", "AttributeError: 'numpy.ndarray' object has no attribute 'x'", JS_ENOTFOUND},
        {"[0][0][0]", "TypeError: 'float' object is not subscriptable", JS_EUNSUP},
        {"[9223372036854775808]", "SyntaxError: invalid syntax: [9223372036854775808]", JS_ELIMIT},
        {"[1", "SyntaxError: invalid syntax: [1", JS_EBAD},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int status = render(f, matrix_type, &matrix, sizeof matrix, cases[i].path, 0, cases[i].expected,
                            cases[i].status == JS_OK);
        assert_int_equal(status, cases[i].status);
    }
}

static void a_slice_reads_no_element(void **state)
{
    fixture *f = *state;
    const js_type *type;
    js_value value, view;
    assert_int_equal(js_types_get(f->types, matrix_type, NULL, &type), JS_OK);
    assert_int_equal(js_value_init(&value, type, &matrix, sizeof matrix), JS_OK);
    assert_int_equal(js_value_select(f->types, &value, &f->bytes, "[1:, 1:]", &view, NULL), JS_OK);
    assert_int_equal(f->bytes.wanted, 0);
    js_array_view described;
    assert_int_equal(js_array_view_init(&described, &view), JS_OK);
    assert_int_equal(described.data, BASE + 32);
    assert_int_equal(described.nitems, 2);
    js_value_deinit(&view);
    js_value_deinit(&value);
}

static void layouts_are_json(void **state)
{
    fixture *f = *state;
    char *text;
    assert_int_equal(js_api_type_json(f->types, "?bool", NULL, &text), JS_OK);
    assert_non_null(strstr(text, "\"size\": 2"));
    assert_non_null(strstr(text, "\"role\": \"valid\""));
    js_free(text);
}

static void views_are_checked(void **state)
{
    fixture *f = *state;
    js_array_view view;
    char *why;
    array2 bad = matrix;
    bad.shape[0] = INT64_MAX;
    bad.shape[1] = INT64_MAX;
    assert_int_equal(js_api_array_view(f->types, matrix_type, NULL, &bad, sizeof bad, &view, &why), JS_EBAD);
    assert_string_equal(why, "<unknown: shape (9223372036854775807, 9223372036854775807) overflows>");
    js_free(why);
    assert_int_equal(js_api_array_view(f->types, "int64", NULL, &bad, sizeof bad, &view, NULL), JS_EUNSUP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(arrays_render, create_numbers, destroy),
        cmocka_unit_test_setup_teardown(what_is_read_is_what_is_shown, create_numbers, destroy),
        cmocka_unit_test_setup_teardown(nonsense_is_labelled, create_numbers, destroy),
        cmocka_unit_test_setup_teardown(paths_select, create_numbers, destroy),
        cmocka_unit_test_setup_teardown(a_slice_reads_no_element, create_numbers, destroy),
        cmocka_unit_test_setup_teardown(layouts_are_json, create_numbers, destroy),
        cmocka_unit_test_setup_teardown(views_are_checked, create_numbers, destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
