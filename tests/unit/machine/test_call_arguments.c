/* What was a function called with? Its code is written by hand; the machine is a buffer and a few registers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "program/machine/call_arguments.h"

enum { LO = 0x1000, CELL = 0x2008, CFA = 0x2100, CALLEE = 0x7000, STUB = 0x2200, RBX = 3, RDI = 5 };

/* test rdi,rdi; je +32; push rbx; sub rsp,16; mov rbx,rsi; mov [rsp+8],rdi; mov rax,[rdi-8]; xor edi,edi;
 * call rax; mov rdi,[rsp+8]; add rsp,16; pop rbx; ret */
static const uint8_t keeps[] = {0x48, 0x85, 0xff, 0x74, 0x1f, 0x53, 0x48, 0x83, 0xec, 0x10, 0x48, 0x89, 0xf3,
                                0x48, 0x89, 0x7c, 0x24, 0x08, 0x48, 0x8b, 0x47, 0xf8, 0x31, 0xff, 0xff, 0xd0,
                                0x48, 0x8b, 0x7c, 0x24, 0x08, 0x48, 0x83, 0xc4, 0x10, 0x5b, 0xc3};

/* sub rsp,8; mov rax,0x7000; mov edi,0xbadadd; mov rsi,-3; call rax; add rsp,8; ret */
static const uint8_t direct[] = {0x48, 0x83, 0xec, 0x08, 0x48, 0xb8, 0x00, 0x70, 0x00, 0x00, 0x00,
                                 0x00, 0x00, 0x00, 0xbf, 0xdd, 0xda, 0xba, 0x00, 0x48, 0xc7, 0xc6,
                                 0xfd, 0xff, 0xff, 0xff, 0xff, 0xd0, 0x48, 0x83, 0xc4, 0x08, 0xc3};

/* push rbp; push rbx; push r12; mov rbx,rdi; mov rbp,0x2000; mov rdi,rbx; xor esi,esi; call [rbp+8];
 * mov rax,0x2000; mov rax,[rax+8]; mov edi,ebx; lea rsi,[rbx+8]; call rax; pop r12; pop rbx; pop rbp; ret */
static const uint8_t by_cell[] = {0x55, 0x53, 0x41, 0x54, 0x48, 0x89, 0xfb, 0x48, 0xbd, 0x00, 0x20,
                                  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x48, 0x89, 0xdf, 0x31, 0xf6,
                                  0xff, 0x55, 0x08, 0x48, 0xb8, 0x00, 0x20, 0x00, 0x00, 0x00, 0x00,
                                  0x00, 0x00, 0x48, 0x8b, 0x40, 0x08, 0x89, 0xdf, 0x48, 0x8d, 0x73,
                                  0x08, 0xff, 0xd0, 0x41, 0x5c, 0x5b, 0x5d, 0xc3};

/* test rdi,rdi; jne out of the function; mov rax,[rdi]; ret */
static const uint8_t leaves[] = {0x48, 0x85, 0xff, 0x75, 0x81, 0x48, 0x8b, 0x07, 0xc3};

/* endbr64; bnd jmp *0x100(%rip): as in a procedure linkage table */
static const uint8_t stub[] = {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0x00, 0x01, 0x00, 0x00};

/* lea rdi,[rdi+8]; jmp *0x100(%rip) */
static const uint8_t wrapper[] = {0x48, 0x8d, 0x7f, 0x08, 0xff, 0x25, 0x00, 0x01, 0x00, 0x00, 0x90};

static uint8_t contents[0x1400]; /* from LO on */
static js_bytes memory;

/* Each register holds 0x100 and its number; a caller's are told where a callee preserves them. */
static int read_register(void *context, unsigned number, void *buffer, size_t capacity)
{
    const int *is_caller = context;
    uint64_t value = 0x100 + number;
    if ((*is_caller && number != RBX) || capacity < sizeof value)
        return JS_ENOTFOUND;
    memcpy(buffer, &value, sizeof value);
    return sizeof value;
}

static void put_word(uint64_t address, uint64_t value)
{
    memcpy(contents + (address - LO), &value, sizeof value);
}

static uint64_t cell = CALLEE;       /* what the word of memory at CELL is */
static const uint8_t *called = stub; /* the code at STUB */

static int ask(const uint8_t *code, size_t size, uint64_t at, int is_caller, uint64_t callee,
               unsigned argument, uint64_t *out)
{
    memset(contents, 0, sizeof contents);
    memcpy(contents, code, size);
    put_word(CELL, cell);
    memcpy(contents + (STUB - LO), called, sizeof stub);
    put_word(STUB + sizeof stub + 0x100, CALLEE);
    put_word(CFA - 24, 0xabc);
    assert_int_equal(js_bytes_init_buffer(&memory, LO, contents, sizeof contents), JS_OK);
    js_frame frame = {.pc = LO + at,
                      .is_caller = is_caller,
                      .cfa = CFA,
                      .registers = read_register,
                      .context = &is_caller,
                      .memory = &memory};
    return js_passed(&frame, LO, LO + size, callee, argument, out);
}

#define EXPECT(code, at, is_caller, callee, argument, expected)                                              \
    do {                                                                                                     \
        uint64_t told;                                                                                       \
        assert_int_equal(ask(code, sizeof(code), at, is_caller, callee, argument, &told), JS_OK);            \
        assert_int_equal(told, expected);                                                                    \
    } while (0)

#define REFUSE(code, at, is_caller, callee, argument)                                                        \
    do {                                                                                                     \
        uint64_t told;                                                                                       \
        assert_int_equal(ask(code, sizeof(code), at, is_caller, callee, argument, &told), JS_ENOTFOUND);     \
    } while (0)

static void an_argument_is_where_the_function_keeps_it(void **state)
{
    (void)state;
    EXPECT(keeps, 0x00, 0, 0, 0, 0x100 + RDI);
    EXPECT(keeps, 0x12, 0, 0, 0, 0x100 + RDI);
    EXPECT(keeps, 0x12, 0, 0, 1, 0x100 + RBX); /* which holds the same there */
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
    REFUSE(by_cell, 0x2f, 1, CALLEE, 0); /* 32 bits of it alone */
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
