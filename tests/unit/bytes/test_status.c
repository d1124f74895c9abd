/* bytes/status.c: each status has a text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bytes/status.h"

static void every_status_has_words(void **state)
{
    (void)state;
    for (int status = JS_OK; status >= JS_ESYS; status--) {
        assert_string_not_equal(js_strerror(status), "unknown status");
    }
    assert_string_equal(js_strerror(JS_ENOMEM), "out of memory");
    assert_string_equal(js_strerror(JS_EFAULT), "the program's memory cannot be read");
    assert_string_equal(js_strerror(JS_EBUSY), "the program is writing it");
    assert_string_equal(js_strerror(1), "unknown status");
    assert_string_equal(js_strerror(-100), "unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
