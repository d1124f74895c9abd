/* layouts/type.c: types of Numba's texts, with their sizes, members and names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "layouts/type.h"

/* Comparisons with Numba itself are in tests/oracle/test_types_against_numba.py. */
static const struct row {
    const char *name, *storage;
    js_kind kind;
    js_shape shape;
    uint64_t size, align, last; /* last member's offset */
} rows[] = {
    {"int64", NULL, JS_KIND_INT, JS_SHAPE_INT, 8, 8, 0},
    {"boolean", "i1", JS_KIND_BOOL, JS_SHAPE_BOOL, 1, 1, 0},
    {"complex64", NULL, JS_KIND_COMPLEX, JS_SHAPE_COMPLEX, 8, 4, 4},
    {"Tuple(int8, int64, bool)", NULL, JS_KIND_TUPLE, JS_SHAPE_STRUCT, 24, 8, 16},
    {"UniTuple([unichr x 2] x 3)", NULL, JS_KIND_TUPLE, JS_SHAPE_ARRAY, 24, 4, 16},
    {"Tuple()", "{}", JS_KIND_TUPLE, JS_SHAPE_STRUCT, 0, 1, 0},
    {"array(float64, 2d, C)", NULL, JS_KIND_ARRAY, JS_SHAPE_STRUCT, 72, 8, 56},
    {"Array(float64, 1, 'C', False, aligned=True)", NULL, JS_KIND_ARRAY, JS_SHAPE_STRUCT, 56, 8, 48},
    {"unaligned readonly array(int8, 0d, A)", NULL, JS_KIND_ARRAY, JS_SHAPE_STRUCT, 40, 8, 40},
    {"readonly bytes(uint8, 1d, C)", NULL, JS_KIND_BYTES, JS_SHAPE_STRUCT, 56, 8, 48},
    {"unicode_type", NULL, JS_KIND_STR, JS_SHAPE_STRUCT, 48, 8, 40},
    {"?int64", NULL, JS_KIND_OPTIONAL, JS_SHAPE_STRUCT, 16, 8, 8},
    {"Record(a[type=int64;offset=0];8;False)", NULL, JS_KIND_POINTER, JS_SHAPE_POINTER, 8, 8, 0},
    {"Record(a[type=int64;offset=0];8;False)", "[8 x i8]*", JS_KIND_POINTER, JS_SHAPE_POINTER, 8, 8, 0},
    {"Record(a[type=int64;offset=0];8;False)", "[8 x i8]", JS_KIND_RECORD, JS_SHAPE_STRUCT, 8, 1, 0},
    {"Record(a[type=int64;offset=4];8;False)", NULL, JS_KIND_OPAQUE, JS_SHAPE_OPAQUE, 0, 1, 0},
    {"IntEnum<int32>(Color)", NULL, JS_KIND_ENUM, JS_SHAPE_INT, 4, 4, 0},
    {"Enum<UniTuple(int64 x 2)>(Corner)", "[2 x i64]", JS_KIND_ENUM, JS_SHAPE_STRUCT, 16, 8, 8},
    {"whatever", "{i8, i32}", JS_KIND_STRUCT, JS_SHAPE_STRUCT, 8, 4, 4},
    {"whatever", NULL, JS_KIND_OPAQUE, JS_SHAPE_OPAQUE, 0, 1, 0},
    {"{i8, <{i8, i64}>, i16}", NULL, JS_KIND_STRUCT, JS_SHAPE_STRUCT, 12, 2, 10},
    {"{i8*, i64 (i8*, i32)*, ptr, [2 x double]}", NULL, JS_KIND_STRUCT, JS_SHAPE_STRUCT, 40, 8, 24},
    {"<4 x float>", NULL, JS_KIND_OPAQUE, JS_SHAPE_OPAQUE, 16, 16, 0},
    {"i128", NULL, JS_KIND_OPAQUE, JS_SHAPE_OPAQUE, 16, 16, 0},
    {"ValueError(...)", "i8*", JS_KIND_OPAQUE, JS_SHAPE_POINTER, 8, 8, 0},
};

static void texts_lie_as_said(void **state)
{
    js_types *types = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const js_type *type;
        assert_int_equal(js_types_get(types, rows[i].name, rows[i].storage, &type), JS_OK);
        assert_string_equal(type->name, rows[i].name);
        assert_int_equal(type->kind, rows[i].kind);
        assert_int_equal(type->shape, rows[i].shape);
        assert_int_equal(type->size, rows[i].size);
        assert_int_equal(type->align, rows[i].align);
        uint64_t last = type->nmembers ? type->members[type->nmembers - 1].offset : 0;
        assert_int_equal(last, rows[i].last);
    }
}

static void a_text_is_parsed_once(void **state)
{
    const js_type *one, *two;
    assert_int_equal(js_types_get(*state, "Tuple(int64, float64)", NULL, &one), JS_OK);
    assert_int_equal(js_types_get(*state, "Tuple(int64, float64)", NULL, &two), JS_OK);
    assert_ptr_equal(one, two);
}

