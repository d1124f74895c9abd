/* Helpers of code_x86_64.c, which decodes x86-64 with capstone. `id` and `mnemonic` are capstone's. */
#ifndef JS_PROGRAM_MACHINE_CODE_X86_64_H
#define JS_PROGRAM_MACHINE_CODE_X86_64_H

#include <capstone/capstone.h>

#include "program/machine/code.h"

/* code_x86_64_registers.c: return the number in code.h of capstone's register; JS_CODE_REGISTERS: it is not
 * followed. */
unsigned js_x86_register(unsigned reg);

/* ---- code_x86_64_kinds.c ---- */
/* Return how many bytes a copying instruction copies; 0: it is none. */
unsigned js_x86_copied_bytes(unsigned id, const js_place *to, const js_place *from);
/* True for operations (xor) whose result is 0 if both sources are one register. */
bool js_x86_is_zeroing(unsigned id);
/* True for operations (comparisons and tests) that write no operand. */
bool js_x86_only_reads(unsigned id);
/* True for operations that may write all of their operands. */
bool js_x86_writes_all_operands(unsigned id);
/* True for arithmetic on several numbers at once. */
bool js_x86_is_packed(const char *mnemonic);
/* As js_insn.converts. */
bool js_x86_converts(const cs_insn *insn);
/* Return what the instruction adds to its register; 0: it adds no constant, or does something else, too. */
int64_t js_x86_step(const cs_insn *insn);

#endif
