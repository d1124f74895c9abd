/* values/objects/object.c: objects of CPython in memory that is written by hand or damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "values_fixture.h"

/* Live objects of the machine's interpreters are in tests/oracle/test_python_objects.py. Here are objects as
 * CPython 3.14.8 wrote them. */

enum { TYPE = 0, TUPLE = 64, STR = 128, BASES = 192, NAMES = 200, OBJECT = 256 };

static uint64_t at(size_t word)
{
    return BASE + 8 * word;
}

/* Write a class: tp_name, tp_basicsize and tp_itemsize (Include/cpython/object.h); NAMES has room for eight
 * bytes of each name. */
static void put_class(fixture *f, size_t word, const char *name, uint64_t size, uint64_t item)
{
    size_t label = NAMES + word / 64;
    strcpy((char *)&f->memory[label], name);
    f->memory[word] = 1;
    f->memory[word + 1] = at(TYPE);
    f->memory[word + 3] = at(label);
    f->memory[word + 4] = size;
    f->memory[word + 5] = item;
    f->memory[word + 42] = at(BASES);
}

static int create_classes(void **state)
{
    int status = create(state);
    fixture *f = *state;
    put_class(f, TYPE, "type", 936, 40);
    put_class(f, TUPLE, "tuple", 32, 8);
    put_class(f, STR, "str", 64, 0);
    f->memory[BASES + 1] = at(TUPLE);
    return status;
}

static void expect(fixture *f, const char *expected)
{
    const uint64_t object = at(OBJECT);
    char *text;
    js_api_render(f->types, &f->bytes, "pyobject", NULL, &object, sizeof object, NULL, NULL, 0, &text, NULL);
    assert_string_equal(text, expected);
    js_free(text);
}

/* The bytes after a str's state may have any contents. */
static void strings_of_3_14(void **state)
{
    fixture *f = *state;
    const uint64_t abc[] = {0x00010000c0000000, at(STR),         3, 0x932343ad189fd592,
                            0x0027343638706366, 0x5f5f6300636261};
    memcpy(&f->memory[OBJECT], abc, sizeof abc);
    expect(f, "'abc'");
    const uint64_t smile[] = {3, at(STR), 1, 0x7976fb93e2ebd251, 0x30, 0, 0, 0x1f600};
    memcpy(&f->memory[OBJECT], smile, sizeof smile);
    expect(f, "'\xf0\x9f\x98\x80'");
}

static void tuples_of_3_14_keep_their_hash(void **state)
{
    fixture *f = *state;
    const uint64_t pair[] = {2, at(TUPLE), 2, 0xcebcabab205f9f43, at(OBJECT + 8), at(OBJECT)};
    const uint64_t text[] = {1, at(STR), 1, (uint64_t)-1, 0x64, 0x78};
    memcpy(&f->memory[OBJECT], pair, sizeof pair);
    memcpy(&f->memory[OBJECT + 8], text, sizeof text);
    expect(f, "('x', (...))");
}

/* tp_dictoffset counts from an end that is at no valid address. */
static void sizes_of_a_damaged_class(void **state)
{
    enum { CLASS = 320 };
    fixture *f = *state;
    put_class(f, CLASS, "Foo", (uint64_t)1 << 63, 0);
    f->memory[CLASS + 36] = (uint64_t)1 << 63;
    const uint64_t head[] = {1, at(CLASS), 0};
    memcpy(&f->memory[OBJECT], head, sizeof head);
    expect(f, "<Foo object at 0x10800>");
    const uint64_t object = at(OBJECT);
    char *text;
    js_api_render(f->types, &f->bytes, "pyobject", NULL, &object, 8, NULL, NULL, 1, &text, NULL);
    assert_string_equal(text, "\"<Foo object at 0x10800>\"");
    js_free(text);
}

/* Objects share their classes; a rendering that costs too much ends, and shows that. */
static void objects_are_read_within_a_bound(void **state)
{
    enum { COUNT = 100, TEXTS = OBJECT + 8 + COUNT };
    fixture *f = *state;
    const uint64_t head[] = {1, at(TUPLE), COUNT, 0};
    memcpy(&f->memory[OBJECT], head, sizeof head);
    for (size_t i = 0; i < COUNT; i++) {
        const uint64_t text[] = {1, at(STR), 1, (uint64_t)-1, 0x64, 'x'};
        memcpy(&f->memory[TEXTS + 8 * i], text, sizeof text);
        f->memory[OBJECT + 4 + i] = at(TEXTS + 8 * i);
    }
    char whole[6 * COUNT] = "(";
    for (size_t i = 0; i < COUNT; i++) {
        strcat(whole, i + 1 < COUNT ? "'x', " : "'x')");
    }
    expect(f, whole);
    assert_in_range(f->bytes.reads, 1, COUNT);
    f->bytes.effort = 20 * JS_CALL;
    const uint64_t object = at(OBJECT);
    char *text;
    int exact = 1;
    js_api_render(f->types, &f->bytes, "pyobject", NULL, &object, 8, NULL, NULL, 0, &text, &exact);
    assert_memory_equal(text, "('x', 'x', ", 11);
    assert_string_equal(text + strlen(text) - 3, "...");
    assert_null(strstr(text, "unreadable"));
    assert_int_equal(exact, 0);
    js_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(strings_of_3_14, create_classes, destroy),
        cmocka_unit_test_setup_teardown(tuples_of_3_14_keep_their_hash, create_classes, destroy),
        cmocka_unit_test_setup_teardown(sizes_of_a_damaged_class, create_classes, destroy),
        cmocka_unit_test_setup_teardown(objects_are_read_within_a_bound, create_classes, destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
