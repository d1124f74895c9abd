/* Registers of x86-64: capstone's and DWARF's numbers for them, and which of them a call may change. */
#include "program/machine/code.h"
#include "program/machine/code_x86_64.h"

/* A call leaves rbx, rbp, rsp and r12 to r15 unchanged (System V ABI, AMD64). */
uint64_t js_code_call_clobbers(void)
{
    const uint64_t kept = 1u << 3 | 1u << 6 | 1u << 7 | 0xf000u;
    return ~kept & (((uint64_t)1 << JS_CODE_REGISTERS) - 1);
}

/* System V ABI, AMD64, 3.2.3: rdi, rsi, rdx, rcx, r8, r9. */
const uint8_t js_code_argument_registers[JS_CODE_ARGUMENT_REGISTERS] = {5, 4, 1, 2, 8, 9};

/* System V ABI, AMD64, figure 3.36: xmm0-15 are 17-32, xmm16-31 are 67-82. */
unsigned js_code_to_dwarf(unsigned reg)
{
    if (reg < JS_CODE_VECTOR) {
        return reg;
    }
    return reg < JS_CODE_VECTOR + 16 ? reg + 1 : reg - 32 + 67;
}

unsigned js_code_from_dwarf(uint64_t number)
{
    if (number < 16) {
        return (unsigned)number;
    }
    if (number >= 17 && number <= 32) {
        return (unsigned)number - 1;
    }
    return number >= 67 && number <= 82 ? (unsigned)number - 67 + 32 : JS_CODE_REGISTERS;
}

#define GENERAL(number, r8, r16, r32, r64)                                                                   \
    case X86_REG_##r8:                                                                                       \
    case X86_REG_##r16:                                                                                      \
    case X86_REG_##r32:                                                                                      \
    case X86_REG_##r64:                                                                                      \
        return number;

unsigned js_x86_register(unsigned reg)
{
    switch (reg) {
        GENERAL(0, AL, AX, EAX, RAX)
        GENERAL(1, DL, DX, EDX, RDX)
        GENERAL(2, CL, CX, ECX, RCX)
        GENERAL(3, BL, BX, EBX, RBX)
        GENERAL(4, SIL, SI, ESI, RSI)
        GENERAL(5, DIL, DI, EDI, RDI)
        GENERAL(6, BPL, BP, EBP, RBP)
        GENERAL(7, SPL, SP, ESP, RSP)
        GENERAL(8, R8B, R8W, R8D, R8)
        GENERAL(9, R9B, R9W, R9D, R9)
        GENERAL(10, R10B, R10W, R10D, R10)
        GENERAL(11, R11B, R11W, R11D, R11)
        GENERAL(12, R12B, R12W, R12D, R12)
        GENERAL(13, R13B, R13W, R13D, R13)
        GENERAL(14, R14B, R14W, R14D, R14)
        GENERAL(15, R15B, R15W, R15D, R15)
    case X86_REG_AH:
        return 0;
    case X86_REG_DH:
        return 1;
    case X86_REG_CH:
        return 2;
    case X86_REG_BH:
        return 3;
    default:
        break;
    }
    if (reg >= X86_REG_XMM0 && reg <= X86_REG_XMM31) {
        return JS_CODE_VECTOR + reg - X86_REG_XMM0;
    }
    if (reg >= X86_REG_YMM0 && reg <= X86_REG_YMM31) {
        return JS_CODE_VECTOR + reg - X86_REG_YMM0;
    }
    if (reg >= X86_REG_ZMM0 && reg <= X86_REG_ZMM31) {
        return JS_CODE_VECTOR + reg - X86_REG_ZMM0;
    }
    return JS_CODE_REGISTERS;
}
