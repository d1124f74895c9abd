/* bytes/text.c: numbers, JSON and limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "bytes/text.h"

static void assert_double(double value, const char *expected)
{
    js_text text;
    js_text_init(&text, 0);
    js_text_double(&text, value);
    assert_string_equal(text.data, expected);
    js_text_deinit(&text);
}

static void doubles_read_as_python_writes_them(void **state)
{
    (void)state;
    assert_double(0.0, "0.0");
    assert_double(-0.0, "-0.0");
    assert_double(1.5, "1.5");
    assert_double(287.82, "287.82");
    assert_double(0.1 + 0.2, "0.30000000000000004");
    assert_double(100.0, "100.0");
    assert_double(1e15, "1000000000000000.0");
    assert_double(1e16, "1e+16");
    assert_double(1e22, "1e+22");
    assert_double(0.0001, "0.0001");
    assert_double(0.00001, "1e-05");
    assert_double(5e-324, "5e-324");
    assert_double(1.7976931348623157e308, "1.7976931348623157e+308");
    assert_double(-1.25e-7, "-1.25e-07");
    assert_double(123456789012345680.0, "1.2345678901234568e+17");
    assert_double(__builtin_inf(), "inf");
    assert_double(-__builtin_inf(), "-inf");
    assert_double(__builtin_nan(""), "nan");
}

static void json_strings_always_parse(void **state)
{
    (void)state;
    js_text text;
    js_text_init(&text, 0);
    static const char raw[] = "a\"\\\n\x01\0\xff\xc3\xa9\xed\xa0\x80";
    js_text_json_string(&text, raw, sizeof raw - 1);
    assert_string_equal(text.data, "\"a\\\"\\\\\\n\\u0001\\u0000\xef\xbf\xbd\xc3\xa9"
                                   "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
    js_text_deinit(&text);
    js_text_json_double(&text, __builtin_inf());
    assert_string_equal(text.data, "\"inf\"");
    js_text_deinit(&text);
}

static void a_limit_sticks(void **state)
{
    (void)state;
    js_text text;
    js_text_init(&text, 8);
    js_text_put(&text, "12345");
    js_text_printf(&text, "%s", "6789");
    assert_int_equal(text.status, JS_ELIMIT);
    assert_string_equal(text.data, "12345");
    js_text_put(&text, "6");
    assert_string_equal(text.data, "12345");
    assert_null(js_text_take(&text));
    js_text_deinit(&text);
}

static void long_formats_and_taking(void **state)
{
    (void)state;
    js_text text;
    js_text_init(&text, 0);
    js_text_printf(&text, "%0500d|", 7);
    assert_int_equal(text.length, 501);
    char *taken = js_text_take(&text);
    assert_int_equal(strlen(taken), 501);
    js_free(taken);
    taken = js_text_take(&text);
    assert_string_equal(taken, "");
    js_free(taken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_read_as_python_writes_them),
        cmocka_unit_test(json_strings_always_parse),
        cmocka_unit_test(a_limit_sticks),
        cmocka_unit_test(long_formats_and_taking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
