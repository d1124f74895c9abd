/* Sorts instructions of x86-64 by what they do. */
#include <string.h>

#include "program/machine/code_x86_64.h"

unsigned js_x86_copied_bytes(unsigned id, const js_place *to, const js_place *from)
{
    switch (id) {
    case X86_INS_MOV:
    case X86_INS_MOVABS:
        return to->size < from->size ? to->size : from->size;
    case X86_INS_MOVZX:
    case X86_INS_MOVSX:
    case X86_INS_MOVSXD:
        return from->size;
    case X86_INS_MOVD:
    case X86_INS_VMOVD:
        return 4;
    case X86_INS_MOVQ:
    case X86_INS_VMOVQ:
        return 8;
    case X86_INS_MOVSS:
    case X86_INS_VMOVSS:
        return 4;
    case X86_INS_MOVSD:
    case X86_INS_VMOVSD:
        return 8;
    case X86_INS_MOVAPS:
    case X86_INS_MOVAPD:
    case X86_INS_MOVUPS:
    case X86_INS_MOVUPD:
    case X86_INS_MOVDQA:
    case X86_INS_MOVDQU:
    case X86_INS_VMOVAPS:
    case X86_INS_VMOVAPD:
    case X86_INS_VMOVUPS:
    case X86_INS_VMOVUPD:
    case X86_INS_VMOVDQA:
    case X86_INS_VMOVDQU:
        return to->size < from->size ? to->size : from->size;
    default:
        return 0;
    }
}

bool js_x86_is_zeroing(unsigned id)
{
    switch (id) {
    case X86_INS_XOR:
    case X86_INS_XORPS:
    case X86_INS_XORPD:
    case X86_INS_PXOR:
    case X86_INS_VXORPS:
    case X86_INS_VXORPD:
    case X86_INS_VPXOR:
    case X86_INS_VPXORD:
    case X86_INS_VPXORQ:
        return true;
    default:
        return false;
    }
}

bool js_x86_only_reads(unsigned id)
{
    switch (id) {
    case X86_INS_CMP:
    case X86_INS_TEST:
    case X86_INS_BT:
    case X86_INS_UCOMISS:
    case X86_INS_UCOMISD:
    case X86_INS_VUCOMISS:
    case X86_INS_VUCOMISD:
    case X86_INS_COMISS:
    case X86_INS_COMISD:
    case X86_INS_VCOMISS:
    case X86_INS_VCOMISD:
    case X86_INS_PTEST:
    case X86_INS_VPTEST:
    case X86_INS_VTESTPS:
    case X86_INS_VTESTPD:
    case X86_INS_PREFETCHT0:
    case X86_INS_PREFETCHT1:
    case X86_INS_PREFETCHT2:
    case X86_INS_PREFETCHNTA:
    case X86_INS_PREFETCHW:
        return true;
    default:
        return false;
    }
}

bool js_x86_writes_all_operands(unsigned id)
{
    switch (id) {
    case X86_INS_XCHG:
    case X86_INS_XADD:
    case X86_INS_CMPXCHG:
    case X86_INS_MULX:
    case X86_INS_VGATHERDPD:
    case X86_INS_VGATHERDPS:
    case X86_INS_VGATHERQPD:
    case X86_INS_VGATHERQPS:
    case X86_INS_VPGATHERDD:
    case X86_INS_VPGATHERDQ:
    case X86_INS_VPGATHERQD:
    case X86_INS_VPGATHERQQ:
        return true;
    default:
        return false;
    }
}

/* Instructions that compilers also use for a single number are left out: changes of sign by a mask, and the
 * conversion of an integer to a float. */
bool js_x86_is_packed(const char *mnemonic)
{
    static const char *const floats[] = {"add", "mul", "div", "sqrt", "max", "min"};
    static const char *const integers[] = {"padd", "pmul", "pmax", "pmin"};
    const char *name = mnemonic + (*mnemonic == 'v');
    size_t length = strlen(name);
    if (length < 4) {
        return false;
    }
    bool is_float = strcmp(name + length - 2, "pd") == 0 || strcmp(name + length - 2, "ps") == 0;
    bool found = is_float && (strncmp(name, "fm", 2) == 0 || strncmp(name, "fnm", 3) == 0);
    for (size_t i = 0; i < sizeof(floats) / sizeof(*floats) && is_float; i++) {
        found |= strncmp(name, floats[i], strlen(floats[i])) == 0;
    }
    for (size_t i = 0; i < sizeof(integers) / sizeof(*integers); i++) {
        found |= strncmp(name, integers[i], strlen(integers[i])) == 0;
    }
    return found;
}

bool js_x86_converts(const cs_insn *insn)
{
    const cs_x86 *x86 = &insn->detail->x86;
    const char *name = insn->mnemonic + (*insn->mnemonic == 'v');
    if (x86->op_count < 2 || x86->operands[0].type != X86_OP_REG) {
        return false;
    }
    bool is_truth = insn->id == X86_INS_AND && x86->operands[0].size == 1 &&
                    x86->operands[1].type == X86_OP_IMM && x86->operands[1].imm == 1;
    return is_truth || strncmp(name, "cvt", 3) == 0;
}

int64_t js_x86_step(const cs_insn *insn)
{
    const cs_x86 *x86 = &insn->detail->x86;
    const cs_x86_op *to = &x86->operands[0], *by = &x86->operands[1];
    if (x86->op_count == 0 || to->type != X86_OP_REG || to->size != 8) {
        return 0;
    }
    switch (insn->id) {
    case X86_INS_INC:
        return 1;
    case X86_INS_DEC:
        return -1;
    case X86_INS_ADD:
        return by->type == X86_OP_IMM ? by->imm : 0;
    case X86_INS_SUB:
        return by->type == X86_OP_IMM ? -by->imm : 0;
    case X86_INS_LEA:
        return by->mem.base == to->reg && by->mem.index == X86_REG_INVALID ? by->mem.disp : 0;
    default:
        return 0;
    }
}
