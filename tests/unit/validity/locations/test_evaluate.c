/* validity/locations/evaluate.c: DWARF locations of every kind, missing registers, and nonsense. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <dwarf.h>

#include "program/validity/locations/evaluate.h"

static uint8_t memory[64];
static const uint64_t base = 0x7000;

/* rdx holds 123, rsp the memory's base; xmm0 (17) 16 bytes; no other register is known. */
static int registers(void *context, unsigned regnum, void *buffer, size_t capacity)
{
    (void)context;
    uint64_t value;
    switch (regnum) {
    case 1:
        value = 123;
        break;
    case 7:
        value = base;
        break;
    case 17:
        if (capacity < 16) {
            return -1;
        }
        memset(buffer, 0x5a, 16);
        return 16;
    default:
        return -1;
    }
    memcpy(buffer, &value, 8);
    return 8;
}

static int evaluate(const uint8_t *expr, size_t size, uint8_t *out, uint8_t *known, size_t want,
                    uint64_t *address)
{
    static const uint8_t rsp[] = {DW_OP_reg0 + 7};
    js_bytes bytes;
    assert_int_equal(js_bytes_init_buffer(&bytes, base, memory, sizeof memory), JS_OK);
    js_frame frame = {.registers = registers, .memory = &bytes, .cfa = base + 32};
    js_found_bytes found = {.contents = out, .known = known, .size = want};
    int status =
        js_evaluate(&frame, (js_dwarf_operators){rsp, sizeof rsp}, (js_dwarf_operators){expr, size}, &found);
    *address = found.address;
    js_bytes_deinit(&bytes);
    return status;
}

#define EVALUATE(want, ...)                                                                                  \
    static const uint8_t expr[] = {__VA_ARGS__};                                                             \
    uint8_t out[64] = {0}, known[64] = {0};                                                                  \
    uint64_t address = 0;                                                                                    \
    int status = evaluate(expr, sizeof expr, out, known, want, &address)

static uint64_t word(const uint8_t *bytes)
{
    uint64_t value;
    memcpy(&value, bytes, 8);
    return value;
}

/* If the stack pointer moves, the frame's base is counted from its address. */
static void test_frame_bases(void **state)
{
    (void)state;
    static const uint8_t moved[] = {DW_OP_call_frame_cfa, DW_OP_consts, 0x70, DW_OP_plus},
                         cut[] = {DW_OP_call_frame_cfa, DW_OP_consts, 0x70}, slot[] = {DW_OP_fbreg, 8};
    uint8_t out[8], known[8];
    js_found_bytes found = {.contents = out, .known = known, .size = sizeof out};
    js_dwarf_operators expr = {slot, sizeof slot};
    js_bytes bytes;
    assert_int_equal(js_bytes_init_buffer(&bytes, base, memory, sizeof memory), JS_OK);
    js_frame frame = {.registers = registers, .memory = &bytes, .cfa = base + 32};
    assert_int_equal(js_evaluate(&frame, (js_dwarf_operators){moved, sizeof moved}, expr, &found), JS_OK);
    assert_int_equal(found.address, base + 24);
    assert_int_equal(js_evaluate(&frame, (js_dwarf_operators){cut, sizeof cut}, expr, &found), JS_EUNSUP);
    js_bytes_deinit(&bytes);
}

static void test_register(void **state)
{
    (void)state;
    EVALUATE(8, DW_OP_reg0 + 1);
    assert_int_equal(status, JS_OK);
    assert_int_equal(word(out), 123);
    assert_int_equal(known[7], 1);
    assert_int_equal(address, 0);
}

static void test_unknown_register(void **state)
{
    (void)state;
    EVALUATE(8, DW_OP_reg0 + 3);
    assert_int_equal(status, JS_OK);
    assert_int_equal(known[0], 0);
}

static void test_address_through_unknown_register(void **state)
{
    (void)state;
    EVALUATE(8, DW_OP_breg0 + 3, 8);
    assert_int_equal(status, JS_OK);
    assert_int_equal(known[0], 0);
    assert_int_equal(address, 0);
}

static void test_frame_slot(void **state)
{
    (void)state;
    memory[16] = 77;
    EVALUATE(8, DW_OP_fbreg, 16);
    assert_int_equal(status, JS_OK);
    assert_int_equal(word(out), 77);
    assert_int_equal(address, base + 16);
}

