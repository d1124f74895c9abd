/* values/render/value.c: values as the members of an entry of a list of variables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "values/base/value.h"
#include "values_fixture.h"

/* Give characters that are written as \\U000e0001. */
static int read_tags(void *context, uint64_t address, void *buffer, size_t size)
{
    (void)context;
    for (size_t i = 0; i < size; i++) {
        ((uint8_t *)buffer)[i] = (uint8_t)(0x000e0001 >> 8 * ((address + i) % 4));
    }
    return JS_OK;
}

/* A text whose characters are written as ten each is longer than one answer may be. */
static void what_is_too_long_is_not_shown(void **state)
{
    fixture *f = *state;
    const struct {
        uint64_t data;
        int64_t length;
        uint32_t kind, is_ascii;
        uint64_t hash, meminfo, parent;
    } string = {.data = BASE, .length = 7 << 20, .kind = 4};
    const js_type *type;
    js_value value;
    js_text text;
    js_render_options options;
    bool exact = true, are_older;
    js_bytes_deinit(&f->bytes);
    assert_int_equal(js_bytes_init_callback(&f->bytes, read_tags, NULL), JS_OK);
    js_render_options_init(&options);
    options.elements = options.repeats = 0;
    options.max_bytes = UINT64_MAX;
    js_text_init(&text, 0);
    assert_int_equal(js_types_get(f->types, "unicode_type", NULL, &type), JS_OK);
    assert_int_equal(js_value_init(&value, type, &string, sizeof string), JS_OK);
    assert_int_equal(js_value_put(&text, &value, &f->bytes, &options, &exact, &are_older), JS_OK);
    assert_string_equal(text.data,
                        ", \"value\": null, \"text\": \"<unknown: its text is longer than 64 MiB>\"");
    assert_false(exact);
    js_text_deinit(&text);
    js_value_deinit(&value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_too_long_is_not_shown, create, destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
