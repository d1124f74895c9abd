/* The two entries by which threads come to a meeting from debugged code. They save the registers of that
 * code, and report them to the debugger. */
#include "rendezvous/gather.h"
#include "rendezvous/sentinel.h"

#ifdef __x86_64__

#include <cpuid.h>
#include <string.h>
#include <sys/mman.h>

/* The components of the extended state that are saved: x87, SSE, AVX, and AVX-512's three (Intel SDM 1,
 * 13.1). Not saved are the kernel's own (PKRU) and AMX's tiles, which no code here uses. */
#define STATES "0xe7"
#define ROOM "2752" /* the most bytes that they need, rounded up to a multiple of 64 (13.4) */

__attribute__((visibility("hidden"))) extern const char gather_line_entry[], gather_line_stop[];
__attribute__((visibility("hidden"))) uint32_t gather_has_xsave;

/* Called only by the assembly below. */
__attribute__((visibility("hidden"))) bool gather_passes_stop(const jitscope_waiting *place);
__attribute__((visibility("hidden"))) bool gather_passes_line(const jitscope_waiting *place);

/* True if the thread runs on without a stop. */
bool gather_passes_stop(const jitscope_waiting *place)
{
    return gather_arrive(JITSCOPE_GATHER_AT_STOP, place) == GATHER_RELEASED;
}

/* False if the thread stops for all. */
bool gather_passes_line(const jitscope_waiting *place)
{
    return gather_arrive(JITSCOPE_GATHER_AT_LINE, place) != GATHER_STOP;
}

/* The marker `leal disp32, %r10d` (runtime/python/jitscope/compiler/base/emit.py), and `call *disp32`. They
 * differ in one byte of their opcodes, so that one can be written over the other while threads run. */
enum { LINE_SIZE = 8, LINE_ADDRESS = 4 };
static const uint8_t LINE_MARKER[LINE_SIZE] = {0x44, 0x8d, 0x14, 0x25, 'j', 'i', 't', 's'};
static const uint8_t LINE_CALL[LINE_ADDRESS] = {0x44, 0xff, 0x14, 0x25};

/* Offer line_call to the debugger. The pointer through which it calls is below 2 GiB, where code at any
 * address can call through it. */
static void offer_line(void)
{
    const char **call =
        mmap(NULL, sizeof *call, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (call == MAP_FAILED) {
        return;
    }
    *call = gather_line_entry;
    mprotect(call, sizeof *call, PROT_READ);
    uint32_t address = (uint32_t)(uintptr_t)call;
    memcpy(gather_here.line_marker, LINE_MARKER, LINE_SIZE);
    memcpy(gather_here.line_call, LINE_CALL, LINE_ADDRESS);
    memcpy(gather_here.line_call + LINE_ADDRESS, &address, sizeof address);
    gather_here.line_stop = (uint64_t)(uintptr_t)gather_line_stop;
    gather_here.line_size = LINE_SIZE;
}

__attribute__((constructor)) static void prepare(void)
{
    unsigned a, b, c, d;
    gather_has_xsave = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE);
    offer_line();
}

/* Pops what gather_line_entry has pushed. */
#define RESTORE                                                                                              \
    "    popq %rbx\n    .cfi_def_cfa_offset 128\n    .cfi_restore %rbx\n"                                    \
    "    popq %rbp\n    .cfi_def_cfa_offset 120\n    .cfi_restore %rbp\n"                                    \
    "    popq %r12\n    .cfi_def_cfa_offset 112\n"                                                           \
    "    popq %r13\n    .cfi_def_cfa_offset 104\n"                                                           \
    "    popq %r14\n    .cfi_def_cfa_offset 96\n"                                                            \
    "    popq %r15\n    .cfi_def_cfa_offset 88\n"                                                            \
    "    popq %r11\n    .cfi_def_cfa_offset 80\n"                                                            \
    "    popq %r10\n    .cfi_def_cfa_offset 72\n"                                                            \
    "    popq %r9\n    .cfi_def_cfa_offset 64\n"                                                             \
    "    popq %r8\n    .cfi_def_cfa_offset 56\n"                                                             \
    "    popq %rdi\n    .cfi_def_cfa_offset 48\n"                                                            \
    "    popq %rsi\n    .cfi_def_cfa_offset 40\n"                                                            \
    "    popq %rdx\n    .cfi_def_cfa_offset 32\n"                                                            \
    "    popq %rcx\n    .cfi_def_cfa_offset 24\n"                                                            \
    "    popq %rax\n    .cfi_def_cfa_offset 16\n"                                                            \
    "    popfq\n    .cfi_def_cfa_offset 8\n"

