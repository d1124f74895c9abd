/* machine/code.c and its neighbours: decoding, basic blocks, values in registers and slots. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arena_fixture.h"
#include "assembly.h"
#include "program/machine/value_tracking.h"
#include "program/model/object.h"

static int decode(js_code *code, const void *bytes, size_t size)
{
    js_function function = {.lo = 0x1000, .hi = 0x1000 + size, .code = bytes};
    return js_code_init(code, &arena, EM_X86_64, &function);
}

JS_ASSEMBLY(branch, "test rdi, rdi; je 2f; "
                    "mov rax, rdi; ret; "
                    "2: xor eax, eax; ret");

static void blocks_follow_the_jumps(void **state)
{
    (void)state;
    js_code code;
    assert_int_equal(decode(&code, branch, JS_ASSEMBLY_SIZE(branch)), JS_OK);
    assert_int_equal(code.ninsns, 6);
    assert_int_equal(code.nblocks, 3);
    assert_int_equal(code.blocks[0].successors[0], 1);
    assert_int_equal(code.blocks[0].successors[1], 2);
    assert_int_equal(code.blocks[1].successors[0], JS_CODE_NOWHERE);
    assert_int_equal(code.insns[2].op, JS_OP_MOVE);
    assert_int_equal(code.insns[4].op, JS_OP_ZERO);
    assert_int_equal(js_code_find(&code, 0x1006), 2);
    assert_int_equal(js_code_find(&code, 0x100c), JS_CODE_NOWHERE);
}

/* A jump into the middle of mov. */
JS_ASSEMBLY(into_the_middle, "jmp 2f + 1; 2: mov rax, rdi; ret");
/* A jump that is followed by code. */
JS_ASSEMBLY(jumping_anywhere, "jmp rax; mov rax, rdi; ret");
/* The first two bytes of a mov. */
JS_ASSEMBLY(cut, ".byte 0x48, 0x89");

static void jumps_that_cannot_be_followed_are_refused(void **state)
{
    (void)state;
    js_code code;
    assert_int_equal(decode(&code, into_the_middle, JS_ASSEMBLY_SIZE(into_the_middle)), JS_EUNSUP);
    assert_int_equal(decode(&code, jumping_anywhere, JS_ASSEMBLY_SIZE(jumping_anywhere)), JS_EUNSUP);
    assert_int_equal(decode(&code, jumping_anywhere, 2), JS_OK); /* a tail call */
    assert_int_equal(decode(&code, cut, JS_ASSEMBLY_SIZE(cut)), JS_EUNSUP);
    js_function function = {.lo = 0x1000, .hi = 0x1001, .code = cut};
    assert_int_equal(js_code_init(&code, &arena, EM_AARCH64, &function), JS_EUNSUP);
}

JS_ASSEMBLY(by_table, "jmp qword ptr [rcx + rax * 8]; "
                      "mov rax, rdi; ret; " /* 3 */
                      "xor eax, eax; ret"); /* 7 */

static void jumps_through_a_table_lead_to_what_the_data_holds(void **state)
{
    (void)state;
    uint64_t entries[] = {0x0ff0, 0x1000, 0x1003, 0x1003, 0x1007, 0x100a};
    js_object object = {.entries = entries, .nentries = 6};
    js_function function = {.lo = 0x1000, .hi = 0x100a, .code = by_table, .object = &object};
    js_code code;
    assert_int_equal(js_code_init(&code, &arena, EM_X86_64, &function), JS_OK);
    uint32_t waiting[8];
    uint8_t after[8] = {0};
    assert_true(code.nblocks <= 8);
    js_code_mark_after(&code, 0, after, waiting);
    assert_true(after[js_code_block(&code, js_code_find(&code, 0x1003))]);
    assert_true(after[js_code_block(&code, js_code_find(&code, 0x1007))]);
    assert_int_equal(js_code_find(&code, 0x100a),
                     JS_CODE_NOWHERE); /* the successors have no address of their own */
    object.nentries = 4;               /* nothing leads to 0x1007 */
    assert_int_equal(js_code_init(&code, &arena, EM_X86_64, &function), JS_EUNSUP);
    entries[2] = 0x1004; /* into the middle of mov */
    object.nentries = 6;
    assert_int_equal(js_code_init(&code, &arena, EM_X86_64, &function), JS_EUNSUP);
}

JS_ASSEMBLY(spills, "push rbx; "
                    "sub rsp, 16; "
                    "mov [rsp + 8], rdi; "
                    "mov rbx, rsi; "
                    "call rax; "
                    "mov rdi, [rsp + 8]; "
                    "add rsp, 16; "
                    "pop rbx; ret");

