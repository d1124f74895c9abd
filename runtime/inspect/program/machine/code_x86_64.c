#include <capstone/capstone.h>
#include <string.h>

#include "bytes/status.h"
#include "program/machine/code.h"

/* System V ABI, AMD64: rbx, rbp, rsp and r12 to r15 survive a call. */
uint64_t js_code_call_clobbers(void)
{
    const uint64_t kept = 1u << 3 | 1u << 6 | 1u << 7 | 0xf000u;
    return ~kept & (((uint64_t)1 << JS_CODE_REGISTERS) - 1);
}

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

static unsigned register_of(unsigned reg)
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

static bool is_high_byte(unsigned reg)
{
    return reg == X86_REG_AH || reg == X86_REG_BH || reg == X86_REG_CH || reg == X86_REG_DH;
}

static js_place place_of(const cs_x86_op *operand)
{
    js_place place = {.size = operand->size};
    if (operand->type == X86_OP_REG) {
        unsigned reg = register_of((unsigned)operand->reg);
        if (reg < JS_CODE_REGISTERS && !is_high_byte((unsigned)operand->reg)) {
            place.kind = JS_PLACE_REGISTER;
            place.reg = (uint8_t)reg;
        }
    } else if (operand->type == X86_OP_IMM) {
        place.kind = JS_PLACE_VALUE;
        place.value = operand->imm;
    } else if (operand->type == X86_OP_MEM) {
        unsigned base = register_of((unsigned)operand->mem.base);
        bool in_frame =
            operand->mem.segment == X86_REG_INVALID && (base == JS_CODE_RSP || base == JS_CODE_RBP);
        place.value = operand->mem.disp;
        place.reg = (uint8_t)base;
        place.index = (uint8_t)register_of((unsigned)operand->mem.index);
        place.scale = (uint8_t)operand->mem.scale;
        place.kind = !in_frame                               ? JS_PLACE_MEMORY
                     : operand->mem.index == X86_REG_INVALID ? JS_PLACE_FRAME
                                                             : JS_PLACE_INDEXED;
    }
    return place;
}

/* Bytes that a copying instruction keeps; 0: it is none. */
static unsigned copied_bytes(unsigned id, const js_place *to, const js_place *from)
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

static bool is_zeroing(unsigned id)
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

static bool only_reads(unsigned id)
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

static bool writes_all_operands(unsigned id)
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

static uint64_t register_bit(const js_place *place)
{
    return place->kind == JS_PLACE_REGISTER ? (uint64_t)1 << place->reg : 0;
}

static uint64_t written_registers(csh handle, const cs_insn *at, uint64_t *read)
{
    cs_regs reads, writes;
    uint8_t nreads, nwrites;
    uint64_t set = 0;
    if (cs_regs_access(handle, at, reads, &nreads, writes, &nwrites) != CS_ERR_OK) {
        return ((uint64_t)1 << JS_CODE_REGISTERS) - 1;
    }
    for (unsigned i = 0; i < nreads; i++) {
        unsigned reg = register_of(reads[i]);
        *read |= reg < JS_CODE_REGISTERS ? (uint64_t)1 << reg : 0;
    }
    for (unsigned i = 0; i < nwrites; i++) {
        unsigned reg = register_of(writes[i]);
        set |= reg < JS_CODE_REGISTERS ? (uint64_t)1 << reg : 0;
    }
    return set;
}

static void fill_memory_write(js_insn *insn, const cs_x86 *x86)
{
    for (unsigned i = 0; i < x86->op_count; i++) {
        if (x86->operands[i].type == X86_OP_MEM) {
            insn->to = place_of(&x86->operands[i]);
            return;
        }
    }
}