/* Two functions that a compiler cannot make: each builds a jitscope_waiting on the stack, and calls.
 *
 * gather_or_stop is called by jitscope_breakpoint. gather_line_entry is called by a call that the debugger
 * has written over an instruction that does nothing: so every register is the caller's, and the caller uses
 * nothing below its stack pointer (noredzone). */
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
        "    endbr64\n"
        "    pushfq\n    .cfi_def_cfa_offset 16\n"
        "    pushq %rax\n    .cfi_def_cfa_offset 24\n"
        "    pushq %rcx\n    .cfi_def_cfa_offset 32\n"
        "    pushq %rdx\n    .cfi_def_cfa_offset 40\n"
        "    pushq %rsi\n    .cfi_def_cfa_offset 48\n"
        "    pushq %rdi\n    .cfi_def_cfa_offset 56\n"
        "    pushq %r8\n    .cfi_def_cfa_offset 64\n"
        "    pushq %r9\n    .cfi_def_cfa_offset 72\n"
        "    pushq %r10\n    .cfi_def_cfa_offset 80\n"
        "    pushq %r11\n    .cfi_def_cfa_offset 88\n"
        "    pushq %r15\n    .cfi_def_cfa_offset 96\n"
        "    pushq %r14\n    .cfi_def_cfa_offset 104\n"
        "    pushq %r13\n    .cfi_def_cfa_offset 112\n"
        "    pushq %r12\n    .cfi_def_cfa_offset 120\n"
        "    pushq %rbp\n    .cfi_def_cfa_offset 128\n    .cfi_offset %rbp, -128\n"
        "    pushq %rbx\n    .cfi_def_cfa_offset 136\n    .cfi_offset %rbx, -136\n"
        "    leaq 136(%rsp), %rax\n"
        "    pushq %rax\n    .cfi_def_cfa_offset 144\n"      /* sp */
        "    pushq 136(%rsp)\n    .cfi_def_cfa_offset 152\n" /* pc: 144 - 8 */
        "    movq %rsp, %rbp\n    .cfi_def_cfa_register %rbp\n"
        "    cld\n"
        "    subq $" ROOM ", %rsp\n"
        "    andq $-64, %rsp\n"
        "    movl gather_has_xsave(%rip), %ebx\n"
        "    testl %ebx, %ebx\n"
        "    je 1f\n"
        "    xorl %eax, %eax\n" /* the header, which xsave writes only in part */
        "    movq %rax, 512(%rsp)\n    movq %rax, 520(%rsp)\n    movq %rax, 528(%rsp)\n"
        "    movq %rax, 536(%rsp)\n    movq %rax, 544(%rsp)\n    movq %rax, 552(%rsp)\n"
        "    movq %rax, 560(%rsp)\n    movq %rax, 568(%rsp)\n"
        "    movl $" STATES ", %eax\n    xorl %edx, %edx\n"
        "    xsave64 (%rsp)\n"
        "    jmp 2f\n"
        "1:  fxsave64 (%rsp)\n"
        "2:  movq %rbp, %rdi\n"
        "    call gather_passes_line\n"
        "    movb %al, (%rbp)\n" /* the place is not read any more */
        "    testl %ebx, %ebx\n"
        "    je 3f\n"
        "    movl $" STATES ", %eax\n    xorl %edx, %edx\n"
        "    xrstor64 (%rsp)\n"
        "    jmp 4f\n"
        "3:  fxrstor64 (%rsp)\n"
        "4:  cmpb $0, (%rbp)\n"
        "    leaq 16(%rbp), %rsp\n    .cfi_def_cfa %rsp, 136\n"
        "    je 5f\n"
        "    .cfi_remember_state\n" RESTORE "    ret\n"
        "    .cfi_restore_state\n"
        "5:\n" RESTORE ".hidden gather_line_stop\n"
        ".globl gather_line_stop\n"
        "gather_line_stop:\n"
        "    nop\n"
        "    ret\n"
        ".cfi_endproc\n"
        ".size gather_line_entry, .-gather_line_entry\n");

#else

void gather_or_stop(void)
{
    if (gather_arrive(JITSCOPE_GATHER_AT_STOP, NULL) != GATHER_RELEASED)
        sentinel_stop();
}

#endif