static void values_survive_a_call_where_the_abi_keeps_them(void **state)
{
    (void)state;
    js_code code;
    js_track track;
    assert_int_equal(decode(&code, spills, JS_ASSEMBLY_SIZE(spills)), JS_OK);
    assert_int_equal(js_track_init(&track, &arena, &code), JS_OK);
    assert_int_equal(js_track_run(&track, &arena, NULL, 0, NULL, 0), JS_OK);
    assert_int_equal(track.stack[0], -8);
    assert_int_equal(track.stack[3], -32);
    uint32_t slot = js_track_place(&track, -24);
    assert_int_not_equal(slot, JS_PLACE_ABSENT);
    js_track_enter(&track, 0);
    for (size_t i = 0; i < 4; i++) {
        js_track_step(&track, i);
    }
    assert_int_equal(track.now[5].value, JS_VALUE_ENTRY + 5); /* rdi is unchanged */
    js_track_step(&track, 4);                                 /* the call */
    assert_int_equal(track.now[5].value, JS_VALUE_ANY);
    assert_int_equal(track.now[4].value, JS_VALUE_ANY);
    assert_int_equal(track.now[3].value, JS_VALUE_ENTRY + 4); /* rsi, kept in rbx */
    assert_int_equal(track.now[slot].value, JS_VALUE_ENTRY + 5);
    assert_true(track.is_read[5]);
    assert_true(track.is_read[4]);
    assert_false(track.is_read[1]); /* rdx: ignored */
}

/* A store by rax may reach the slot. */
JS_ASSEMBLY(stores_by_address, "mov [rsp - 8], rdi; "
                               "lea rax, [rsp - 16]; "
                               "mov [rax], rsi; "
                               "ret");

static void stores_through_an_address_that_was_taken_count(void **state)
{
    (void)state;
    js_code code;
    js_track track;
    assert_int_equal(decode(&code, stores_by_address, JS_ASSEMBLY_SIZE(stores_by_address)), JS_OK);
    assert_int_equal(js_track_init(&track, &arena, &code), JS_OK);
    assert_int_equal(js_track_run(&track, &arena, NULL, 0, NULL, 0), JS_OK);
    uint32_t slot = js_track_place(&track, -16);
    js_track_enter(&track, 0);
    js_track_step(&track, 0);
    assert_int_equal(track.now[slot].value, JS_VALUE_ENTRY + 5);
    js_track_step(&track, 1);
    js_track_step(&track, 2);
    assert_int_equal(track.now[slot].value, JS_VALUE_ANY);
}

/* What a loop loads again is another value. */
JS_ASSEMBLY(loads_again, "2: mov [rsp - 8], rax; "
                         "mov rcx, [rsp - 16]; "
                         "mov rax, rcx; "
                         "jmp 2b");

static void a_loop_makes_new_values(void **state)
{
    (void)state;
    js_code code;
    js_track track;
    assert_int_equal(decode(&code, loads_again, JS_ASSEMBLY_SIZE(loads_again)), JS_OK);
    assert_int_equal(js_track_init(&track, &arena, &code), JS_OK);
    assert_int_equal(js_track_run(&track, &arena, NULL, 0, NULL, 0), JS_OK);
    js_track_enter(&track, 0);
    assert_int_equal(track.now[0].value, JS_VALUE_ANY); /* rax: what came in, or what was loaded */
}

static void any_bytes_are_survived(void **state)
{
    (void)state;
    uint8_t bytes[96];
    srand(7);
    for (unsigned round = 0; round < 20000; round++) {
        js_arena own;
        js_code code;
        js_track track;
        size_t size = 1 + (size_t)rand() % sizeof(bytes);
        for (size_t i = 0; i < size; i++) {
            bytes[i] = (uint8_t)(round % 2 ? rand() : spills[(size_t)rand() % JS_ASSEMBLY_SIZE(spills)]);
        }
        js_function function = {.lo = UINT64_MAX - 200, .hi = UINT64_MAX - 200 + size, .code = bytes};
        js_arena_init(&own, 0);
        if (js_code_init(&code, &own, EM_X86_64, &function) == JS_OK &&
            js_track_init(&track, &own, &code) == JS_OK) {
            int status = js_track_run(&track, &own, NULL, 0, NULL, 0);
            assert_true(status == JS_OK || status == JS_ELIMIT);
        }
        js_arena_deinit(&own);
    }
}

