/* session/registered.c: lists of GDB's JIT interface that this process has made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "jitscope.h"
#include "program/session/jit_list.h"
#include "program/session/registered.h"

enum { NOTHING = 0, REGISTER = 1, UNREGISTER = 2 };

static uint64_t address_of(const void *object)
{
    return (uint64_t)(uintptr_t)object;
}

typedef struct fixture {
    js_bytes bytes;
    js_program *program;
    js_registered *registered;
} fixture;

static void fixture_init(fixture *ctx)
{
    assert_int_equal(js_bytes_init_process(&ctx->bytes, getpid()), JS_OK);
    assert_int_equal(js_program_create(&ctx->program), JS_OK);
    assert_int_equal(js_registered_create(&ctx->registered), JS_OK);
}

static void fixture_deinit(fixture *ctx)
{
    js_registered_destroy(ctx->registered);
    js_program_destroy(ctx->program);
    js_bytes_deinit(&ctx->bytes);
}

static const js_registered_counts *update(fixture *ctx, const js_jit_descriptor *descriptor)
{
    uint64_t address = address_of(descriptor);
    assert_int_equal(js_registered_update(ctx->registered, ctx->program, &ctx->bytes, &address, 1), JS_OK);
    assert_true(js_registered_is_current(ctx->registered, &ctx->bytes));
    return js_registered_counted(ctx->registered);
}

/* Make a list of entries, the first of them first. */
static void link_entries(js_jit_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        entries[i].next = i + 1 < count ? address_of(&entries[i + 1]) : 0;
    }
}

static void test_entries_that_hold_nothing(void **state)
{
    (void)state;
    static char image[100 << 10];
    fixture ctx;
    js_jit_entry entries[] = {{.image = 8, .size = 100},
                              {.image = address_of(image), .size = sizeof image},
                              {.image = address_of(image), .size = UINT64_MAX - 1},
                              {.image = UINT64_MAX - 8, .size = 1 << 20},
                              {.image = address_of(image), .size = 0}};
    js_jit_descriptor descriptor = {1, REGISTER, address_of(entries), address_of(entries)};
    fixture_init(&ctx);
    link_entries(entries, 5);
    const js_registered_counts *counts = update(&ctx, &descriptor);
    assert_int_equal(counts->entries, 5);
    assert_int_equal(counts->left_out, 5);
    assert_int_equal(counts->objects, 0);
    assert_false(counts->is_cut || counts->is_torn);
    entries[4].next = address_of(&entries[2]); /* a circle that does not hold the first entry */
    descriptor.action = UNREGISTER;
    counts = update(&ctx, &descriptor);
    assert_int_equal(counts->entries, 5);
    assert_false(counts->is_cut);
    entries[4].next = 16; /* an entry that is not mapped */
    counts = update(&ctx, &descriptor);
    assert_int_equal(counts->entries, 5);
    assert_true(counts->is_cut);
    descriptor.first = 0;
    assert_int_equal(update(&ctx, &descriptor)->entries, 0);
    fixture_deinit(&ctx);
}

static void test_descriptors_that_are_none(void **state)
{
    (void)state;
    fixture ctx;
    js_jit_descriptor newer = {2, REGISTER, 8, 8}, empty = {1, NOTHING, 0, 0};
    uint64_t addresses[JS_REGISTERED_LISTS + 1] = {address_of(&newer), 24};
    fixture_init(&ctx);
    assert_int_equal(js_registered_update(ctx.registered, ctx.program, &ctx.bytes, addresses, 2), JS_EFAULT);
    assert_false(js_registered_is_current(ctx.registered, &ctx.bytes));
    addresses[1] = address_of(&empty);
    assert_int_equal(js_registered_update(ctx.registered, ctx.program, &ctx.bytes, addresses, 2), JS_OK);
    assert_true(js_registered_is_current(ctx.registered, &ctx.bytes));
    assert_int_equal(js_registered_update(ctx.registered, ctx.program, &ctx.bytes, addresses, 0), JS_OK);
    assert_int_equal(
        js_registered_update(ctx.registered, ctx.program, &ctx.bytes, addresses, JS_REGISTERED_LISTS + 1),
        JS_EARG);
    fixture_deinit(&ctx);
}

