/* JS_ASSEMBLY: machine code of x86-64 as text, which the assembler translates. */
#ifndef TESTS_ASSEMBLY_H
#define TESTS_ASSEMBLY_H

#include <stddef.h>
#include <stdint.h>

/* Define the code as data at `name`, in Intel's syntax with `;` between instructions. Labels are numbers from
 * 2 on, because LLVM takes 0b and 1b for binary numbers. A comment after an instruction starts with its
 * offset. */
#define JS_ASSEMBLY(name, text)                                                                              \
    extern const uint8_t name[], name##_end[];                                                               \
    __asm__(".pushsection .rodata\n" #name ":\n"                                                             \
            ".intel_syntax noprefix\n" text "\n.att_syntax prefix\n" #name "_end:\n"                         \
            ".popsection")

#define JS_ASSEMBLY_SIZE(name) ((size_t)(name##_end - (name)))
#endif
