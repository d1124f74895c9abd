/* Decodes instructions of x86-64 as js_insn. */
#include <string.h>

#include "bytes/status.h"
#include "program/machine/code_x86_64.h"

static bool is_high_byte(unsigned reg)
{
    return reg == X86_REG_AH || reg == X86_REG_BH || reg == X86_REG_CH || reg == X86_REG_DH;
}

static js_place place_of(const cs_x86_op *operand)
{
    js_place place = {.size = operand->size};
    if (operand->type == X86_OP_REG) {
        unsigned reg = js_x86_register((unsigned)operand->reg);
        if (reg < JS_CODE_REGISTERS && !is_high_byte((unsigned)operand->reg)) {
            place.kind = JS_PLACE_REGISTER;
            place.reg = (uint8_t)reg;
        }
    } else if (operand->type == X86_OP_IMM) {
        place.kind = JS_PLACE_VALUE;
        place.value = operand->imm;
    } else if (operand->type == X86_OP_MEM) {
        unsigned base = js_x86_register((unsigned)operand->mem.base);
        bool in_frame =
            operand->mem.segment == X86_REG_INVALID && (base == JS_CODE_RSP || base == JS_CODE_RBP);
        place.value = operand->mem.disp;
        place.reg = (uint8_t)base;
        place.index = (uint8_t)js_x86_register((unsigned)operand->mem.index);
        place.scale = (uint8_t)operand->mem.scale;
        place.kind = !in_frame                               ? JS_PLACE_MEMORY
                     : operand->mem.index == X86_REG_INVALID ? JS_PLACE_FRAME
                                                             : JS_PLACE_INDEXED;
    }
    return place;
}

static uint64_t register_bit(const js_place *place)
{
    return place->kind == JS_PLACE_REGISTER ? (uint64_t)1 << place->reg : 0;
}

