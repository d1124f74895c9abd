/* What a wrapper still has after it has called its function. Its code is written by hand, as the compiler
 * writes it. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assembly.h"
#include "program/machine/caller_frame.h"
#include "program/machine/value_tracking.h"
#include "program/model/object.h"

enum { LO = 0x1000, UNPACK = 0x0a, CALL = 0x24 };

JS_ASSEMBLY(wrapper, "push rbx; "                    /* 0 */
                     "sub rsp, 32; "                 /* 1 */
                     "lea r8, [rsp + 8]; "           /* 5 */
                     "movabs rax, 0; "               /* 10: to unpack */
                     "call rax; "                    /* 20 */
                     "mov rdi, [rsp + 8]; "          /* 22 */
                     "mov [rsp + 16], rdi; "         /* 27 */
                     "{disp8} nop dword ptr [rax]; " /* 32 */
                     "movabs rax, 0; "               /* 36: foo */
                     "call rax; "                    /* 46 */
                     "add rsp, 32; "                 /* 48 */
                     "pop rbx; ret");                /* 52 */
static const uint64_t sizes[] = {8};

static uint8_t bytes[54];
static js_object object;
static js_function functions[2];
static js_reference references[3];
static js_caller caller;

static int set_up(void **state)
{
    (void)state;
    assert_int_equal(JS_ASSEMBLY_SIZE(wrapper), sizeof(bytes));
    memcpy(bytes, wrapper, sizeof(bytes));
    references[0] = (js_reference){LO + UNPACK + 2, "PyArg_UnpackTuple"};
    references[1] = (js_reference){LO + CALL + 2, "foo"};
    functions[0] = (js_function){.linkage_name = "foo", .lo = 0x9000, .hi = 0x9100, .object = &object};
    functions[1] = (js_function){.linkage_name = "wrapper",
                                 .lo = LO,
                                 .hi = LO + sizeof(bytes),
                                 .code = bytes,
                                 .object = &object,
                                 .name = {.kind = JS_NAME_CPYTHON}};
    object = (js_object){.machine = EM_X86_64,
                         .functions = functions,
                         .nfunctions = 2,
                         .references = references,
                         .nreferences = 2};
    js_arena_init(&object.arena, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    js_arena_deinit(&object.arena);
    return 0;
}

static int seek(void)
{
    return js_caller_init(&caller, &object.arena, &functions[0], sizes, 1);
}

static void the_slot_of_an_object_is_told_from_the_functions_frame(void **state)
{
    (void)state;
    assert_int_equal(seek(), JS_OK);
    assert_int_equal(caller.returns_to, LO + 48);
    assert_int_equal(caller.count, 1);
    assert_int_equal(caller.arguments[0].object, 8);
    assert_int_equal(caller.arguments[0].array, JS_TRACK_NOWHERE);
}

static void a_slot_that_the_wrapper_writes_itself_tells_nothing(void **state)
{
    (void)state;
    bytes[31] = 8; /* mov [rsp+8],rdi */
    assert_int_equal(seek(), JS_OK);
    assert_int_equal(caller.arguments[0].object, JS_TRACK_NOWHERE);
}

static void two_calls_tell_nothing(void **state)
{
    (void)state;
    references[0].name = "foo";
    assert_int_equal(seek(), JS_ENOTFOUND);
}

static void what_does_not_unpack_tells_nothing(void **state)
{
    (void)state;
    references[0].name = "PyArg_ParseTuple";
    object.nreferences = 2;
    assert_int_equal(seek(), JS_ENOTFOUND);
}

static void a_loop_tells_nothing(void **state)
{
    (void)state;
    bytes[32] = 0xeb; /* jmp 22 */
    bytes[33] = 0xf4;
    assert_int_equal(seek(), JS_ENOTFOUND);
}

static void only_a_wrapper_for_python_is_asked(void **state)
{
    (void)state;
    functions[1].name.kind = JS_NAME_CFUNC;
    assert_int_equal(seek(), JS_ENOTFOUND);
}

static void any_code_is_survived(void **state)
{
    srand(5);
    for (unsigned round = 0; round < 4000; round++) {
        assert_int_equal(set_up(state), JS_OK);
        for (unsigned i = 0; i < 1 + round % 4; i++) {
            bytes[(size_t)rand() % sizeof(bytes)] = (uint8_t)rand();
        }
        references[2] = (js_reference){LO - 8 + (uint64_t)rand() % 80,
                                       round % 2 ? "foo" : "NRT_adapt_ndarray_from_python"};
        object.nreferences = 3;
        int status = seek();
        assert_true(status == JS_OK || status == JS_ENOTFOUND);
        tear_down(state);
    }
    assert_int_equal(set_up(state), JS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_slot_of_an_object_is_told_from_the_functions_frame, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_slot_that_the_wrapper_writes_itself_tells_nothing, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(two_calls_tell_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_does_not_unpack_tells_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_loop_tells_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_a_wrapper_for_python_is_asked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(any_code_is_survived, NULL, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
