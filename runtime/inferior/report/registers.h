/* Registers of a thread as the kernel's struct user_regs_struct has them; one block for each architecture. */
#ifndef JITSCOPE_REGISTERS_H
#define JITSCOPE_REGISTERS_H

#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include "jitscope_report.h"

#ifdef __x86_64__

#define REGISTERS_ARE_KNOWN 1

/* Words of struct user_regs_struct (Linux arch/x86/include/asm/user_64.h). */
enum { REGISTERS_CALL = 15, REGISTERS_PC = 16, REGISTERS_SP = 19, REGISTERS_THREAD = 21 };

/* Return the address of the calling thread's storage (fs_base). */
static inline uint64_t registers_thread_pointer(void)
{
    uint64_t pointer;
    __asm__("mov %%fs:0, %0" : "=r"(pointer)); /* its first word is its own address (ELF TLS, x86-64 psABI) */
    return pointer;
}

/* Take the registers that a signal has interrupted. The number of the system call is not in them. */
static inline void registers_take(const ucontext_t *context, uint64_t registers[JITSCOPE_REPORT_REGISTERS])
{
    static const uint8_t words[JITSCOPE_REPORT_REGISTERS] = {
        REG_R15, REG_R14, REG_R13,   REG_R12,   REG_RBP,   REG_RBX,   REG_R11,   REG_R10,   REG_R9,
        REG_R8,  REG_RAX, REG_RCX,   REG_RDX,   REG_RSI,   REG_RDI,   UINT8_MAX, REG_RIP,   UINT8_MAX,
        REG_EFL, REG_RSP, UINT8_MAX, UINT8_MAX, UINT8_MAX, UINT8_MAX, UINT8_MAX, UINT8_MAX, UINT8_MAX};
    for (int i = 0; i < JITSCOPE_REPORT_REGISTERS; i++) {
        registers[i] = words[i] == UINT8_MAX ? 0 : (uint64_t)context->uc_mcontext.gregs[words[i]];
    }
    registers[REGISTERS_CALL] = UINT64_MAX;
    registers[REGISTERS_THREAD] = registers_thread_pointer();
}

#else

#define REGISTERS_ARE_KNOWN 0

enum { REGISTERS_CALL = 0, REGISTERS_PC = 1, REGISTERS_SP = 2, REGISTERS_THREAD = 3 };

static inline void registers_take(const ucontext_t *context, uint64_t registers[JITSCOPE_REPORT_REGISTERS])
{
    (void)context;
    memset(registers, 0, JITSCOPE_REPORT_REGISTERS * sizeof registers[0]);
}

#endif

#endif
