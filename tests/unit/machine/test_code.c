#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arena_fixture.h"
#include "program/machine/value_tracking.h"
#include "program/model/object.h"

static int decode(js_code *code, const void *bytes, size_t size)
{
    js_function function = {.lo = 0x1000, .hi = 0x1000 + size, .code = bytes};
    return js_code_init(code, &arena, EM_X86_64, &function);
}

/* test rdi,rdi; je +4; mov rax,rdi; ret; xor eax,eax; ret */
static const uint8_t branch[] = {0x48, 0x85, 0xff, 0x74, 0x04, 0x48, 0x89, 0xf8, 0xc3, 0x31, 0xc0, 0xc3};

static void blocks_follow_the_jumps(void **state)
{
    (void)state;
    js_code code;
    assert_int_equal(decode(&code, branch, sizeof(branch)), JS_OK);
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

static void jumps_that_cannot_be_followed_are_refused(void **state)
{
    (void)state;
    static const uint8_t inside[] = {0xeb, 0x01, 0x48, 0x89, 0xf8, 0xc3}; /* into the middle of mov */
    static const uint8_t table[] = {0xff, 0xe0, 0x48, 0x89, 0xf8, 0xc3};  /* jmp rax, with code behind */
    static const uint8_t broken[] = {0x48, 0x89};                         /* cut */
    js_code code;
    assert_int_equal(decode(&code, inside, sizeof(inside)), JS_EUNSUP);
    assert_int_equal(decode(&code, table, sizeof(table)), JS_EUNSUP);
    assert_int_equal(decode(&code, table, 2), JS_OK); /* a tail call */
    assert_int_equal(decode(&code, broken, sizeof(broken)), JS_EUNSUP);
    js_function function = {.lo = 0x1000, .hi = 0x1001, .code = broken};
    assert_int_equal(js_code_init(&code, &arena, EM_AARCH64, &function), JS_EUNSUP);
}

/* jmp [rcx+rax*8]; mov rax,rdi; ret; xor eax,eax; ret */
static const uint8_t by_table[] = {0xff, 0x24, 0xc1, 0x48, 0x89, 0xf8, 0xc3, 0x31, 0xc0, 0xc3};

static void jumps_through_a_table_lead_to_what_the_data_holds(void **state)
{
    (void)state;
    uint64_t entries[] = {0x0ff0, 0x1000, 0x1003, 0x1003, 0x1007, 0x100a};
    js_object object = {.entries = entries, .nentries = 6};
    js_function function = {.lo = 0x1000, .hi = 0x100a, .code = by_table, .object = &object};
    js_code code;
    assert_int_equal(js_code_init(&code, &arena, EM_X86_64, &function), JS_OK);
    uint32_t waiting[8];
    uint8_t behind[8] = {0};
    assert_true(code.nblocks <= 8);
    js_code_mark_behind(&code, 0, behind, waiting);
    assert_true(behind[js_code_block(&code, js_code_find(&code, 0x1003))]);
    assert_true(behind[js_code_block(&code, js_code_find(&code, 0x1007))]);
    assert_int_equal(js_code_find(&code, 0x100a),
                     JS_CODE_NOWHERE); /* the ways have no address of their own */
    object.nentries = 4;               /* nothing leads to 0x1007 */
    assert_int_equal(js_code_init(&code, &arena, EM_X86_64, &function), JS_EUNSUP);
    entries[2] = 0x1004; /* into the middle of mov */
    object.nentries = 6;
    assert_int_equal(js_code_init(&code, &arena, EM_X86_64, &function), JS_EUNSUP);
}

/* push rbx; sub rsp,16; mov [rsp+8],rdi; mov rbx,rsi; call rax; mov rdi,[rsp+8]; add rsp,16; pop rbx; ret */
static const uint8_t spills[] = {0x53, 0x48, 0x83, 0xec, 0x10, 0x48, 0x89, 0x7c, 0x24,
                                 0x08, 0x48, 0x89, 0xf3, 0xff, 0xd0, 0x48, 0x8b, 0x7c,
                                 0x24, 0x08, 0x48, 0x83, 0xc4, 0x10, 0x5b, 0xc3};

static void values_survive_a_call_where_the_abi_keeps_them(void **state)
{
    (void)state;
    js_code code;
    js_track track;
    assert_int_equal(decode(&code, spills, sizeof(spills)), JS_OK);
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
    assert_int_equal(track.now[5].value, JS_VALUE_ENTRY + 5); /* rdi still */
    js_track_step(&track, 4);                                 /* the call */
    assert_int_equal(track.now[5].value, JS_VALUE_ANY);
    assert_int_equal(track.now[4].value, JS_VALUE_ANY);
    assert_int_equal(track.now[3].value, JS_VALUE_ENTRY + 4); /* rsi, kept in rbx */
    assert_int_equal(track.now[slot].value, JS_VALUE_ENTRY + 5);
    assert_true(track.is_read[5]);
    assert_true(track.is_read[4]);
    assert_false(track.is_read[1]); /* rdx: ignored */
}

/* mov [rsp-8],rdi; lea rax,[rsp-16]; mov [rax],rsi; ret: what rax points to may reach the slot */
static void stores_through_an_address_that_was_taken_count(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0x48, 0x89, 0x7c, 0x24, 0xf8, 0x48, 0x8d,
                                    0x44, 0x24, 0xf0, 0x48, 0x89, 0x30, 0xc3};
    js_code code;
    js_track track;
    assert_int_equal(decode(&code, bytes, sizeof(bytes)), JS_OK);
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

/* top: mov [rsp-8],rax; mov rcx,[rsp-16]; mov rdx,rcx; jmp top: what a loop loads again is another value */
static void a_loop_makes_new_values(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0x48, 0x89, 0x44, 0x24, 0xf8, 0x48, 0x8b, 0x4c,
                                    0x24, 0xf0, 0x48, 0x89, 0xc8, 0xeb, 0xf1};
    js_code code;
    js_track track;
    assert_int_equal(decode(&code, bytes, sizeof(bytes)), JS_OK);
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
            bytes[i] = (uint8_t)(round % 2 ? rand() : spills[(size_t)rand() % sizeof(spills)]);
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

static void instructions_that_the_decoder_does_not_know_are_passed(void **state)
{
    (void)state;
    /* kmovd k1,eax; vpsraq ymm13,ymm3,63; vandpd xmm0,xmm0,[rax]{1to2}; mov rax,rdi; ret */
    static const uint8_t bytes[] = {0xc5, 0xfb, 0x92, 0xc8, 0x62, 0xf1, 0x95, 0x28, 0x72, 0xe3, 0x3f,
                                    0x62, 0xf1, 0xfd, 0x18, 0x54, 0x00, 0x48, 0x89, 0xf8, 0xc3};
    js_code code;
    assert_int_equal(decode(&code, bytes, sizeof(bytes)), JS_OK);
    assert_int_equal(code.ninsns, 5);
    assert_int_equal(code.insns[1].address, 0x1004);
    assert_int_equal(code.insns[3].op, JS_OP_MOVE);
}

static void what_such_an_instruction_may_write_is_told(void **state)
{
    (void)state;
    static const uint8_t shift[] = {0x62, 0xf1, 0x95, 0x28, 0x72, 0xe3, 0x3f};
    static const uint8_t to_general[] = {0xc5, 0xfb, 0x93, 0xc1};          /* kmovd eax,k1 */
    static const uint8_t spill[] = {0xc5, 0xf8, 0x91, 0x4c, 0x24, 0x12};   /* kmovw [rsp+18],k1 */
    static const uint8_t indexed[] = {0xc5, 0xf8, 0x91, 0x4c, 0x04, 0x12}; /* kmovw [rsp+rax+18],k1 */
    static const uint8_t scaled[] = {0x62, 0xf1, 0xfd, 0x18, 0x54, 0x44, 0x24, 0x01};
    js_insn insn = {0};
    assert_int_equal(js_code_skip_x86_64(&insn, shift, sizeof(shift)), sizeof(shift));
    assert_true(insn.written >> (JS_CODE_VECTOR + 13) & 1);
    insn = (js_insn){0};
    assert_int_equal(js_code_skip_x86_64(&insn, to_general, sizeof(to_general)), sizeof(to_general));
    assert_true(insn.written & 1);
    insn = (js_insn){0};
    assert_int_equal(js_code_skip_x86_64(&insn, spill, sizeof(spill)), sizeof(spill));
    assert_int_equal(insn.to.kind, JS_PLACE_FRAME);
    assert_int_equal(insn.to.reg, JS_CODE_RSP);
    assert_int_equal(insn.to.value, 18);
    assert_int_equal(js_code_skip_x86_64(&insn, indexed, sizeof(indexed)),
                     0); /* where it writes is not told */
    assert_int_equal(js_code_skip_x86_64(&insn, scaled, sizeof(scaled)), 0);
    assert_int_equal(js_code_skip_x86_64(&insn, shift, sizeof(shift) - 1), 0); /* cut */
}

static void accesses_under_a_mask_are_told(void **state)
{
    (void)state;
    static const uint8_t scatter[] = {0x62, 0xd2, 0xfd, 0x4a, 0xa2, 0x04, 0xcf}; /* [r15+8*ymm1]{k2},zmm0 */
    static const uint8_t move[] = {0xc4, 0xe2, 0x75, 0x2f, 0x00};       /* vmaskmovpd [rax],ymm1,ymm0 */
    static const uint8_t bytes[] = {0x62, 0xf1, 0xfd, 0x49, 0x11, 0x00, /* vmovupd [rax]{k1},zmm0 */
                                    0x62, 0xf1, 0xfd, 0x48, 0x11, 0x00, /* vmovupd [rax],zmm0 */
                                    0x62, 0xf1, 0xf5, 0x49, 0x58, 0xd0, /* vaddpd zmm2{k1},zmm1,zmm0 */
                                    0xc3};
    js_code code;
    assert_int_equal(decode(&code, bytes, sizeof(bytes)), JS_OK);
    assert_true(code.insns[0].is_masked);
    assert_false(code.insns[1].is_masked);
    assert_false(code.insns[2].is_masked);
    assert_true(js_code_is_masked_x86_64(scatter, sizeof(scatter)));
    assert_true(js_code_is_masked_x86_64(move, sizeof(move)));
    js_insn insn = {0}; /* as where the decoder does not know the instruction */
    assert_int_equal(js_code_skip_x86_64(&insn, scatter, sizeof(scatter)), sizeof(scatter));
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
