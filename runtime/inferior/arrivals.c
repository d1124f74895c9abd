/* Where threads come to a meeting from: their registers are the debugged code's, which the debugger is told.
 */
#include "gather.h"
#include "sentinel.h"

#ifdef __x86_64__

#include <cpuid.h>

/* What is saved of the extended state: all but the kernel's own (PKRU) and AMX's tiles, which no code here
 * uses. Source: Intel SDM 1, 13.1: x87, SSE, AVX, AVX-512's three. */
#define STATES "0xe7"
#define ROOM "2752" /* 13.4: of these, at most, to a multiple of 64 */

__attribute__((visibility("hidden"))) extern const char gather_line_entry[], gather_line_stop[];
__attribute__((visibility("hidden"))) uint32_t gather_has_xsave;

/* Called below only. */
__attribute__((visibility("hidden"))) bool gather_passes_stop(const jitscope_waiting *place);
__attribute__((visibility("hidden"))) bool gather_passes_line(const jitscope_waiting *place);

/* GATHER_RELEASED is the one that does not stop. */
bool gather_passes_stop(const jitscope_waiting *place)
{
    return gather_arrive(JITSCOPE_GATHER_AT_STOP, place) == GATHER_RELEASED;
}

/* GATHER_STOP is the one that stops. */
bool gather_passes_line(const jitscope_waiting *place)
{
    return gather_arrive(JITSCOPE_GATHER_AT_LINE, place) != GATHER_STOP;
}

__attribute__((constructor)) static void prepare(void)
{
    unsigned a, b, c, d;
    gather_has_xsave = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE);
    gather_here.line_entry = (uint64_t)(uintptr_t)gather_line_entry;
    gather_here.line_stop = (uint64_t)(uintptr_t)gather_line_stop;
}

/* What gather_line_entry has pushed. */
#define RESTORE                                                                                              \
    "    popq %rbx\n    .cfi_def_cfa_offset 256\n    .cfi_restore %rbx\n"                                    \
    "    popq %rbp\n    .cfi_def_cfa_offset 248\n    .cfi_restore %rbp\n"                                    \
    "    popq %r12\n    .cfi_def_cfa_offset 240\n"                                                           \
    "    popq %r13\n    .cfi_def_cfa_offset 232\n"                                                           \
    "    popq %r14\n    .cfi_def_cfa_offset 224\n"                                                           \
    "    popq %r15\n    .cfi_def_cfa_offset 216\n"                                                           \
    "    popq %r11\n    .cfi_def_cfa_offset 208\n"                                                           \
    "    popq %r10\n    .cfi_def_cfa_offset 200\n"                                                           \
    "    popq %r9\n    .cfi_def_cfa_offset 192\n"                                                            \
    "    popq %r8\n    .cfi_def_cfa_offset 184\n"                                                            \
    "    popq %rdi\n    .cfi_def_cfa_offset 176\n"                                                           \
    "    popq %rsi\n    .cfi_def_cfa_offset 168\n"                                                           \
    "    popq %rdx\n    .cfi_def_cfa_offset 160\n"                                                           \
    "    popq %rcx\n    .cfi_def_cfa_offset 152\n"                                                           \
    "    popq %rax\n    .cfi_def_cfa_offset 144\n"                                                           \
    "    popfq\n    .cfi_def_cfa_offset 136\n"

/* Two functions that are like no compiler's: each lays a jitscope_waiting on the stack, and calls.
 *
 * gather_or_stop is called by what is at the place. gather_line_entry is not called: its caller's frame
 * begins 128 bytes above the address that it returns to, for what lies there may be the caller's (System V
 * ABI x86-64 psABI 1.0, 3.2.2), and every register is. Its first instruction may be run in a copy elsewhere.
 */
