/* The arguments that a function was called with, found by its code, which is written by hand; the machine is
 * a buffer and a few registers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assembly.h"
#include "program/machine/call_arguments.h"

enum { LO = 0x1000, CELL = 0x2008, CFA = 0x2100, CALLEE = 0x7000, STUB = 0x2200, RBX = 3, RDI = 5 };

JS_ASSEMBLY(keeps, "test rdi, rdi; je 2f; " /* 0x00 */
                   "push rbx; "
                   "sub rsp, 16; "
                   "mov rbx, rsi; "
                   "mov [rsp + 8], rdi; "
                   "mov rax, [rdi - 8]; " /* 0x12 */
                   "xor edi, edi; "       /* 0x16 */
                   "call rax; "           /* 0x18 */
                   "mov rdi, [rsp + 8]; " /* 0x1a */
                   "add rsp, 16; "
                   "pop rbx; "
                   "2: ret");

JS_ASSEMBLY(direct, "sub rsp, 8; "
                    "movabs rax, 0x7000; "
                    "mov edi, 0xbadadd; "
                    "mov rsi, -3; "
                    "call rax; "   /* 0x1a */
                    "add rsp, 8; " /* 0x1c */
                    "ret");

JS_ASSEMBLY(by_cell, "push rbp; push rbx; push r12; "
                     "mov rbx, rdi; "
                     "movabs rbp, 0x2000; "
                     "mov rdi, rbx; "
                     "xor esi, esi; "
                     "call qword ptr [rbp + 8]; "
                     "movabs rax, 0x2000; " /* 0x19 */
                     "mov rax, [rax + 8]; "
                     "mov edi, ebx; "
                     "lea rsi, [rbx + 8]; "
                     "call rax; "
                     "pop r12; pop rbx; pop rbp; ret"); /* 0x2f */

/* jne leads out of the function. */
JS_ASSEMBLY(leaves, "test rdi, rdi; jne leaves - 122; mov rax, [rdi]; ret");

/* An entry of a procedure linkage table; 0xf2 is the prefix `bnd`, which LLVM does not write. */
JS_ASSEMBLY(stub, "endbr64; .byte 0xf2; jmp qword ptr [rip + 0x100]");

JS_ASSEMBLY(wrapper, "lea rdi, [rdi + 8]; jmp qword ptr [rip + 0x100]; nop");

static uint8_t contents[0x1400]; /* from LO on */
static js_bytes memory;

/* Each register holds 0x100 plus its number; a caller's registers are known if a callee preserves them. */
static int read_register(void *context, unsigned number, void *buffer, size_t capacity)
{
    const int *is_caller = context;
    uint64_t value = 0x100 + number;
    if ((*is_caller && number != RBX) || capacity < sizeof value) {
        return JS_ENOTFOUND;
    }
    memcpy(buffer, &value, sizeof value);
    return sizeof value;
}

static void put_word(uint64_t address, uint64_t value)
{
    memcpy(contents + (address - LO), &value, sizeof value);
}

static uint64_t cell = CALLEE;       /* contents of the word at CELL */
static const uint8_t *called = stub; /* the code at STUB */

static int ask(const uint8_t *code, size_t size, uint64_t at, int is_caller, uint64_t callee,
               unsigned argument, uint64_t *out)
{
    memset(contents, 0, sizeof contents);
    memcpy(contents, code, size);
    put_word(CELL, cell);
    memcpy(contents + (STUB - LO), called, JS_ASSEMBLY_SIZE(stub));
    put_word(STUB + JS_ASSEMBLY_SIZE(stub) + 0x100, CALLEE);
    put_word(CFA - 24, 0xabc);
    assert_int_equal(js_bytes_init_buffer(&memory, LO, contents, sizeof contents), JS_OK);
    js_frame frame = {.pc = LO + at,
                      .is_caller = is_caller,
                      .cfa = CFA,
                      .registers = read_register,
                      .context = &is_caller,
                      .memory = &memory};
    return js_find_passed_argument(&frame, LO, LO + size, callee, argument, out);
}