static void test_call_frame(void **state)
{
    (void)state;
    memory[40] = 5;
    EVALUATE(8, DW_OP_call_frame_cfa, DW_OP_plus_uconst, 8);
    assert_int_equal(status, JS_OK);
    assert_int_equal(word(out), 5);
}

static void test_computed_value(void **state)
{
    (void)state;
    EVALUATE(8, DW_OP_breg0 + 1, 0, DW_OP_lit2, DW_OP_mul, DW_OP_consts, 0x7f, DW_OP_plus, DW_OP_stack_value);
    assert_int_equal(status, JS_OK);
    assert_int_equal(word(out), 245);
}

static void test_complement_of_a_bit(void **state)
{
    (void)state;
    EVALUATE(1, DW_OP_lit1, DW_OP_neg, DW_OP_not, DW_OP_not, DW_OP_lit1, DW_OP_and, DW_OP_stack_value);
    assert_int_equal(status, JS_OK);
    assert_int_equal(known[0], 1);
    assert_int_equal(out[0], 1);
}

static void test_implicit_value(void **state)
{
    (void)state;
    EVALUATE(4, DW_OP_implicit_value, 4, 1, 2, 3, 4);
    assert_int_equal(status, JS_OK);
    assert_memory_equal(out, ((uint8_t[]){1, 2, 3, 4}), 4);
}

static void test_pieces_with_a_hole(void **state)
{
    (void)state;
    memory[0] = 9;
    EVALUATE(24, DW_OP_reg0 + 1, DW_OP_piece, 8, DW_OP_piece, 8, DW_OP_breg0 + 7, 0, DW_OP_piece, 8);
    assert_int_equal(status, JS_OK);
    assert_int_equal(word(out), 123);
    assert_int_equal(known[8], 0);
    assert_int_equal(word(out + 16), 9);
    assert_int_equal(known[23], 1);
    assert_int_equal(address, 0);
}

static void test_what_the_caller_had(void **state)
{
    (void)state;
    EVALUATE(8, DW_OP_GNU_entry_value, 1, DW_OP_reg16);
    assert_int_equal(status, JS_OK);
    assert_int_equal(known[0] | known[7], 0);
}

static void test_what_is_cut_off_of_it(void **state)
{
    (void)state;
    EVALUATE(8, DW_OP_GNU_entry_value, 2, DW_OP_reg16);
    assert_int_equal(status, JS_EUNSUP);
}

static void test_vector_register(void **state)
{
    (void)state;
    EVALUATE(16, DW_OP_reg0 + 17);
    assert_int_equal(status, JS_OK);
    assert_int_equal(out[15], 0x5a);
}

static void test_unreadable(void **state)
{
    (void)state;
    EVALUATE(8, DW_OP_lit1);
    assert_int_equal(status, JS_EFAULT);
}

static void test_piece_past_the_end(void **state)
{
    (void)state;
    EVALUATE(8, DW_OP_reg0 + 1, DW_OP_piece, 0x7f);
    assert_int_equal(status, JS_EBAD);
}

static void test_every_short_nonsense_ends(void **state)
{
    (void)state;
    uint8_t out[64], known[64];
    uint64_t address;
    for (unsigned first = 0; first < 256; first++) {
        for (unsigned second = 0; second < 256; second++) {
            const uint8_t expr[] = {(uint8_t)first, (uint8_t)second, 0xff};
            assert_true(evaluate(expr, sizeof expr, out, known, 8, &address) <= 0);
            assert_true(evaluate(expr, 1, out, known, 8, &address) <= 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame_bases),         cmocka_unit_test(test_register),
        cmocka_unit_test(test_unknown_register),    cmocka_unit_test(test_address_through_unknown_register),
        cmocka_unit_test(test_frame_slot),          cmocka_unit_test(test_call_frame),
        cmocka_unit_test(test_computed_value),      cmocka_unit_test(test_complement_of_a_bit),
        cmocka_unit_test(test_implicit_value),      cmocka_unit_test(test_pieces_with_a_hole),
        cmocka_unit_test(test_what_the_caller_had), cmocka_unit_test(test_what_is_cut_off_of_it),
        cmocka_unit_test(test_vector_register),     cmocka_unit_test(test_unreadable),
        cmocka_unit_test(test_piece_past_the_end),  cmocka_unit_test(test_every_short_nonsense_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
