/* What decoding x86-64 is made of. Internal to machine/. */
#ifndef JS_PROGRAM_MACHINE_CODE_X86_64_H
#define JS_PROGRAM_MACHINE_CODE_X86_64_H

#include <capstone/capstone.h>

#include "program/machine/code.h"

/* code_x86_64_registers.c: our number of the decoder's register; JS_CODE_REGISTERS: none that is followed. */
unsigned js_x86_register(unsigned reg);

/* ---- code_x86_64_kinds.c ---- */
/* Bytes that a copying instruction keeps; 0: it is none. */
unsigned js_x86_copied_bytes(unsigned id, const js_place *to, const js_place *from);
bool js_x86_is_zeroing(unsigned id);
bool js_x86_only_reads(unsigned id);
bool js_x86_writes_all_operands(unsigned id);
/* Arithmetic on several numbers at once, by the instruction's name. */
bool js_x86_is_packed(const char *mnemonic);
bool js_x86_converts(const cs_insn *at);
/* What an instruction adds to its register each time; 0: nothing, or more than that. */
int64_t js_x86_step(const cs_insn *at);

#endif
