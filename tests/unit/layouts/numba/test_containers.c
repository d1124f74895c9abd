/* layouts/numba/containers.c: lists, sets and dicts in memory that is written by hand or damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "values_fixture.h"

/* Comparisons with Numba's own containers are in tests/oracle/test_containers_against_numba.py. */

static uint64_t at(size_t word)
{
    return BASE + 8 * word;
}

static void expect(fixture *f, const char *name, const void *contents, size_t size, const char *path,
                   int json, const char *expected)
{
    char *text;
    int exact;
    js_api_render(f->types, &f->bytes, name, NULL, contents, size, path, NULL, json, &text, &exact);
    assert_string_equal(text, expected);
    js_free(text);
}

static void ranges_and_iterators(void **state)
{
    fixture *f = *state;
    const int64_t range[] = {0, 10, 1}, by_two[] = {0, 10, 2};
    expect(f, "range_state_int64", range, sizeof range, NULL, 0, "range(0, 10)");
    expect(f, "range_state_int64", by_two, sizeof by_two, NULL, 0, "range(0, 10, 2)");
    f->memory[1] = 4;
    f->memory[2] = 3;
    const uint64_t iterator[] = {at(1), 10, 2, at(2)};
    const char *shown = "<range_iterator object: next=4, stop=10, step=2, left=3>";
    expect(f, "range_iter_int64", iterator, sizeof iterator, NULL, 0, shown);
    expect(f, "range_iter_int64", iterator, sizeof iterator, ".next", 0, "4");
    const uint64_t enumerate[] = {at(2), at(1), 10, 2, at(2)};
    expect(f, "enumerate(range_iter_int64)", enumerate, sizeof enumerate, NULL, 0,
           "<enumerate object: count=3, iter=<range_iterator object: next=4, stop=10, step=2, left=3>>");
    const uint64_t lost[] = {8, 10, 2, at(2)};
    expect(f, "range_iter_int64", lost, sizeof lost, NULL, 0,
           "<range_iterator object: next=<unreadable: 0x8 (8 bytes)>, stop=10, step=2, left=3>");
}

static void generators_say_where_they_wait(void **state)
{
    fixture *f = *state;
    const char *name = "int64 generator(func=<function count at 0x7f00>, args=(int64,), has_finalizer=True)";
    f->memory[4] = 2;
    f->memory[5] = 7;
    const uint64_t pointer = at(4);
    expect(f, name, &pointer, 8, NULL, 0,
           "<generator object count: suspended at yield 2, <unknown: its code does not show the line>, "
           "arguments (7,)>");
    f->memory[4] = 0;
    expect(f, name, &pointer, 8, NULL, 0, "<generator object count: not started, arguments (7,)>");
    f->memory[4] = UINT32_MAX;
    expect(f, name, &pointer, 8, NULL, 0, "<generator object count: finished>");
}

static void lists_are_checked(void **state)
{
    fixture *f = *state;
    f->memory[0] = 1;     /* MemInfo: refct */
    f->memory[3] = at(8); /* data */
    f->memory[8] = 3;     /* payload: size */
    f->memory[9] = 4;     /* allocated */
    memcpy(&f->memory[11], (const int64_t[]){5, -6, 7}, 24);
    const uint64_t list[] = {at(0), 0};
    const char *name = "reflected list(int64)<iv=None>";
    expect(f, name, list, sizeof list, NULL, 0, "[5, -6, 7]");
    expect(f, name, list, sizeof list, "[-1]", 0, "7");
    expect(f, name, list, sizeof list, NULL, 1, "{\"list\": [5, -6, 7], \"length\": 3}");
    f->memory[8] = 5;
    expect(f, name, list, sizeof list, NULL, 0, "<unknown: length 5 where there is room for 4>");
    f->memory[8] = (uint64_t)-1;
    expect(f, name, list, sizeof list, NULL, 0, "<unknown: negative length -1>");
    f->memory[8] = 1;
    f->memory[0] = 0;
    expect(f, name, list, sizeof list, NULL, 0, "<unknown: its memory was freed>");
}

static void structures_without_a_name(void **state)
{
    fixture *f = *state;
    memcpy(f->memory, (const double[]){1.0, 2.5, -3.0, 4.0}, 32);
    const uint64_t array[] = {0, 0, 4, 8, at(0), 2, 2, 16, 8};
    expect(f, "{i8*, i8*, i64, i64, double*, [2 x i64], [2 x i64]}", array, sizeof array, NULL, 0,
           "array([[1., 2.5], [-3., 4.]])");
    memcpy(&f->memory[8], "abc", 3);
    const uint64_t text[] = {at(8), 3, 1 | (uint64_t)1 << 32, 0, 0, 0};
    expect(f, "{i8*, i64, i32, i32, i64, i8*, i8*}", text, sizeof text, NULL, 0, "'abc'");
    expect(f, "{double, double}", f->memory, 16, NULL, 0, "(1+2.5j)");
    expect(f, "[3 x double]", f->memory, 24, NULL, 0, "(1.0, 2.5, -3.0)");
    expect(f, "{i8*, i8*}", f->memory, 16, NULL, 0, "{f0 = 0x3ff0000000000000, f1 = 0x4004000000000000}");
}

