/* Encodes libdw's decoded operations as bytes again, which the model keeps. */
#include <dwarf.h>
#include <string.h>

#include "program/read/dwarf.h"

enum { IMPLICIT_MAX = 4096 };

/* Write a LEB128 number, and return its end. */
static uint8_t *put_leb(uint8_t *at, uint64_t value, bool is_signed)
{
    for (;;) {
        uint8_t byte = value & 0x7f;
        value = is_signed ? (uint64_t)((int64_t)value >> 7) : value >> 7;
        bool last =
            is_signed ? (value == 0 && !(byte & 0x40)) || (value == UINT64_MAX && (byte & 0x40)) : value == 0;
        *at++ = (uint8_t)(byte | (last ? 0 : 0x80));
        if (last) {
            return at;
        }
    }
}

static uint8_t *put_fixed(uint8_t *at, uint64_t value, size_t width)
{
    memcpy(at, &value, width);
    return at + width;
}

static bool has_no_operands(uint8_t atom)
{
    return (atom >= DW_OP_lit0 && atom <= DW_OP_reg31) || atom == DW_OP_deref || atom == DW_OP_stack_value ||
           atom == DW_OP_call_frame_cfa || (atom >= DW_OP_dup && atom <= DW_OP_over) ||
           (atom >= DW_OP_swap && atom <= DW_OP_plus) || (atom >= DW_OP_shl && atom <= DW_OP_xor) ||
           (atom >= DW_OP_eq && atom <= DW_OP_ne) || atom == DW_OP_nop;
}

/* Write the operands of one operation, and return their end; NULL: the operation is not supported. */
static uint8_t *put_operands(uint8_t *at, Dwarf_Attribute *attr, const Dwarf_Op *op)
{
    Dwarf_Block block;
    if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
        return put_leb(at, op->number, true);
    }
    switch (op->atom) {
    case DW_OP_addr:
    case DW_OP_const8u:
    case DW_OP_const8s:
        return put_fixed(at, op->number, 8);
    case DW_OP_const4u:
    case DW_OP_const4s:
        return put_fixed(at, op->number, 4);
    case DW_OP_const2u:
    case DW_OP_const2s:
        return put_fixed(at, op->number, 2);
    case DW_OP_const1u:
    case DW_OP_const1s:
    case DW_OP_deref_size:
    case DW_OP_pick:
        return put_fixed(at, op->number, 1);
    case DW_OP_constu:
    case DW_OP_plus_uconst:
    case DW_OP_regx:
    case DW_OP_piece:
        return put_leb(at, op->number, false);
    case DW_OP_consts:
    case DW_OP_fbreg:
        return put_leb(at, op->number, true);
    case DW_OP_bregx:
        return put_leb(put_leb(at, op->number, false), op->number2, true);
    case DW_OP_bit_piece:
        return put_leb(put_leb(at, op->number, false), op->number2, false);
    case DW_OP_implicit_value:
        if (op->number > IMPLICIT_MAX || dwarf_getlocation_implicit_value(attr, op, &block) ||
            block.length != op->number) {
            return NULL;
        }
        at = put_leb(at, op->number, false);
        memcpy(at, block.data, block.length);
        return at + block.length;
    default:
        return has_no_operands(op->atom) ? at : NULL;
    }
}

/* Write a signed remainder. LLVM writes DW_OP_mod for one (llvm/lib/Transforms/Utils/Local.cpp:
 * getDwarfOpForBinOp, 14-22), which is unsigned in GDB and in the standard. */
static uint8_t *put_remainder(uint8_t *at)
{
    static const uint8_t ops[] = {DW_OP_over, DW_OP_over, DW_OP_div, DW_OP_mul, DW_OP_minus};
    memcpy(at, ops, sizeof(ops));
    return at + sizeof(ops);
}

const uint8_t *js_dwarf_expr(js_arena *arena, Dwarf_Attribute *attr, Dwarf_Op *ops, size_t nops, size_t *size)
{
    size_t capacity = nops * 24 + 16;
    for (size_t i = 0; i < nops; i++) {
        if (ops[i].atom == DW_OP_implicit_value) {
            capacity += (size_t)(ops[i].number <= IMPLICIT_MAX ? ops[i].number : 0);
        }
    }
    uint8_t *bytes = js_arena_alloc(arena, capacity), *at = bytes;
    for (size_t i = 0; i < nops && at; i++) {
        if (ops[i].atom == DW_OP_mod) {
            at = put_remainder(at);
            continue;
        }
        *at++ = ops[i].atom;
        at = put_operands(at, attr, &ops[i]);
    }
    if (!at) {
        return NULL;
    }
    *size = (size_t)(at - bytes);
    return bytes;
}