#define EXPECT(code, at, is_caller, callee, argument, expected)                                              \
    do {                                                                                                     \
        uint64_t found;                                                                                      \
        assert_int_equal(ask(code, JS_ASSEMBLY_SIZE(code), at, is_caller, callee, argument, &found), JS_OK); \
        assert_int_equal(found, expected);                                                                   \
    } while (0)

#define REFUSE(code, at, is_caller, callee, argument)                                                        \
    do {                                                                                                     \
        uint64_t found;                                                                                      \
        assert_int_equal(ask(code, JS_ASSEMBLY_SIZE(code), at, is_caller, callee, argument, &found),         \
                         JS_ENOTFOUND);                                                                      \
    } while (0)

static void an_argument_is_where_the_function_keeps_it(void **state)
{
    (void)state;
    EXPECT(keeps, 0x00, 0, 0, 0, 0x100 + RDI);
    EXPECT(keeps, 0x12, 0, 0, 0, 0x100 + RDI);
    EXPECT(keeps, 0x12, 0, 0, 1, 0x100 + RBX); /* rbx holds the argument there */
    EXPECT(keeps, 0x1a, 1, 0, 0, 0xabc);       /* the slot */
    EXPECT(keeps, 0x1a, 1, 0, 1, 0x100 + RBX); /* the register that calls preserve */
    EXPECT(keeps, 0x18, 0, 0, 0, 0xabc);       /* edi is another value by now */
    REFUSE(keeps, 0x1a, 1, 0, 2);
    REFUSE(keeps, 0x1a, 1, 0, 6);
    REFUSE(keeps, 0x13, 0, 0, 0); /* no instruction begins there */
    REFUSE(keeps, 0x16, 1, 0, 0); /* no call returns there */
}

static void code_elsewhere_may_lead_back(void **state)
{
    (void)state;
    REFUSE(leaves, 0x05, 0, 0, 0);
}

static void a_caller_hands_over_what_its_code_says(void **state)
{
    (void)state;
    EXPECT(direct, 0x1c, 1, CALLEE, 0, 0xbadadd);
    EXPECT(direct, 0x1c, 1, CALLEE, 1, (uint64_t)-3);
    REFUSE(direct, 0x1c, 1, CALLEE, 2);
    EXPECT(by_cell, 0x19, 1, CALLEE, 0, 0x100 + RBX);
    EXPECT(by_cell, 0x19, 1, CALLEE, 1, 0);
    REFUSE(by_cell, 0x2f, 1, CALLEE, 0); /* only its 32 lower bits are set */
    REFUSE(by_cell, 0x2f, 1, CALLEE, 1); /* computed */
}

static void a_callee_that_the_call_does_not_lead_to_was_handed_something_else(void **state)
{
    (void)state;
    REFUSE(direct, 0x1c, 1, CALLEE + 16, 0);
    REFUSE(by_cell, 0x19, 1, CALLEE + 16, 0);
    REFUSE(direct, 0x1a, 0, CALLEE, 0);
}

static void a_stub_that_only_jumps_passes_on_what_it_was_handed(void **state)
{
    (void)state;
    cell = STUB;
    EXPECT(by_cell, 0x19, 1, CALLEE, 0, 0x100 + RBX);
    REFUSE(by_cell, 0x19, 1, CALLEE + 16, 0);
    called = wrapper;
    REFUSE(by_cell, 0x19, 1, CALLEE, 0);
    cell = CALLEE;
    called = stub;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_argument_is_where_the_function_keeps_it),
        cmocka_unit_test(code_elsewhere_may_lead_back),
        cmocka_unit_test(a_caller_hands_over_what_its_code_says),
        cmocka_unit_test(a_stub_that_only_jumps_passes_on_what_it_was_handed),
        cmocka_unit_test(a_callee_that_the_call_does_not_lead_to_was_handed_something_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
