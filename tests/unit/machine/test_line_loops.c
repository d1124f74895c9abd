/* machine/line_loops.c: loops of a function's lines, and which line follows which. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "assembly.h"
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

/* Adds two elements in each iteration; the next iteration begins `step` elements further on. */
#define SUMS(step)                                                                                           \
    "2: addsd xmm0, qword ptr [rax + rcx * 8];"                                                              \
    "addsd xmm0, qword ptr [rax + rcx * 8 + 8];"                                                             \
    "add rcx, " #step "; cmp rdx, rcx; jne 2b; ret"
JS_ASSEMBLY(sums_by_two, SUMS(2));
JS_ASSEMBLY(sums_by_one, SUMS(1)); /* total += a[i] + a[i + 1] */

static void elements_that_fill_an_iteration(void **state)
{
    (void)state;
    look_at(sums_by_two, JS_ASSEMBLY_SIZE(sums_by_two));
    assert_true(js_line_loop_is_strided(&loops, at(0)));
    assert_false(js_line_loop_is_packed(&loops, at(0)));
    assert_false(js_line_loop_is_strided(&loops, at(20))); /* after the loop */
}

static void elements_that_are_seen_again_in_the_next_iteration(void **state)
{
    (void)state;
    look_at(sums_by_one, JS_ASSEMBLY_SIZE(sums_by_one));
    assert_false(js_line_loop_is_strided(&loops, at(0)));
}

JS_ASSEMBLY(packed_sum, "2: addpd xmm0, xmmword ptr [rax + rcx * 8]; "
                        "add rcx, 2; cmp rdx, rcx; jne 2b; "
                        "ret"); /* 14 */

static void arithmetic_on_several_numbers(void **state)
{
    (void)state;
    look_at(packed_sum, JS_ASSEMBLY_SIZE(packed_sum));
    assert_true(js_line_loop_is_packed(&loops, at(0)));
    assert_false(js_line_loop_is_packed(&loops, at(14)));
    assert_false(js_line_loop_is_strided(&loops, at(0)));
}

JS_ASSEMBLY(nested_loops, "2: inc rsi; "                       /* 0 */
                          "3: inc rcx; test rcx, rcx; je 4f; " /* 3 */
                          "inc rdx; "                          /* 11 */
                          "4: cmp rdx, rcx; jne 3b; "          /* 14 */
                          "inc rdi; cmp rdi, rsi; jne 2b; "    /* 19 */
                          "ret");                              /* 27 */

static void places_of_one_iteration(void **state)
{
    (void)state;
    look_at(nested_loops, JS_ASSEMBLY_SIZE(nested_loops));
    assert_true(js_line_follows(&loops, at(3), at(11)));  /* by way of the branch */
    assert_true(js_line_follows(&loops, at(3), at(14)));  /* around it, too */
    assert_false(js_line_follows(&loops, at(14), at(3))); /* the next iteration */
    assert_false(js_line_follows(&loops, at(0), at(3)));  /* another loop */
    assert_false(js_line_follows(&loops, at(3), at(3)));
    assert_false(js_line_follows(&loops, at(19), at(27))); /* after all loops */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(elements_that_fill_an_iteration, tear_down),
        cmocka_unit_test_teardown(elements_that_are_seen_again_in_the_next_iteration, tear_down),
        cmocka_unit_test_teardown(arithmetic_on_several_numbers, tear_down),
        cmocka_unit_test_teardown(places_of_one_iteration, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