static void records_lie_inline_in_arrays(void **state)
{
    const js_type *type, *data;
    assert_int_equal(js_types_get(*state,
                                  "array(Record(a[type=int8;offset=0],b[type=nestedarray(int16, (2, 3));"
                                  "offset=2];14;False), 1d, C)",
                                  NULL, &type),
                     JS_OK);
    assert_int_equal(type->target->kind, JS_KIND_RECORD);
    assert_int_equal(type->target->size, 14);
    const js_type *nested = type->target->members[1].type;
    assert_int_equal(nested->kind, JS_KIND_ARRAY);
    assert_int_equal(nested->count, 6);
    assert_int_equal(nested->dims[1], 3);
    assert_int_equal(js_types_get_data(*state, "Record(a[type=int8;offset=0];1;False)", &data), JS_OK);
    assert_int_equal(data->kind, JS_KIND_RECORD);
}

static void named_tuples_take_their_fields(void **state)
{
    static const char *const names[] = {"x", "y"};
    const js_type *type;
    assert_int_equal(js_types_set_fields(*state, "Point", names, 2), JS_OK);
    assert_int_equal(js_types_get(*state, "Point(int64 x 2)", NULL, &type), JS_OK);
    assert_string_equal(type->class_name, "Point");
    assert_string_equal(type->members[1].name, "y");
    assert_int_equal(js_types_get(*state, "Point(int64 x 3)", NULL, &type), JS_OK);
    assert_string_equal(type->members[1].name, "f1");
}

static void what_a_unit_tells_is_believed_while_it_is_read(void **state)
{
    static const char *const first[] = {"a", "b"}, *const second[] = {"c", "d"};
    const js_type *type;
    for (unsigned turn = 0; turn < 2; turn++) { /* an equal description is no other class */
        assert_int_equal(js_types_set_parts(*state, "Told(int64 x 2)", first, 2), JS_OK);
        js_types_end_parts(*state);
        assert_int_equal(js_types_get(*state, "Told(int64 x 2)", NULL, &type), JS_OK);
        assert_string_equal(type->members[1].name, "b");
    }
    assert_int_equal(js_types_set_parts(*state, "Told(int64 x 2)", second, 2), JS_OK);
    assert_int_equal(js_types_get(*state, "Told(int64 x 2)", NULL, &type), JS_OK);
    assert_string_equal(type->members[1].name, "d");
    js_types_end_parts(*state);
    assert_int_equal(js_types_get(*state, "Told(int64 x 2)", NULL, &type), JS_OK);
    assert_string_equal(type->members[1].name, "f1");
}

static void the_name_in_debug_information_splits(void **state)
{
    (void)state;
    static const struct {
        const char *text, *storage;
    } cases[] = {
        {"array(float64, 1d, C) ({i8*, i64})", "{i8*, i64}"},
        {"int64 (i64)", "i64"},
        {"Tuple(int64, float64)", NULL},
        {"f (a) (b) ({i8*})", "{i8*}"},
        {"", NULL},
        {")", NULL},
        {" ()", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t length, storage_length;
        const char *storage;
        js_type_name_split(cases[i].text, strlen(cases[i].text), &length, &storage, &storage_length);
        if (cases[i].storage) {
            assert_int_equal(storage_length, strlen(cases[i].storage));
            assert_memory_equal(storage, cases[i].storage, storage_length);
            assert_memory_equal(cases[i].text + length, " (", 2);
        } else {
            assert_null(storage);
            assert_int_equal(length, strlen(cases[i].text));
        }
    }
}

static void hostile_texts_are_bounded(void **state)
{
    js_types *types = *state;
    const js_type *type;
    char *deep = malloc(200001);
    for (size_t i = 0; i < 100000; i++) {
        deep[i] = '{';
        deep[100000 + i] = '}';
    }
    deep[200000] = '\0';
    assert_int_equal(js_types_get(types, deep, NULL, &type), JS_ELIMIT);
    for (size_t i = 0; i + 6 <= 200000; i += 6) {
        memcpy(deep + i, "Tuple(", 6);
    }
    assert_int_not_equal(js_types_get(types, deep, NULL, &type), JS_ENOMEM);
    free(deep);
    char *huge = malloc((size_t)(2 << 20) + 1);
    memset(huge, 'a', 2 << 20);
    huge[2 << 20] = '\0';
    assert_int_equal(js_types_get(types, huge, NULL, &type), JS_ELIMIT);
    free(huge);
    assert_int_equal(js_types_get(types, "UniTuple(int64 x 9999999)", NULL, &type), JS_ELIMIT);
    assert_int_equal(js_types_get(types, "[9999999999999 x i64]", NULL, &type), JS_ELIMIT);
    assert_int_equal(js_types_get(types, "[char x 99999999999999999999999]", NULL, &type), JS_OK);
    assert_int_equal(type->kind, JS_KIND_OPAQUE);
    assert_int_equal(js_types_get(types, NULL, NULL, &type), JS_EARG);
}

static int create(void **state)
{
    return js_types_create((js_types **)state);
}

static int destroy(void **state)
{
    js_types_destroy(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(texts_lie_as_said, create, destroy),
        cmocka_unit_test_setup_teardown(a_text_is_parsed_once, create, destroy),
        cmocka_unit_test_setup_teardown(records_lie_inline_in_arrays, create, destroy),
        cmocka_unit_test_setup_teardown(named_tuples_take_their_fields, create, destroy),
        cmocka_unit_test_setup_teardown(what_a_unit_tells_is_believed_while_it_is_read, create, destroy),
        cmocka_unit_test(the_name_in_debug_information_splits),
        cmocka_unit_test_setup_teardown(hostile_texts_are_bounded, create, destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