static uint64_t written_registers(csh handle, const cs_insn *insn, uint64_t *read)
{
    cs_regs reads, writes;
    uint8_t nreads, nwrites;
    uint64_t set = 0;
    if (cs_regs_access(handle, insn, reads, &nreads, writes, &nwrites) != CS_ERR_OK) {
        return ((uint64_t)1 << JS_CODE_REGISTERS) - 1;
    }
    for (unsigned i = 0; i < nreads; i++) {
        unsigned reg = js_x86_register(reads[i]);
        *read |= reg < JS_CODE_REGISTERS ? (uint64_t)1 << reg : 0;
    }
    for (unsigned i = 0; i < nwrites; i++) {
        unsigned reg = js_x86_register(writes[i]);
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

static bool has_mask(const cs_x86 *x86)
{
    bool found = false;
    for (unsigned i = 0; i < x86->op_count && !found; i++) {
        found = x86->operands[i].type == X86_OP_REG && x86->operands[i].reg >= X86_REG_K0 &&
                x86->operands[i].reg <= X86_REG_K7;
    }
    return found;
}

/* True if the instruction sets its register to 0, whatever the register holds. */
static bool sets_zero(const cs_insn *insn, const js_place *to)
{
    const cs_x86 *x86 = &insn->detail->x86;
    return js_x86_is_zeroing(insn->id) && x86->op_count >= 2 && to->kind == JS_PLACE_REGISTER &&
           !has_mask(x86) && x86->operands[x86->op_count - 1].type == X86_OP_REG &&
           x86->operands[x86->op_count - 1].reg == x86->operands[x86->op_count - 2].reg &&
           (x86->op_count == 3 || x86->operands[0].reg == x86->operands[1].reg);
}

static void fill_copy(js_insn *insn, const cs_insn *decoded, const js_place *first, const js_place *last)
{
    const cs_x86 *x86 = &decoded->detail->x86;
    unsigned width = js_x86_copied_bytes(decoded->id, first, last);
    if (width == 0 || has_mask(x86) || last->kind == JS_PLACE_NONE || first->kind == JS_PLACE_NONE ||
        x86->op_count > 3) {
        return;
    }
    insn->op = JS_OP_MOVE;
    insn->from = *last;
    insn->width = (uint8_t)width;
    if (insn->to.kind != JS_PLACE_REGISTER) {
        insn->to.size = (uint8_t)width;
    } else {
        insn->from.size = last->kind == JS_PLACE_REGISTER ? last->size : (uint8_t)width;
    }
    if (last->kind == JS_PLACE_VALUE) {
        insn->op = last->value == 0 ? JS_OP_ZERO : JS_OP_OTHER;
        insn->width = first->kind == JS_PLACE_REGISTER && first->size >= 4 ? 64 : first->size;
    }
}

static void fill_ordinary(js_insn *insn, const cs_insn *decoded, csh handle)
{
    const cs_x86 *x86 = &decoded->detail->x86;
    insn->op = JS_OP_OTHER;
    insn->written = written_registers(handle, decoded, &insn->read);
    if (x86->op_count == 0) {
        if (decoded->id == X86_INS_STOSB || decoded->id == X86_INS_STOSQ || decoded->id == X86_INS_MOVSB ||
            decoded->id == X86_INS_MOVSQ || decoded->id == X86_INS_STOSD || decoded->id == X86_INS_MOVSD) {
            insn->to = (js_place){.kind = JS_PLACE_MEMORY};
        }
        return;
    }
    js_place first = place_of(&x86->operands[0]);
    js_place last = place_of(&x86->operands[x86->op_count - 1]);
    for (unsigned i = 0; i < x86->op_count; i++) {
        if (x86->operands[i].type == X86_OP_MEM && (i > 0 || js_x86_only_reads(decoded->id))) {
            insn->from = place_of(&x86->operands[i]);
        }
    }
    if (js_x86_only_reads(decoded->id)) {
        return;
    }
    /* capstone's tables of what is read and written are incomplete: the first operand always counts as
     * written */
    if (x86->operands[0].type == X86_OP_REG) {
        unsigned reg = js_x86_register((unsigned)x86->operands[0].reg);
        insn->written |= reg < JS_CODE_REGISTERS ? (uint64_t)1 << reg : 0;
    }
    if (js_x86_writes_all_operands(decoded->id)) {
        for (unsigned i = 0; i < x86->op_count; i++) {
            js_place place = place_of(&x86->operands[i]);
            insn->written |= register_bit(&place);
        }
        fill_memory_write(insn, x86);
        return;
    }
    insn->to = first;
    if (sets_zero(decoded, &first)) {
        insn->op = JS_OP_ZERO;
        insn->width = first.reg >= JS_CODE_VECTOR || first.size >= 4 ? 64 : first.size;
    } else if (decoded->id == X86_INS_LEA && first.kind == JS_PLACE_REGISTER) {
        insn->op = JS_OP_ADDRESS;
        insn->from = last;
    } else {
        fill_copy(insn, decoded, &first, &last);
    }
}

static bool is_stack_pointer(const js_place *place)
{
    return place->kind == JS_PLACE_REGISTER && place->reg == JS_CODE_RSP;
}

static void fill_stack(js_insn *insn, const cs_insn *decoded)
{
    const cs_x86 *x86 = &decoded->detail->x86;
    js_place first = x86->op_count ? place_of(&x86->operands[0]) : (js_place){0};
    js_place last = x86->op_count > 1 ? place_of(&x86->operands[1]) : (js_place){0};
    if (decoded->id == X86_INS_PUSH) {
        insn->op = JS_OP_PUSH;
        insn->from = first;
    } else if (decoded->id == X86_INS_POP) {
        insn->op = JS_OP_POP;
        insn->to = first;
    } else if (decoded->id == X86_INS_LEAVE) {
        insn->op = JS_OP_LEAVE;
    } else if (is_stack_pointer(&first) && last.kind == JS_PLACE_VALUE) {
        if (decoded->id == X86_INS_SUB || decoded->id == X86_INS_ADD) {
            insn->op = JS_OP_STACK;
            insn->to.value = decoded->id == X86_INS_ADD ? last.value : -last.value;
        } else if (decoded->id == X86_INS_AND) {
            insn->op = JS_OP_ALIGN;
        }
    }
}

static void fill(js_insn *insn, const cs_insn *decoded, csh handle)
{
    const cs_x86 *x86 = &decoded->detail->x86;
    insn->address = decoded->address;
    insn->length = (uint8_t)decoded->size;
    insn->target = JS_CODE_NOWHERE;
    insn->is_packed = js_x86_is_packed(decoded->mnemonic);
    insn->is_masked = js_code_is_masked_x86_64(decoded->bytes, decoded->size);
    insn->converts = js_x86_converts(decoded);
    insn->id = (uint16_t)decoded->id;
    insn->step = js_x86_step(decoded);
    if (decoded->id == X86_INS_CALL || decoded->id == X86_INS_LCALL || decoded->id == X86_INS_SYSCALL) {
        insn->op = JS_OP_CALL;
        js_place called = x86->op_count == 1 ? place_of(&x86->operands[0]) : (js_place){0};
        insn->from = called.kind == JS_PLACE_REGISTER ? called : (js_place){0};
        insn->written = js_code_call_clobbers();
    } else if (cs_insn_group(handle, decoded, CS_GRP_JUMP)) {
        bool direct = x86->op_count == 1 && x86->operands[0].type == X86_OP_IMM;
        insn->op = !direct ? JS_OP_INDIRECT : decoded->id == X86_INS_JMP ? JS_OP_JUMP : JS_OP_BRANCH;
        insn->to.value = direct ? x86->operands[0].imm : 0;
    } else if (cs_insn_group(handle, decoded, CS_GRP_RET) || decoded->id == X86_INS_UD2 ||
               decoded->id == X86_INS_HLT) {
        insn->op = JS_OP_END;
    } else if (decoded->id == X86_INS_NOP || decoded->id == X86_INS_INT3) {
        insn->op = JS_OP_PAD;
    } else {
        fill_ordinary(insn, decoded, handle);
        fill_stack(insn, decoded);
        insn->is_locked = decoded->detail->x86.prefix[0] == X86_PREFIX_LOCK;
        insn->stores = insn->to.kind == JS_PLACE_MEMORY || insn->to.kind == JS_PLACE_INDEXED ||
                       insn->to.kind == JS_PLACE_FRAME;
    }
}

/* Move after an instruction that capstone does not know; false: this file does not know it, either. */
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

/* Return the decoder of this thread. Opening it fills its tables, which takes as long as decoding a small
 * function, so it is kept. */
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
    cs_insn *decoded = decoder(&handle);
    size_t room = size / 3 + 16;
    code->insns = js_arena_alloc(arena, room * sizeof(*code->insns));
    if (!code->insns || !decoded) {
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
        if (cs_disasm_iter(handle, &bytes, &size, &address, decoded)) {
            fill(insn, decoded, handle);
        } else if (!skip(insn, &bytes, &size, &address)) {
            return JS_EUNSUP;
        }
    }
    return JS_OK;
}

bool js_code_called_x86_64(const uint8_t *bytes, size_t size, uint64_t address, js_place *out)
{
    csh handle;
    cs_insn *insn = decoder(&handle);
    if (!insn || !cs_disasm_iter(handle, &bytes, &size, &address, insn) || insn->id != X86_INS_CALL ||
        insn->detail->x86.op_count != 1) {
        return false;
    }
    const cs_x86_op *operand = &insn->detail->x86.operands[0];
    *out = place_of(operand);
    bool is_relative = operand->type == X86_OP_MEM && operand->mem.base == X86_REG_RIP;
    out->value += is_relative ? (int64_t)address : 0; /* `address` is the next instruction's by now */
    bool is_segment = operand->type == X86_OP_MEM && operand->mem.segment != X86_REG_INVALID;
    return out->kind != JS_PLACE_NONE && !is_segment && operand->size == 8;
}
