/* values/base/items.c: containers whose memory says what cannot be, and those that are too large to search.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "values_fixture.h"

static uint64_t at(size_t word)
{
    return BASE + 8 * word;
}

static void expect(fixture *f, const char *name, const void *contents, size_t size, const char *path,
                   const char *expected)
{
    char *text;
    int exact = -1;
    js_api_render(f->types, &f->bytes, name, NULL, contents, size, path, NULL, 0, &text, &exact);
    assert_string_equal(text, expected);
    assert_int_not_equal(exact, 1);
    js_free(text);
}

static void an_instance_that_is_too_large(void **state)
{
    fixture *f = *state;
    const uint64_t instance[] = {0, at(8)};
    expect(f, "instance.jitclass.Wide#7f<x:UniTuple(UniTuple(int64 x 1000) x 1000)>", instance,
           sizeof instance, NULL, "<unknown: it is larger than 1048576 bytes>");
}

static void instances_whose_class_cannot_be_read(void **state)
{
    fixture *f = *state;
    const uint64_t instance[] = {0, at(8)}, deferred[] = {at(0), at(8)};
    expect(f, "instance.jitclass.Node#7f<next:DeferredType#16,x:int64>", instance, sizeof instance, NULL,
           "<unknown: which class next is of>");
    expect(f, "DeferredType#16", deferred, sizeof deferred, NULL, "<unknown: its class cannot be read>");
}

static void a_list_whose_items_have_another_size(void **state)
{
    fixture *f = *state;
    const uint64_t list[] = {0, at(0)};
    memcpy(f->memory, (const uint64_t[]){2, 4, 2, 1, 0, 0, at(8)}, 56);
    expect(f, "ListType[int64]", list, sizeof list, NULL,
           "<unknown: its items have 4 bytes, and a int64 has 8>");
}

static void a_dict_that_has_fewer_entries_than_it_says(void **state)
{
    fixture *f = *state;
    const uint64_t dict[] = {0, at(0)};
    f->memory[0] = 3; /* used */
    f->memory[1] = at(8);
    /* size, usable, nentries, key_size, val_size, entry_size, entry_offset, 5 methods, then the entries */
    memcpy(&f->memory[8], (const uint64_t[]){8, 5, 3, 8, 8, 24, 0}, 56);
    const uint64_t deleted = UINT64_MAX;
    memcpy(&f->memory[20], (const uint64_t[]){5, 1, 10, deleted, 2, 20, 7, 3, 30}, 72);
    expect(f, "DictType[int64,int64]<iv=None>", dict, sizeof dict, NULL,
           "DictType[int64,int64]<iv=None>({1: 10, 3: 30, <unknown: only 2 of 3 items are there>})");
}

/* Give zeros, and at BASE a dict of more entries than are searched. */
static int read_large(void *context, uint64_t address, void *buffer, size_t size)
{
    const fixture *f = context;
    memset(buffer, 0, size);
    if (address >= BASE && address < BASE + 4096) {
        memcpy(buffer, (const char *)f->memory + (address - BASE), size < 4096 ? size : 4096);
    }
    return JS_OK;
}

static void a_key_that_is_not_among_the_first_entries(void **state)
{
    fixture *f = *state;
    const uint64_t dict[] = {0, at(0)}, count = 1 << 26;
    f->memory[0] = count;
    f->memory[1] = at(8);
    memcpy(&f->memory[8], (const uint64_t[]){count, 0, count, 8, 8, 24, 0}, 56);
    js_bytes_deinit(&f->bytes);
    assert_int_equal(js_bytes_init_callback(&f->bytes, read_large, f), JS_OK);
    char *text;
    int exact;
    int status = js_api_render(f->types, &f->bytes, "DictType[int64,int64]<iv=None>", NULL, dict, sizeof dict,
                               "[7]", NULL, 0, &text, &exact);
    assert_int_equal(status, JS_ELIMIT);
    unsigned first;
    int end = 0;
    sscanf(text, "the key is not among the first %u entries, and the others were not searched%n", &first,
           &end);
    assert_int_equal(end, strlen(text));
    assert_int_not_equal(end, 0);
    js_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_instance_that_is_too_large, create, destroy),
        cmocka_unit_test_setup_teardown(instances_whose_class_cannot_be_read, create, destroy),
        cmocka_unit_test_setup_teardown(a_list_whose_items_have_another_size, create, destroy),
        cmocka_unit_test_setup_teardown(a_dict_that_has_fewer_entries_than_it_says, create, destroy),
        cmocka_unit_test_setup_teardown(a_key_that_is_not_among_the_first_entries, create, destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