/* Types of every family, over memory whose pointers lead anywhere. */
static const char *const names[] = {
    "pyobject",
    "UniTuple(pyobject x 3)",
    "ListType[int64]",
    "ListType[unicode_type]",
    "ListType[ListType[array(float64, 2d, A)]]",
    "DictType[int64,unicode_type]<iv=None>",
    "DictType[UniTuple(int64 x 2),ListType[int8]]<iv=None>",
    "SetType[int64]<iv=None>",
    "reflected list(list(int64)<iv=None>)<iv=None>",
    "reflected set(float64)",
    "set(Tuple(int8, int64, bool))",
    "instance.jitclass.Foo#7f<x:int64,l:ListType[OptionalType(int64)],b:bool>",
    "numba.Node(('x', int64), ('d', DictType(int64, ListType[int64])))",
    "enumerate(iter(list(int64)<iv=None>))",
    "zip(range_state_int64, array(float64, 1d, C), unicode_type)",
    "iter[DictType[int64,int64]<iv=None>->int64],keys[x]",
    "array.flat(array(float64, 2d, A))",
    "ndenumerate(array(float64, 2d, C))",
    "ndindex(ndim=3)",
    "iter_unicode",
    "memory-managed *int64",
    "FunctionType[int64(int64)]",
    "ListType[Tuple()]",
    ("int64 generator(func=<function g at 0x7f>, args=(array(float64, 1d, C), ListType(int64)), "
     "has_finalizer=True)"),
};

static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

/* Return a word of hostile memory: a pointer into it, a small number, or a large one. */
static uint64_t word(uint64_t *seed)
{
    uint64_t kind = next(seed) % 8, number = next(seed);
    return kind < 4    ? at(number % WORDS)
           : kind < 6  ? number % 300
           : kind == 6 ? (uint64_t) - (int64_t)(number % 4)
                       : number;
}

static void hostile_memory_ends(void **state)
{
    fixture *f = *state;
    uint64_t seed = 88172645463325252U;
    static const char *const paths[] = {NULL, "[0]",   "[-1]",   "[5:1:-2]", "['k']",
                                        ".x", ".d[3]", ".index", ".count"};
    for (unsigned round = 0; round < 300; round++) {
        for (size_t i = 0; i < WORDS; i++) {
            f->memory[i] = word(&seed);
        }
        for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
            uint64_t contents[64];
            for (size_t i = 0; i < 64; i++) {
                contents[i] = word(&seed);
            }
            char *text;
            int exact;
            f->bytes.wanted = 0;
            for (int json = 0; json < 2; json++) {
                js_api_render(f->types, &f->bytes, names[n], NULL, contents, sizeof contents,
                              paths[round % (sizeof paths / sizeof paths[0])], NULL, json, &text, &exact);
                js_free(text);
            }
            js_api_children(f->types, &f->bytes, names[n], NULL, contents, sizeof contents, NULL, &text);
            js_free(text);
            assert_true(f->bytes.wanted < 64 << 20);
        }
    }
}

/* Like the test above, with names that no compiler has written. */
static void hostile_names_end(void **state)
{
    fixture *f = *state;
    uint64_t seed = 1181783497276652981U, contents[64];
    static const char bytes[] = "()[]{}<>,:;#'\"*x 019-=.ifLDTs";
    for (size_t i = 0; i < WORDS; i++) {
        f->memory[i] = word(&seed);
    }
    for (unsigned round = 0; round < 20000; round++) {
        const char *from = names[next(&seed) % (sizeof names / sizeof names[0])];
        char name[512], *text;
        size_t size = strlen(from);
        assert_true(size < sizeof name);
        memcpy(name, from, size + 1);
        for (unsigned edits = 1 + next(&seed) % 4; edits && size > 1; edits--) {
            size_t place = next(&seed) % size;
            if (next(&seed) % 3 == 0) {
                memmove(name + place, name + place + 1, size - place);
                size--;
            } else {
                name[place] = bytes[next(&seed) % (sizeof bytes - 1)];
            }
        }
        for (size_t i = 0; i < 64; i++) {
            contents[i] = word(&seed);
        }
        int exact;
        js_api_render(f->types, &f->bytes, name, NULL, contents, sizeof contents, NULL, NULL, round % 2,
                      &text, &exact);
        js_free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ranges_and_iterators, create, destroy),
        cmocka_unit_test_setup_teardown(generators_say_where_they_wait, create, destroy),
        cmocka_unit_test_setup_teardown(lists_are_checked, create, destroy),
        cmocka_unit_test_setup_teardown(structures_without_a_name, create, destroy),
        cmocka_unit_test_setup_teardown(hostile_memory_ends, create, destroy),
        cmocka_unit_test_setup_teardown(hostile_names_end, create, destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
