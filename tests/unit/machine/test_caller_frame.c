/* A wrapper's code, written by hand as the compiler writes it: what it still holds when it has called the
 * function. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program/machine/caller_frame.h"
#include "program/machine/value_tracking.h"
#include "program/model/object.h"

enum { LO = 0x1000, UNPACK = 0x0a, CALL = 0x24 };

/*  0 push rbx               1 sub rsp,32         5 lea r8,[rsp+8]
 * 10 movabs rax,unpack     20 call rax          22 mov rdi,[rsp+8]     27 mov [rsp+16],rdi
 * 32 nop dword [rax]       36 movabs rax,foo    46 call rax            48 add rsp,32  52 pop rbx  53 ret */
static const uint8_t wrapper[] = {0x53, 0x48, 0x83, 0xec, 0x20, 0x4c, 0x8d, 0x44, 0x24, 0x08, 0x48,
                                  0xb8, 0,    0,    0,    0,    0,    0,    0,    0,    0xff, 0xd0,
                                  0x48, 0x8b, 0x7c, 0x24, 0x08, 0x48, 0x89, 0x7c, 0x24, 0x10, 0x0f,
                                  0x1f, 0x40, 0x00, 0x48, 0xb8, 0,    0,    0,    0,    0,    0,
                                  0,    0,    0xff, 0xd0, 0x48, 0x83, 0xc4, 0x20, 0x5b, 0xc3};
static const uint64_t sizes[] = {8};

static uint8_t bytes[sizeof(wrapper)];
static js_object object;
static js_function functions[2];
static js_reference references[3];
static js_caller caller;

static int set_up(void **state)
{
    (void)state;
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