static void fill_ordinary(js_insn *insn, const cs_insn *at, csh handle)
{
    const cs_x86 *x86 = &at->detail->x86;
    insn->op = JS_OP_OTHER;
    insn->written = written_registers(handle, at, &insn->read);
    if (x86->op_count == 0) {
        if (at->id == X86_INS_STOSB || at->id == X86_INS_STOSQ || at->id == X86_INS_MOVSB ||
            at->id == X86_INS_MOVSQ || at->id == X86_INS_STOSD || at->id == X86_INS_MOVSD) {
            insn->to = (js_place){.kind = JS_PLACE_MEMORY};
        }
        return;
    }
    js_place first = place_of(&x86->operands[0]);
    js_place last = place_of(&x86->operands[x86->op_count - 1]);
    for (unsigned i = 0; i < x86->op_count; i++) {
        if (x86->operands[i].type == X86_OP_MEM && (i > 0 || only_reads(at->id))) {
            insn->from = place_of(&x86->operands[i]);
        }
    }
    if (only_reads(at->id)) {
        return;
    }
    /* The tables of what is read and what is written have holes: the first operand always counts as written.
     */
    if (x86->operands[0].type == X86_OP_REG) {
        unsigned reg = register_of((unsigned)x86->operands[0].reg);
        insn->written |= reg < JS_CODE_REGISTERS ? (uint64_t)1 << reg : 0;
    }
    if (writes_all_operands(at->id)) {
        for (unsigned i = 0; i < x86->op_count; i++) {
            js_place place = place_of(&x86->operands[i]);
            insn->written |= register_bit(&place);
        }
        fill_memory_write(insn, x86);
        return;
    }
    insn->to = first;
    bool masked = false;
    for (unsigned i = 0; i < x86->op_count; i++) {
        masked = masked || (x86->operands[i].type == X86_OP_REG && x86->operands[i].reg >= X86_REG_K0 &&
                            x86->operands[i].reg <= X86_REG_K7);
    }
    if (is_zeroing(at->id) && x86->op_count >= 2 && first.kind == JS_PLACE_REGISTER && !masked &&
        x86->operands[x86->op_count - 1].type == X86_OP_REG &&
        x86->operands[x86->op_count - 1].reg == x86->operands[x86->op_count - 2].reg &&
        (x86->op_count == 3 || x86->operands[0].reg == x86->operands[1].reg)) {
        insn->op = JS_OP_ZERO;
        insn->width = first.reg >= JS_CODE_VECTOR || first.size >= 4 ? 64 : first.size;
        return;
    }
    if (at->id == X86_INS_LEA && first.kind == JS_PLACE_REGISTER) {
        insn->op = JS_OP_ADDRESS;
        insn->from = last;
        return;
    }
    unsigned width = copied_bytes(at->id, &first, &last);
    if (width == 0 || masked || last.kind == JS_PLACE_NONE || first.kind == JS_PLACE_NONE ||
        x86->op_count > 3) {
        return;
    }
    insn->op = JS_OP_MOVE;
    insn->from = last;
    insn->width = (uint8_t)width;
    if (insn->to.kind != JS_PLACE_REGISTER) {
        insn->to.size = (uint8_t)width;
    } else {
        insn->from.size = last.kind == JS_PLACE_REGISTER ? last.size : (uint8_t)width;
    }
    if (last.kind == JS_PLACE_VALUE) {
        insn->op = last.value == 0 ? JS_OP_ZERO : JS_OP_OTHER;
        insn->width = first.kind == JS_PLACE_REGISTER && first.size >= 4 ? 64 : first.size;
    }
}

static bool is_stack_pointer(const js_place *place)
{
    return place->kind == JS_PLACE_REGISTER && place->reg == JS_CODE_RSP;
}

static void fill_stack(js_insn *insn, const cs_insn *at)
{
    const cs_x86 *x86 = &at->detail->x86;
    js_place first = x86->op_count ? place_of(&x86->operands[0]) : (js_place){0};
    js_place last = x86->op_count > 1 ? place_of(&x86->operands[1]) : (js_place){0};
    if (at->id == X86_INS_PUSH) {
        insn->op = JS_OP_PUSH;
        insn->from = first;
    } else if (at->id == X86_INS_POP) {
        insn->op = JS_OP_POP;
        insn->to = first;
    } else if (at->id == X86_INS_LEAVE) {
        insn->op = JS_OP_LEAVE;
    } else if (is_stack_pointer(&first) && last.kind == JS_PLACE_VALUE) {
        if (at->id == X86_INS_SUB || at->id == X86_INS_ADD) {
            insn->op = JS_OP_STACK;
            insn->to.value = at->id == X86_INS_ADD ? last.value : -last.value;
        } else if (at->id == X86_INS_AND) {
            insn->op = JS_OP_ALIGN;
        }
    }
}

/* What compilers also write for one number alone is left out: signs by masks, an integer that becomes a
 * float. */
static bool is_packed(const char *mnemonic)
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

static bool converts(const cs_insn *at)
{
    const cs_x86 *x86 = &at->detail->x86;
    const char *name = at->mnemonic + (*at->mnemonic == 'v');
    return strncmp(name, "cvt", 3) == 0 && x86->op_count > 1 && x86->operands[0].type == X86_OP_REG;
}

