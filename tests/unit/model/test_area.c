/* Locations of the compiler hook, read as LLVM writes them, written for debuggers, and evaluated on an area.
 */
#include <dwarf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arena_fixture.h"
#include "program/model/area.h"
#include "program/model/level.h"
#include "program/validity/locations/evaluate.h"

static js_area_slot *read_slot(const uint8_t *expr, size_t size)
{
    js_area_slot *slot;
    assert_int_equal(js_area_read(&arena, expr, size, &slot), JS_OK);
    return slot;
}

/* fbreg -16, and words at 8 and 16, and a value at 24 */
#define BASE DW_OP_fbreg, 0x70
static const uint8_t always[] = {BASE, DW_OP_plus_uconst, 24};
static const uint8_t with_word[] = {
    BASE, DW_OP_dup, DW_OP_plus_uconst, 8, DW_OP_deref, DW_OP_swap, DW_OP_plus_uconst, 24, DW_OP_and};
static const uint8_t with_two[] = {
    BASE, DW_OP_dup,   DW_OP_plus_uconst, 8,          DW_OP_deref,       DW_OP_over, DW_OP_plus_uconst,
    16,   DW_OP_deref, DW_OP_and,         DW_OP_swap, DW_OP_plus_uconst, 24,         DW_OP_and};

static void test_reading(void **state)
{
    (void)state;
    js_area_slot *slot = read_slot(always, sizeof always);
    assert_non_null(slot);
    assert_int_equal(slot->value, 24);
    assert_int_equal(slot->nwords, 0);
    slot = read_slot(with_word, sizeof with_word);
    assert_non_null(slot);
    assert_int_equal(slot->base_size, 2);
    assert_int_equal(slot->value, 24);
    assert_int_equal(slot->nwords, 1);
    assert_int_equal(slot->words[0], 8);
    slot = read_slot(with_two, sizeof with_two);
    assert_non_null(slot);
    assert_int_equal(slot->nwords, 2);
    assert_int_equal(slot->words[0], 8);
    assert_int_equal(slot->words[1], 16);
    const uint8_t in_register[] = {DW_OP_breg6, 0x10, DW_OP_dup, DW_OP_deref, DW_OP_swap, DW_OP_and};
    slot = read_slot(in_register, sizeof in_register);
    assert_non_null(slot);
    assert_int_equal(slot->words[0], 0);
    const uint8_t by_address[] = {BASE, DW_OP_deref, DW_OP_plus_uconst, 8};
    slot = read_slot(by_address, sizeof by_address);
    assert_non_null(slot);
    assert_int_equal(slot->base_size, 3);
    assert_int_equal(slot->value, 8);
}

static void test_others(void **state)
{
    (void)state;
    static const uint8_t others[][8] = {
        {DW_OP_reg3},
        {DW_OP_lit0, DW_OP_stack_value},
        {BASE, DW_OP_dup, DW_OP_deref}, /* the state itself */
        {BASE, DW_OP_dup, DW_OP_and},   /* a conjunction of addresses */
        {BASE, DW_OP_deref, DW_OP_deref},
        {BASE, DW_OP_swap},
        {BASE, DW_OP_plus_uconst, 0x80}, /* cut off */
        {BASE, DW_OP_lit8, DW_OP_and},
        {BASE, DW_OP_piece, 8},
    };
    static const size_t sizes[] = {1, 2, 4, 4, 4, 3, 4, 4, 4};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_null(read_slot(others[i], sizes[i]));
    }
    assert_null(read_slot(others[0], 0));
}

/* ---- written locations, evaluated on an area ---- */

static uint64_t area[4] = {0, 0, JS_AREA_ASSIGNED, 0x1122334455667788};
static const uint8_t frame_base[] = {DW_OP_reg7};

static int registers(void *context, unsigned regnum, void *buffer, size_t capacity)
{
    (void)context;
    uint64_t top = (uint64_t)(uintptr_t)area + 16;
    if (regnum != 7 || capacity < sizeof top) {
        return -1;
    }
    memcpy(buffer, &top, sizeof top);
    return sizeof top;
}

static int read_memory(void *context, uint64_t address, void *buffer, size_t size)
{
    (void)context;
    if (address < (uint64_t)(uintptr_t)area || address + size > (uint64_t)(uintptr_t)(area + 4)) {
        return JS_EFAULT;
    }
    memcpy(buffer, (const void *)(uintptr_t)address, size);
    return JS_OK;
}

static bool is_known(const uint8_t *expr, size_t size, uint64_t first, uint64_t second)
{
    js_bytes *memory;
    uint8_t known[8];
    uint64_t value;
    js_found_bytes found = {.contents = (uint8_t *)&value, .known = known, .size = sizeof value};
    size_t written;
    area[1] = first;
    area[2] = second;
    const uint8_t *location = js_area_location(&arena, read_slot(expr, size), &written);
    assert_non_null(location);
    assert_int_equal(js_bytes_create_callback(read_memory, NULL, &memory), JS_OK);
    js_frame frame = {.registers = registers, .memory = memory};
    assert_int_equal(js_evaluate(&frame, (js_dwarf_operators){frame_base, sizeof frame_base},
                                 (js_dwarf_operators){location, written}, &found),
                     JS_OK);
    js_bytes_destroy(memory);
    if (!known[0]) {
        assert_int_equal(value, 0);
        return false;
    }
    assert_int_equal(known[7], 1);
    assert_int_equal(value, 0x1122334455667788);
    assert_int_equal(found.address, (uint64_t)(uintptr_t)&area[3]); /* it can be written to */
    return true;
}