JS_ASSEMBLY(unknown, "kmovd k1, eax; "
                     "vpsraq ymm13, ymm3, 63; "
                     "vandpd xmm0, xmm0, qword ptr [rax]{1to2}; "
                     "mov rax, rdi; ret");

static void instructions_that_the_decoder_does_not_know_are_passed(void **state)
{
    (void)state;
    js_code code;
    assert_int_equal(decode(&code, unknown, JS_ASSEMBLY_SIZE(unknown)), JS_OK);
    assert_int_equal(code.ninsns, 5);
    assert_int_equal(code.insns[1].address, 0x1004);
    assert_int_equal(code.insns[3].op, JS_OP_MOVE);
}

JS_ASSEMBLY(shift, "vpsraq ymm13, ymm3, 63");
JS_ASSEMBLY(to_general, "kmovd eax, k1");
JS_ASSEMBLY(spill, "kmovw [rsp + 18], k1");
JS_ASSEMBLY(indexed, "kmovw [rsp + rax + 18], k1");
JS_ASSEMBLY(scaled, "vandpd xmm0, xmm0, qword ptr [rsp + 8]{1to2}");

static void what_such_an_instruction_may_write_is_told(void **state)
{
    (void)state;
    js_insn insn = {0};
    assert_int_equal(js_code_skip_x86_64(&insn, shift, JS_ASSEMBLY_SIZE(shift)), JS_ASSEMBLY_SIZE(shift));
    assert_true(insn.written >> (JS_CODE_VECTOR + 13) & 1);
    insn = (js_insn){0};
    assert_int_equal(js_code_skip_x86_64(&insn, to_general, JS_ASSEMBLY_SIZE(to_general)),
                     JS_ASSEMBLY_SIZE(to_general));
    assert_true(insn.written & 1);
    insn = (js_insn){0};
    assert_int_equal(js_code_skip_x86_64(&insn, spill, JS_ASSEMBLY_SIZE(spill)), JS_ASSEMBLY_SIZE(spill));
    assert_int_equal(insn.to.kind, JS_PLACE_FRAME);
    assert_int_equal(insn.to.reg, JS_CODE_RSP);
    assert_int_equal(insn.to.value, 18);
    assert_int_equal(js_code_skip_x86_64(&insn, indexed, JS_ASSEMBLY_SIZE(indexed)),
                     0); /* where it writes is not known */
    assert_int_equal(js_code_skip_x86_64(&insn, scaled, JS_ASSEMBLY_SIZE(scaled)), 0);
    assert_int_equal(js_code_skip_x86_64(&insn, shift, JS_ASSEMBLY_SIZE(shift) - 1), 0); /* cut */
}

JS_ASSEMBLY(scatter, "vscatterdpd [r15 + ymm1 * 8]{k2}, zmm0");
JS_ASSEMBLY(move, "vmaskmovpd [rax], ymm1, ymm0");
JS_ASSEMBLY(masked_and_not, "vmovupd [rax]{k1}, zmm0; "
                            "vmovupd [rax], zmm0; "
                            "vaddpd zmm2{k1}, zmm1, zmm0; "
                            "ret");

static void accesses_under_a_mask_are_told(void **state)
{
    (void)state;
    js_code code;
    assert_int_equal(decode(&code, masked_and_not, JS_ASSEMBLY_SIZE(masked_and_not)), JS_OK);
    assert_true(code.insns[0].is_masked);
    assert_false(code.insns[1].is_masked);
    assert_false(code.insns[2].is_masked);
    assert_true(js_code_is_masked_x86_64(scatter, JS_ASSEMBLY_SIZE(scatter)));
    assert_true(js_code_is_masked_x86_64(move, JS_ASSEMBLY_SIZE(move)));
    js_insn insn = {0}; /* as for an instruction that the decoder does not know */
    assert_int_equal(js_code_skip_x86_64(&insn, scatter, JS_ASSEMBLY_SIZE(scatter)),
                     JS_ASSEMBLY_SIZE(scatter));
    assert_true(insn.is_masked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(blocks_follow_the_jumps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(jumps_that_cannot_be_followed_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(jumps_through_a_table_lead_to_what_the_data_holds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(accesses_under_a_mask_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(values_survive_a_call_where_the_abi_keeps_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stores_through_an_address_that_was_taken_count, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_loop_makes_new_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(instructions_that_the_decoder_does_not_know_are_passed, set_up,
                                        tear_down),
        cmocka_unit_test(what_such_an_instruction_may_write_is_told),
        cmocka_unit_test(any_bytes_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
