/* layouts/described.c: values of layouts that a program registers, and that no reader can use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "jitscope.h"
#include "layouts/described.h"
#include "values/api/render_api.h"

/* Register the layout, and check its value as text or as the part that `path` names. */
static void expect(const jitscope_layout *layout, const void *contents, const char *path,
                   const char *expected)
{
    js_types *types;
    js_bytes bytes;
    js_descriptor read = {.address = (uint64_t)(uintptr_t)&__jitscope_descriptor};
    const js_type *type;
    uint64_t handle;
    char *text;
    int exact;
    assert_int_equal(jitscope_layout_register(layout, &handle), JITSCOPE_OK);
    assert_int_equal(js_types_create(&types), JS_OK);
    assert_int_equal(js_bytes_init_process(&bytes, getpid()), JS_OK);
    assert_int_equal(js_descriptor_read(&bytes, read.address, &read.head), JS_OK);
    assert_int_equal(js_described_type(types, &bytes, &read, handle, &type), JS_OK);
    js_api_render(types, &bytes, type->name, NULL, contents, type->size, path, NULL, 0, &text, &exact);
    assert_string_equal(text, expected);
    js_free(text);
    js_bytes_deinit(&bytes);
    js_types_destroy(types);
    assert_int_equal(jitscope_layout_unregister(handle), JITSCOPE_OK);
}

static jitscope_layout layout_of(const char *name, uint32_t kind, uint64_t bytes)
{
    jitscope_layout layout;
    jitscope_layout_init(&layout);
    layout.name = name;
    layout.kind = kind;
    layout.bytes = bytes;
    return layout;
}

/* The size of an item is a number with a fraction. */
static void an_array_of_another_layout(void **state)
{
    static const double numbers[] = {1.5, 2.5};
    const jitscope_member members[] = {{"at", "void*", 0, JITSCOPE_ROLE_DATA, 0},
                                       {"n", "int64", 8, JITSCOPE_ROLE_LENGTH, 0},
                                       {"each", "complex128", 16, JITSCOPE_ROLE_ITEMSIZE, 0}};
    const struct {
        const double *at;
        int64_t n;
        double each[2];
    } array = {numbers, 2, {8, 0}};
    (void)state;
    jitscope_layout layout = layout_of("row", JITSCOPE_ARRAY, sizeof array);
    layout.ndim = 1;
    layout.order = 'C';
    layout.element = "float64";
    layout.members = members;
    layout.nmembers = 3;
    expect(&layout, &array, NULL, "<unknown: its layout is not that of an array>");
}

/* A value that was passed without its address has no places for parts of its array. */
static void an_array_that_is_not_in_memory(void **state)
{
    static const double numbers[] = {1.5, 2.5};
    (void)state;
    jitscope_layout layout = layout_of("pair", JITSCOPE_VECTOR, sizeof numbers);
    layout.element = "float64";
    layout.count = 2;
    expect(&layout, numbers, NULL, "[1.5, 2.5]");
    expect(&layout, numbers, "[1]", "parts of this array are not known: it is not in memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_of_another_layout),
        cmocka_unit_test(an_array_that_is_not_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