static void test_locations(void **state)
{
    (void)state;
    assert_true(is_known(always, sizeof always, 0, 0));
    const uint64_t assigned = JS_AREA_ASSIGNED;
    assert_int_equal(assigned, (uint64_t)-2); /* runtime/python/jitscope/compiler/slots/area.py */
    assert_true(is_known(with_word, sizeof with_word, assigned, 0));
    assert_true(is_known(with_word, sizeof with_word, UINT64_MAX, 0)); /* the word of format 1 */
    assert_false(is_known(with_word, sizeof with_word, 0, assigned));
    assert_false(is_known(with_word, sizeof with_word, 1, assigned));
    assert_false(is_known(with_word, sizeof with_word, assigned - 1, assigned));
    assert_true(is_known(with_two, sizeof with_two, assigned, assigned));
    assert_false(is_known(with_two, sizeof with_two, assigned, 0));
    assert_false(is_known(with_two, sizeof with_two, 0, assigned));
    assert_false(is_known(with_two, sizeof with_two, 1, assigned));
}

static void assert_removed(const char *producer, size_t count, uint32_t last)
{
    const uint32_t *lines;
    size_t found;
    assert_int_equal(js_hook_removed(&arena, producer, &lines, &found), JS_OK);
    assert_int_equal(found, count);
    assert_true(count == 0 || lines[count - 1] == last);
}

static void test_removed(void **state)
{
    (void)state;
    assert_removed(NULL, 0, 0);
    assert_removed("clang (Numba) removed 3", 0, 0);
    assert_removed("clang (Numba) jitscope/2 exact default", 0, 0);
    assert_removed("clang (Numba) jitscope/2 exact default removed 18", 1, 18);
    assert_removed("clang (Numba) jitscope/2 exact default removed 18,70 fast", 2, 70);
    assert_removed("clang (Numba) jitscope/2 exact default removed 18,70\nfoo:3:a.py", 2, 70);
    assert_removed("clang (Numba) jitscope/2 exact default\n removed :3:a.py", 0, 0);
    assert_removed("clang (Numba) jitscope/2 exact default removed 18,", 1, 18);
    assert_removed("clang (Numba) jitscope/2 exact default removed 99999999999", 0, 0);
    assert_true(js_hook_is_fast("clang (Numba) jitscope/2 exact default removed 18,70 fast"));
}

static void test_result(void **state)
{
    (void)state;
    assert_null(js_hook_result(NULL));
    assert_null(js_hook_result("clang (Numba)\nreturns int64"));
    assert_null(js_hook_result("clang (Numba) jitscope/2 lines default fast"));
    assert_string_equal(js_hook_result("clang (Numba) jitscope/2 lines default fast\nreturns int64"),
                        "int64");
    assert_true(js_hook_is_fast("clang (Numba) jitscope/2 lines default fast\nreturns int64"));
}

static void test_levels(void **state)
{
    (void)state;
    unsigned newer = 0;
    assert_int_equal(js_hook_level("clang (Numba) jitscope/1 exact", &newer), JS_LEVEL_EXACT);
    assert_int_equal(js_hook_level("clang (Numba) jitscope/2 steps", &newer), JS_LEVEL_STEPS);
    assert_int_equal(js_hook_level("clang (Numba) jitscope/1 other", &newer), JS_LEVEL_STOCK);
    assert_int_equal(js_hook_level("clang (Numba)", &newer), JS_LEVEL_STOCK);
    assert_int_equal(js_hook_level("clang (Numba) jitscope/", &newer), JS_LEVEL_STOCK);
    assert_int_equal(js_hook_level(NULL, &newer), JS_LEVEL_STOCK);
    assert_int_equal(newer, 0);
    assert_int_equal(js_hook_level("clang (Numba) jitscope/3 steps", &newer), JS_LEVEL_STOCK);
    assert_int_equal(newer, 3);
    assert_int_equal(js_hook_chooser("clang (Numba) jitscope/1 steps debugger"), JS_BY_DEBUGGER);
    assert_int_equal(js_hook_chooser("clang (Numba) jitscope/1 exact fastmath\nfoo:3:a.py"), JS_BY_FASTMATH);
    assert_int_equal(js_hook_chooser("clang (Numba) jitscope/1 exact command-line"), JS_BY_COMMAND_LINE);
    assert_int_equal(js_hook_chooser("clang (Numba) jitscope/1 exact"), JS_BY_NOBODY);
    assert_int_equal(js_hook_chooser("clang (Numba) jitscope/1 exact\nfoo:3:a.py"), JS_BY_NOBODY);
    assert_int_equal(js_hook_chooser("clang (Numba) jitscope/1 exact somebody"), JS_BY_NOBODY);
    assert_int_equal(js_hook_chooser(NULL), JS_BY_NOBODY);
    assert_null(js_chooser_text(JS_BY_NOBODY));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_reading, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_others, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_locations, set_up, tear_down),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_result),
        cmocka_unit_test_setup_teardown(test_removed, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