/* Each change after which the lists are not current, among them those that leave the descriptor as it was. */
static void test_changes(void **state)
{
    (void)state;
    static char images[3][100 << 10];
    fixture ctx;
    js_jit_entry entries[3];
    js_jit_descriptor descriptor = {1, REGISTER, address_of(entries), address_of(entries)};
    for (size_t i = 0; i < 3; i++) {
        entries[i] = (js_jit_entry){.image = address_of(images[i]), .size = sizeof images[i]};
    }
    fixture_init(&ctx);
    link_entries(entries, 3);
    update(&ctx, &descriptor);
    images[0][sizeof images[0] - 1] = 1; /* another object at the newest one's place */
    assert_false(js_registered_is_current(ctx.registered, &ctx.bytes));
    update(&ctx, &descriptor);
    images[0][16] = 1;
    assert_false(js_registered_is_current(ctx.registered, &ctx.bytes));
    update(&ctx, &descriptor);
    entries[0].size--;
    assert_false(js_registered_is_current(ctx.registered, &ctx.bytes));
    update(&ctx, &descriptor);
    descriptor.action = UNREGISTER;
    descriptor.relevant = 4096;
    assert_false(js_registered_is_current(ctx.registered, &ctx.bytes));
    update(&ctx, &descriptor);
    link_entries(entries, 2); /* the third has gone, and what is said to have gone last is the same */
    assert_false(js_registered_is_current(ctx.registered, &ctx.bytes));
    assert_int_equal(update(&ctx, &descriptor)->entries, 2);
    fixture_deinit(&ctx);
}

static void test_objects_of_this_process(void **state)
{
    (void)state;
    fixture ctx;
    uint64_t descriptors[JS_REGISTERED_LISTS], handles[2];
    size_t count;
    jitscope_function function;
    jitscope_function_init(&function);
    fixture_init(&ctx);
    for (size_t i = 0; i < 2; i++) {
        function.name = i ? "second" : "first";
        function.low = 0x1000 * (i + 1);
        function.high = function.low + 16;
        assert_int_equal(jitscope_function_register(&function, &handles[i]), JITSCOPE_OK);
    }
    assert_int_equal(js_registered_find_descriptors(getpid(), descriptors, 1, &count), JS_OK);
    assert_int_equal(count, 1);
    assert_int_equal(js_registered_update(ctx.registered, ctx.program, &ctx.bytes, descriptors, count),
                     JS_OK);
    assert_int_equal(js_registered_counted(ctx.registered)->added, 2);
    assert_non_null(js_program_function(ctx.program, 0x1004));
    /* a function at the same addresses, in the same memory, is another object */
    assert_int_equal(jitscope_function_unregister(handles[1]), JITSCOPE_OK);
    assert_int_equal(jitscope_function_register(&function, &handles[1]), JITSCOPE_OK);
    assert_false(js_registered_is_current(ctx.registered, &ctx.bytes));
    assert_int_equal(js_registered_update(ctx.registered, ctx.program, &ctx.bytes, descriptors, count),
                     JS_OK);
    assert_int_equal(js_registered_counted(ctx.registered)->added, 1);
    assert_int_equal(js_registered_counted(ctx.registered)->removed, 1);
    assert_int_equal(js_registered_counted(ctx.registered)->objects, 2);
    /* a newer object covers an older one's code */
    function.low = 0x1000;
    function.name = "third";
    uint64_t third;
    assert_int_equal(jitscope_function_register(&function, &third), JITSCOPE_OK);
    assert_int_equal(js_registered_update(ctx.registered, ctx.program, &ctx.bytes, descriptors, count),
                     JS_OK);
    assert_int_equal(js_registered_counted(ctx.registered)->objects, 1);
    assert_int_equal(js_registered_counted(ctx.registered)->left_out, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(jitscope_function_unregister(handles[i]), JITSCOPE_OK);
    }
    assert_int_equal(jitscope_function_unregister(third), JITSCOPE_OK);
    assert_int_equal(js_registered_find_descriptors(-1, descriptors, 1, &count), JS_ESYS);
    assert_int_equal(count, 0);
    fixture_deinit(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries_that_hold_nothing),
        cmocka_unit_test(test_descriptors_that_are_none),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_objects_of_this_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
