/* stacks/cpython/object.c: strings and bytes objects of each kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stacks/cpython/memory.h"
#include "stacks/cpython/object.h"

enum { ROOM = 96 /* more than the head of any str */ };

/* Read a str of the given kind, at address 0x1000 of a buffer. */
static int read_str_of(const js_python_offsets *o, unsigned kind, bool ascii, uint64_t length,
                       const void *data, size_t size, char *out)
{
    uint8_t *object = calloc(1, ROOM + size);
    uint32_t bits = kind << o->str_kind_bit | 1u << o->str_compact_bit | (uint32_t)ascii << o->str_ascii_bit;
    memcpy(object + o->str_length, &length, sizeof length);
    memcpy(object + o->str_state, &bits, sizeof bits);
    memcpy(object + (ascii ? o->str_ascii : o->str_compact), data, size);
    js_bytes bytes;
    js_memory memory = {.bytes = &bytes};
    js_memory_reset(&memory);
    js_bytes_init_buffer(&bytes, 0x1000, object, ROOM + size);
    size_t used;
    int status = js_python_read_str(&memory, o, 0x1000, out, &used);
    if (status == JS_OK) {
        assert_int_equal(strlen(out), used);
    }
    js_bytes_deinit(&bytes);
    free(object);
    return status;
}

static int read_str(uint32_t minor, unsigned kind, bool ascii, uint64_t length, const void *data, size_t size,
                    char *out)
{
    return read_str_of(js_python_offsets_of(minor, false), kind, ascii, length, data, size, out);
}

static void strings_of_every_kind_become_utf8(void **state)
{
    (void)state;
    char out[JS_PYTHON_NAME_LIMIT + 4];
    const uint16_t greek[] = {0x3c0, 'r', 0xd800, 0x20ac};
    const uint32_t wide[] = {0x1f40d, 'x', 0x10ffff, 0x110000};
    for (uint32_t minor = JS_PYTHON_3_9; minor <= JS_PYTHON_3_15; minor++) {
        assert_int_equal(read_str(minor, 1, true, 3, "foo", 3, out), JS_OK);
        assert_string_equal(out, "foo");
        assert_int_equal(read_str(minor, 1, false, 3, "f\xe9o", 3, out), JS_OK);
        assert_string_equal(out, "f\u00e9o");
        assert_int_equal(read_str(minor, 2, false, 4, greek, sizeof greek, out), JS_OK);
        assert_string_equal(out, "\u03c0r\ufffd\u20ac");
        assert_int_equal(read_str(minor, 4, false, 4, wide, sizeof wide, out), JS_OK);
        assert_string_equal(out, "\U0001f40dx\U0010ffff\ufffd");
        assert_int_equal(read_str(minor, 3, false, 1, "abc", 3, out), JS_EBAD);
        assert_int_equal(read_str(minor, 0, false, 1, "abc", 3, out), JS_EBAD);
        assert_int_equal(read_str(minor, 1, true, 4000, "abc", 3, out), JS_EFAULT);
        assert_int_equal(read_str(minor, 1, true, UINT64_MAX, "abc", 3, out), JS_EBAD);
    }
}

static void strings_of_free_threaded_builds_become_utf8(void **state)
{
    (void)state;
    char out[JS_PYTHON_NAME_LIMIT + 4];
    const uint16_t greek[] = {0x3c0, 'r'};
    for (uint32_t minor = JS_PYTHON_3_13; minor <= JS_PYTHON_3_14; minor++) {
        const js_python_offsets *o = js_python_offsets_of(minor, true);
        assert_int_equal(read_str_of(o, 1, true, 3, "foo", 3, out), JS_OK);
        assert_string_equal(out, "foo");
        assert_int_equal(read_str_of(o, 2, false, 2, greek, sizeof greek, out), JS_OK);
        assert_string_equal(out, "\u03c0r");
    }
}

static void only_versions_with_such_a_build_have_its_row(void **state)
{
    (void)state;
    for (uint32_t minor = JS_PYTHON_3_9; minor <= JS_PYTHON_3_15 + 1; minor++) {
        const js_python_offsets *with = js_python_offsets_of(minor, false);
        const js_python_offsets *without = js_python_offsets_of(minor, true);
        assert_true((with != NULL) == (minor <= JS_PYTHON_3_15));
        assert_true((without != NULL) == (minor >= JS_PYTHON_3_13 && minor <= JS_PYTHON_3_14));
        assert_true(!without || (without->version == minor && without->free_threaded == 1));
    }
}

static void long_names_are_cut_between_characters(void **state)
{
    (void)state;
    char out[JS_PYTHON_NAME_LIMIT + 4];
    uint16_t euros[JS_PYTHON_NAME_LIMIT + 1];
    for (size_t i = 0; i <= JS_PYTHON_NAME_LIMIT; i++) {
        euros[i] = 0x20ac;
    }
    assert_int_equal(read_str(JS_PYTHON_3_11, 2, false, JS_PYTHON_NAME_LIMIT + 1, euros, sizeof euros, out),
                     JS_OK);
    assert_int_equal(strlen(out), JS_PYTHON_NAME_LIMIT / 3 * 3 + 3);
    assert_string_equal(out + strlen(out) - 6, "\u20ac\u2026");
    memset(euros, 'a', sizeof euros);
    assert_int_equal(
        read_str(JS_PYTHON_3_11, 1, true, JS_PYTHON_NAME_LIMIT, euros, JS_PYTHON_NAME_LIMIT, out), JS_OK);
    assert_int_equal(strlen(out), JS_PYTHON_NAME_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_of_every_kind_become_utf8),
        cmocka_unit_test(strings_of_free_threaded_builds_become_utf8),
        cmocka_unit_test(only_versions_with_such_a_build_have_its_row),
        cmocka_unit_test(long_names_are_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