__asm__(".text\n"
        ".globl gather_or_stop\n"
        ".hidden gather_or_stop\n"
        ".type gather_or_stop, @function\n"
        "gather_or_stop:\n"
        ".cfi_startproc\n"
        "    endbr64\n"
        "    pushq %r15\n    .cfi_def_cfa_offset 16\n"
        "    pushq %r14\n    .cfi_def_cfa_offset 24\n"
        "    pushq %r13\n    .cfi_def_cfa_offset 32\n"
        "    pushq %r12\n    .cfi_def_cfa_offset 40\n"
        "    pushq %rbp\n    .cfi_def_cfa_offset 48\n"
        "    pushq %rbx\n    .cfi_def_cfa_offset 56\n"
        "    leaq 56(%rsp), %rax\n"
        "    pushq %rax\n    .cfi_def_cfa_offset 64\n"     /* sp */
        "    pushq 56(%rsp)\n    .cfi_def_cfa_offset 72\n" /* pc */
        "    movq %rsp, %rdi\n"
        "    subq $8, %rsp\n    .cfi_def_cfa_offset 80\n"
        "    call gather_passes_stop\n"
        "    addq $72, %rsp\n    .cfi_def_cfa_offset 8\n"
        "    testb %al, %al\n"
        "    je sentinel_stop\n"
        "    ret\n"
        ".cfi_endproc\n"
        ".size gather_or_stop, .-gather_or_stop\n"

        ".globl gather_line_entry\n"
        ".hidden gather_line_entry\n"
        ".type gather_line_entry, @function\n"
        "gather_line_entry:\n"
        ".cfi_startproc\n"
        ".cfi_def_cfa %rsp, 136\n"
        ".cfi_offset %rip, -136\n"
        "    nop\n"
        "    pushfq\n    .cfi_def_cfa_offset 144\n"
        "    pushq %rax\n    .cfi_def_cfa_offset 152\n"
        "    pushq %rcx\n    .cfi_def_cfa_offset 160\n"
        "    pushq %rdx\n    .cfi_def_cfa_offset 168\n"
        "    pushq %rsi\n    .cfi_def_cfa_offset 176\n"
        "    pushq %rdi\n    .cfi_def_cfa_offset 184\n"
        "    pushq %r8\n    .cfi_def_cfa_offset 192\n"
        "    pushq %r9\n    .cfi_def_cfa_offset 200\n"
        "    pushq %r10\n    .cfi_def_cfa_offset 208\n"
        "    pushq %r11\n    .cfi_def_cfa_offset 216\n"
        "    pushq %r15\n    .cfi_def_cfa_offset 224\n"
        "    pushq %r14\n    .cfi_def_cfa_offset 232\n"
        "    pushq %r13\n    .cfi_def_cfa_offset 240\n"
        "    pushq %r12\n    .cfi_def_cfa_offset 248\n"
        "    pushq %rbp\n    .cfi_def_cfa_offset 256\n    .cfi_offset %rbp, -256\n"
        "    pushq %rbx\n    .cfi_def_cfa_offset 264\n    .cfi_offset %rbx, -264\n"
        "    leaq 264(%rsp), %rax\n"
        "    pushq %rax\n    .cfi_def_cfa_offset 272\n"      /* sp */
        "    pushq 136(%rsp)\n    .cfi_def_cfa_offset 280\n" /* pc: 272 - 136 */
        "    movq %rsp, %rbp\n    .cfi_def_cfa_register %rbp\n"
        "    cld\n"
        "    subq $" ROOM ", %rsp\n"
        "    andq $-64, %rsp\n"
        "    movl gather_has_xsave(%rip), %ebx\n"
        "    testl %ebx, %ebx\n"
        "    je 1f\n"
        "    xorl %eax, %eax\n" /* the header, which xsave writes in part */
        "    movq %rax, 512(%rsp)\n    movq %rax, 520(%rsp)\n    movq %rax, 528(%rsp)\n"
        "    movq %rax, 536(%rsp)\n    movq %rax, 544(%rsp)\n    movq %rax, 552(%rsp)\n"
        "    movq %rax, 560(%rsp)\n    movq %rax, 568(%rsp)\n"
        "    movl $" STATES ", %eax\n    xorl %edx, %edx\n"
        "    xsave64 (%rsp)\n"
        "    jmp 2f\n"
        "1:  fxsave64 (%rsp)\n"
        "2:  movq %rbp, %rdi\n"
        "    call gather_passes_line\n"
        "    movb %al, (%rbp)\n" /* the place is read by nobody any more */
        "    testl %ebx, %ebx\n"
        "    je 3f\n"
        "    movl $" STATES ", %eax\n    xorl %edx, %edx\n"
        "    xrstor64 (%rsp)\n"
        "    jmp 4f\n"
        "3:  fxrstor64 (%rsp)\n"
        "4:  cmpb $0, (%rbp)\n"
        "    leaq 16(%rbp), %rsp\n    .cfi_def_cfa %rsp, 264\n"
        "    je 5f\n"
        "    .cfi_remember_state\n" RESTORE "    ret $128\n"
        "    .cfi_restore_state\n"
        "5:\n" RESTORE ".hidden gather_line_stop\n"
        ".globl gather_line_stop\n"
        "gather_line_stop:\n"
        "    nop\n"
        "    ret $128\n"
        ".cfi_endproc\n"
        ".size gather_line_entry, .-gather_line_entry\n");

#else

void gather_or_stop(void)
{
    if (gather_arrive(JITSCOPE_GATHER_AT_STOP, NULL) != GATHER_RELEASED)
        sentinel_stop();
}

#endif