/* What an instruction adds to its register each time. */
static int64_t step_of(const cs_insn *at)
{
    const cs_x86 *x86 = &at->detail->x86;
    const cs_x86_op *to = &x86->operands[0], *by = &x86->operands[1];
    if (x86->op_count == 0 || to->type != X86_OP_REG || to->size != 8) {
        return 0;
    }
    switch (at->id) {
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

static void fill(js_insn *insn, const cs_insn *at, csh handle)
{
    const cs_x86 *x86 = &at->detail->x86;
    insn->address = at->address;
    insn->length = (uint8_t)at->size;
    insn->target = JS_CODE_NOWHERE;
    insn->is_packed = is_packed(at->mnemonic);
    insn->converts = converts(at);
    insn->id = (uint16_t)at->id;
    insn->step = step_of(at);
    if (at->id == X86_INS_CALL || at->id == X86_INS_LCALL || at->id == X86_INS_SYSCALL) {
        insn->op = JS_OP_CALL;
        js_place called = x86->op_count == 1 ? place_of(&x86->operands[0]) : (js_place){0};
        insn->from = called.kind == JS_PLACE_REGISTER ? called : (js_place){0};
        insn->written = js_code_call_clobbers();
    } else if (cs_insn_group(handle, at, CS_GRP_JUMP)) {
        bool direct = x86->op_count == 1 && x86->operands[0].type == X86_OP_IMM;
        insn->op = !direct ? JS_OP_INDIRECT : at->id == X86_INS_JMP ? JS_OP_JUMP : JS_OP_BRANCH;
        insn->to.value = direct ? x86->operands[0].imm : 0;
    } else if (cs_insn_group(handle, at, CS_GRP_RET) || at->id == X86_INS_UD2 || at->id == X86_INS_HLT) {
        insn->op = JS_OP_END;
    } else if (at->id == X86_INS_NOP || at->id == X86_INS_INT3) {
        insn->op = JS_OP_PAD;
    } else {
        fill_ordinary(insn, at, handle);
        fill_stack(insn, at);
        insn->stores = insn->to.kind == JS_PLACE_MEMORY || insn->to.kind == JS_PLACE_INDEXED ||
                       insn->to.kind == JS_PLACE_FRAME;
    }
}

/* Past an instruction that the decoder does not know. */
static bool skip(js_insn *insn, const uint8_t **bytes, size_t *size, uint64_t *address)
{
    size_t length = js_code_skip_x86_64(insn, *bytes, *size);
    insn->address = *address;
    insn->length = (uint8_t)length;
    insn->target = JS_CODE_NOWHERE;
    *bytes += length;
    *size -= length;
    *address += length;
    return length > 0;
}

/* Opening the decoder fills its tables, which costs as much as a small function: it is kept. */
static cs_insn *decoder(csh *handle)
{
    static _Thread_local csh opened;
    static _Thread_local cs_insn *insn;
    if (!opened && cs_open(CS_ARCH_X86, CS_MODE_64, &opened) != CS_ERR_OK) {
        opened = 0;
        return NULL;
    }
    if (!insn && cs_option(opened, CS_OPT_DETAIL, CS_OPT_ON) == CS_ERR_OK) {
        insn = cs_malloc(opened);
    }
    *handle = opened;
    return insn;
}

int js_code_decode_x86_64(js_code *code, js_arena *arena, const uint8_t *bytes, size_t size, uint64_t address)
{
    csh handle;
    cs_insn *at = decoder(&handle);
    size_t room = size / 3 + 16;
    code->insns = js_arena_alloc(arena, room * sizeof(*code->insns));
    if (!code->insns || !at) {
        return JS_ENOMEM;
    }
    while (size > 0) {
        if (code->ninsns == JS_CODE_INSNS) {
            return JS_ELIMIT;
        }
        if (code->ninsns == room) {
            js_insn *more = js_arena_alloc(arena, room * 2 * sizeof(*more));
            if (!more) {
                return JS_ENOMEM;
            }
            memcpy(more, code->insns, room * sizeof(*more));
            code->insns = more;
            room *= 2;
        }
        js_insn *insn = &code->insns[code->ninsns++];
        if (cs_disasm_iter(handle, &bytes, &size, &address, at)) {
            fill(insn, at, handle);
        } else if (!skip(insn, &bytes, &size, &address)) {
            return JS_EUNSUP;
        }
    }
    return JS_OK;
}

bool js_code_called_x86_64(const uint8_t *bytes, size_t size, uint64_t address, js_place *out)
{
    csh handle;
    cs_insn *at = decoder(&handle);
    if (!at || !cs_disasm_iter(handle, &bytes, &size, &address, at) || at->id != X86_INS_CALL ||
        at->detail->x86.op_count != 1) {
        return false;
    }
    const cs_x86_op *operand = &at->detail->x86.operands[0];
    *out = place_of(operand);
    bool is_relative = operand->type == X86_OP_MEM && operand->mem.base == X86_REG_RIP;
    out->value += is_relative ? (int64_t)address : 0; /* of the next instruction, now */
    bool is_segment = operand->type == X86_OP_MEM && operand->mem.segment != X86_REG_INVALID;
    return out->kind != JS_PLACE_NONE && !is_segment && operand->size == 8;
}
