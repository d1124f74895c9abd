#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "program/machine/line_loops.h"
#include "program/model/object.h"

enum { LO = 0x1000 };

static js_object object = {.machine = EM_X86_64};
static js_line_loops loops;

static void look_at(const uint8_t *code, size_t size)
{
    js_function function = {.lo = LO, .hi = LO + size, .code = code, .object = &object};
    assert_int_equal(js_line_loops_init(&loops, &function), JS_OK);
    assert_true(loops.is_known);
}

static int tear_down(void **state)
{
    (void)state;
    js_line_loops_deinit(&loops);
    return 0;
}

static uint32_t at(uint64_t offset)
{
    return js_line_insn(&loops, LO + offset);
}

/* 0: addsd xmm0, [rax+rcx*8]; 5: addsd xmm0, [rax+rcx*8+8]; 11: add rcx, STEP; 15: cmp; 18: jne 0; 20: ret */
static uint8_t sums[] = {0xf2, 0x0f, 0x58, 0x04, 0xc8, 0xf2, 0x0f, 0x58, 0x44, 0xc8, 0x08,
                         0x48, 0x83, 0xc1, 0x02, 0x48, 0x39, 0xca, 0x75, 0xec, 0xc3};
enum { STEP = 14 };

static void elements_that_fill_a_turn(void **state)
{
    (void)state;
    sums[STEP] = 2;
    look_at(sums, sizeof(sums));
    assert_true(js_line_loop_is_strided(&loops, at(0)));
    assert_false(js_line_loop_is_packed(&loops, at(0)));
    assert_false(js_line_loop_is_strided(&loops, at(20))); /* behind the loop */
}

static void elements_that_are_seen_again_the_next_turn(void **state)
{
    (void)state;
    sums[STEP] = 1; /* total += a[i] + a[i + 1] */
    look_at(sums, sizeof(sums));
    assert_false(js_line_loop_is_strided(&loops, at(0)));
}

/* 0: addpd xmm0, [rax+rcx*8]; 5: add rcx, 2; 9: cmp; 12: jne 0; 14: ret */
static void arithmetic_on_several_numbers(void **state)
{
    (void)state;
    static const uint8_t code[] = {0x66, 0x0f, 0x58, 0x04, 0xc8, 0x48, 0x83, 0xc1,
                                   0x02, 0x48, 0x39, 0xca, 0x75, 0xf2, 0xc3};
    look_at(code, sizeof(code));
    assert_true(js_line_loop_is_packed(&loops, at(0)));
    assert_false(js_line_loop_is_packed(&loops, at(14)));
    assert_false(js_line_loop_is_strided(&loops, at(0)));
}

/* 0: inc rsi; 3: inc rcx; 6: test; 9: je 14; 11: inc rdx; 14: cmp; 17: jne 3; 19: inc rdi; 22: cmp; 25: jne
 * 0; ret
 */
static void places_of_one_turn(void **state)
{
    (void)state;
    static const uint8_t code[] = {0x48, 0xff, 0xc6, 0x48, 0xff, 0xc1, 0x48, 0x85, 0xc9, 0x74,
                                   0x03, 0x48, 0xff, 0xc2, 0x48, 0x39, 0xca, 0x75, 0xf0, 0x48,
                                   0xff, 0xc7, 0x48, 0x39, 0xf7, 0x75, 0xe5, 0xc3};
    look_at(code, sizeof(code));
    assert_true(js_line_follows(&loops, at(3), at(11)));  /* by way of the branch */
    assert_true(js_line_follows(&loops, at(3), at(14)));  /* past it, too */
    assert_false(js_line_follows(&loops, at(14), at(3))); /* the next turn */
    assert_false(js_line_follows(&loops, at(0), at(3)));  /* another loop */
    assert_false(js_line_follows(&loops, at(3), at(3)));
    assert_false(js_line_follows(&loops, at(19), at(27))); /* behind all loops */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(elements_that_fill_a_turn, tear_down),
        cmocka_unit_test_teardown(elements_that_are_seen_again_the_next_turn, tear_down),
        cmocka_unit_test_teardown(arithmetic_on_several_numbers, tear_down),
        cmocka_unit_test_teardown(places_of_one_turn, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
