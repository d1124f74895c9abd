/* The schedule of a parallel kernel, which is believed where its code, written by hand, has not changed it.
 */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assembly.h"
#include "program/model/object.h"
#include "program/names/numba/frame_kinds.h"
#include "program/parallel/parallel.h"
#include "program/queries/queries.h"

enum { LO = 0x1000, CFA = 0x7000, ROW = 0x7040, WORDS = 16 };

static char of_unsigned[] = "(array(uint64, 1d, C), int64)";
static char of_signed[] = "(array(int64, 1d, C), int64)";
static char of_none[] = "(float64)";

JS_ASSEMBLY(reads, "mov rax, [rsp + 8]; mov rcx, [rax]; ret");
JS_ASSEMBLY(writes, "mov [rsp + 8], rdi; ret");
JS_ASSEMBLY(takes, "lea rax, [rsp + 8]; mov [rax], rdi; ret");
JS_ASSEMBLY(jumps, "jmp rax; mov rcx, [rax]; ret");

static int64_t stack[WORDS];
static js_function function;
static js_object object;
static js_object *objects[] = {&object};
static js_program program = {.objects = objects, .nobjects = 1};
static js_bytes memory;

static void set_up(const uint8_t *code, size_t size, char *arguments, uint64_t ndim)
{
    static char name[] = "kernel";
    memset(stack, 0, sizeof stack);
    stack[0] = ROW;
    stack[1] = (int64_t)ndim * 2;
    stack[2] = 8;
    object = (js_object){.machine = EM_X86_64, .functions = &function, .nfunctions = 1, .lo = LO};
    object.hi = LO + size;
    function = (js_function){.linkage_name = name, .source_name = name, .lo = LO, .hi = LO + size};
    function.code = code;
    function.object = &object;
    function.name.kind = JS_NAME_PARFOR;
    function.name.arguments = arguments;
    assert_int_equal(js_bytes_init_buffer(&memory, CFA, stack, sizeof stack), JS_OK);
}

static void expect_at(uint64_t cfa, const char *wanted)
{
    js_frame frame = {.pc = LO, .cfa = cfa, .memory = &memory};
    char *out;
    assert_int_equal(js_program_chunk(&program, &frame, &out), JS_OK);
    if (!strstr(out, wanted)) {
        fail_msg("%s is not in %s", wanted, out);
    }
    free(out);
}

static void expect(const char *wanted)
{
    expect_at(CFA, wanted);
}

static void rows(void **state)
{
    (void)state;
    set_up(reads, JS_ASSEMBLY_SIZE(reads), of_unsigned, 1);
    stack[8] = 4, stack[9] = 6;
    expect("\"chunk\": [[4, 6]], \"problem\": \"\"");
    set_up(reads, JS_ASSEMBLY_SIZE(reads), of_unsigned, 2);
    stack[8] = 1, stack[9] = 20, stack[10] = 3, stack[11] = 29;
    expect("\"chunk\": [[1, 3], [20, 29]]");
    set_up(reads, JS_ASSEMBLY_SIZE(reads), of_signed, 1);
    stack[8] = -5, stack[9] = -3;
    expect("\"chunk\": [[-5, -3]]");
    set_up(reads, JS_ASSEMBLY_SIZE(reads), of_unsigned, 1);
    stack[8] = 1, stack[9] = 0; /* an empty chunk */
    expect("\"chunk\": [[1, 0]]");
}

static void what_is_no_schedule(void **state)
{
    (void)state;
    set_up(reads, JS_ASSEMBLY_SIZE(reads), of_unsigned, 1);
    stack[8] = -5;
    expect("\"chunk\": null, \"problem\": \"what the kernel was passed is no schedule\"");
    set_up(reads, JS_ASSEMBLY_SIZE(reads), of_unsigned, 40);
    expect("is no schedule");
    set_up(reads, JS_ASSEMBLY_SIZE(reads), of_unsigned, 1);
    stack[1] = 3;
    expect("is no schedule");
    set_up(reads, JS_ASSEMBLY_SIZE(reads), of_unsigned, 1);
    stack[2] = 16;
    expect("is no schedule");
    set_up(reads, JS_ASSEMBLY_SIZE(reads), of_unsigned, 1);
    stack[0] = 0x10;
    expect("the schedule cannot be read");
    set_up(reads, JS_ASSEMBLY_SIZE(reads), of_unsigned, 1);
    expect_at(0, "\"chunk\": null, \"problem\": \"the frame's address is not known\"");
    set_up(reads, JS_ASSEMBLY_SIZE(reads), of_none, 1);
    expect("no schedule that is known here");
    set_up(reads, JS_ASSEMBLY_SIZE(reads), of_unsigned, 1);
    object.machine = EM_AARCH64;
    expect("on x86-64 only");
}

static void code_that_does_not_keep_it(void **state)
{
    (void)state;
    set_up(writes, JS_ASSEMBLY_SIZE(writes), of_unsigned, 1);
    expect("may have written over its schedule");
    set_up(takes, JS_ASSEMBLY_SIZE(takes), of_unsigned, 1);
    expect("may have written over its schedule");
    set_up(jumps, JS_ASSEMBLY_SIZE(jumps), of_unsigned, 1);
    expect("may have written over its schedule");
    set_up(reads, JS_ASSEMBLY_SIZE(reads), of_unsigned, 1);
    function.code = NULL;
    expect("may have written over its schedule");
}

static void return_addresses(void **state)
{
    (void)state;
    uint64_t last = 0;
    set_up(reads, JS_ASSEMBLY_SIZE(reads), of_unsigned, 1);
    uint64_t end = CFA + sizeof stack;
    assert_int_equal(js_program_last_return(&program, &memory, CFA, end, &last), JS_ENOTFOUND);
    stack[3] = LO + 5;
    stack[6] = LO + (int64_t)JS_ASSEMBLY_SIZE(reads); /* after a call that ends the function */
    stack[7] = LO;                                    /* no call ends there */
    assert_int_equal(js_program_last_return(&program, &memory, CFA, end, &last), JS_OK);
    assert_int_equal(last, CFA + 6 * 8);
    assert_int_equal(js_program_last_return(&program, &memory, CFA + 7 * 8, end, &last), JS_ENOTFOUND);
    assert_int_equal(js_program_last_return(&program, &memory, CFA, end + 4096, &last), JS_ELIMIT);
}

static void layers(void **state)
{
    (void)state;
    assert_string_equal(js_numba_layer("/x/numba/np/ufunc/workqueue.cpython-311.so"), "workqueue");
    assert_string_equal(js_numba_layer("/usr/lib/libgomp.so.1.0.0"), "omp");
    assert_string_equal(js_numba_layer("/x/scipy.libs/libgomp-a34b3233.so.1"), "omp");
    assert_string_equal(js_numba_layer("/venv/lib/libtbb.so.12"), "tbb");
    assert_null(js_numba_layer("/x/numba/np/ufunc/_internal.so"));
    assert_null(js_numba_layer("/usr/lib/libtbbmalloc.so.2"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),
        cmocka_unit_test(what_is_no_schedule),
        cmocka_unit_test(code_that_does_not_keep_it),
        cmocka_unit_test(return_addresses),
        cmocka_unit_test(layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
