/* Decodes operators by a table of their operands. */
#include "program/validity/locations/dwarf_operator.h"

#include <dwarf.h>
#include <string.h>

typedef enum operand {
    NO_OPERAND,
    ONE_BYTE = 1, /* operands of a fixed size: the number is their size */
    TWO_BYTES = 2,
    FOUR_BYTES = 4,
    EIGHT_BYTES = 8,
    ULEB,
    SLEB,
    BLOCK, /* a ULEB size, and so many bytes */
} operand;

typedef struct layout {
    bool is_known, is_signed;
    uint8_t code; /* code of the long form; 0: the operator's own */
    operand first, second;
} layout;

static bool read_leb(const uint8_t **at, const uint8_t *end, bool is_signed, uint64_t *out)
{
    unsigned shift = 0;
    *out = 0;
    while (*at < end) {
        uint8_t byte = *(*at)++;
        if (shift < 64) {
            *out |= (uint64_t)(byte & 0x7f) << shift;
        }
        shift += 7;
        if (!(byte & 0x80)) {
            if (is_signed && shift < 64 && (byte & 0x40)) {
                *out |= UINT64_MAX << shift;
            }
            return true;
        }
    }
    return false;
}

static bool read_fixed(const uint8_t **at, const uint8_t *end, unsigned width, bool is_signed, uint64_t *out)
{
    if ((size_t)(end - *at) < width) {
        return false;
    }
    *out = 0;
    memcpy(out, *at, width);
    *at += width;
    if (is_signed && width < 8 && (*out >> (8 * width - 1))) {
        *out |= UINT64_MAX << (8 * width);
    }
    return true;
}

static layout constant(operand first, bool is_signed)
{
    return (layout){true, is_signed, DW_OP_constu, first, NO_OPERAND};
}

static layout own(operand first, operand second)
{
    return (layout){true, false, 0, first, second};
}

static layout layout_of(uint8_t op)
{
    switch (op) {
    case DW_OP_addr:
    case DW_OP_const8u:
    case DW_OP_const8s:
        return constant(EIGHT_BYTES, false);
    case DW_OP_const4u:
    case DW_OP_const4s:
        return constant(FOUR_BYTES, op == DW_OP_const4s);
    case DW_OP_const2u:
    case DW_OP_const2s:
        return constant(TWO_BYTES, op == DW_OP_const2s);
    case DW_OP_const1u:
    case DW_OP_const1s:
        return constant(ONE_BYTE, op == DW_OP_const1s);
    case DW_OP_constu:
        return constant(ULEB, false);
    case DW_OP_consts:
        return constant(SLEB, false);
    case DW_OP_pick:
    case DW_OP_deref_size:
        return own(ONE_BYTE, NO_OPERAND);
    case DW_OP_bra:
    case DW_OP_skip:
        return own(TWO_BYTES, NO_OPERAND);
    case DW_OP_plus_uconst:
    case DW_OP_regx:
    case DW_OP_piece:
    case DW_OP_GNU_convert:
    case DW_OP_GNU_reinterpret:
        return own(ULEB, NO_OPERAND);
    case DW_OP_fbreg:
        return own(SLEB, NO_OPERAND);
    case DW_OP_bregx:
        return own(ULEB, SLEB);
    case DW_OP_GNU_regval_type:
        return own(ULEB, ULEB);
    case DW_OP_implicit_value:
    case DW_OP_GNU_entry_value:
        return own(BLOCK, NO_OPERAND);
    default:
        return (layout){.is_known = op == DW_OP_deref || (op >= DW_OP_dup && op <= DW_OP_over) ||
                                    (op >= DW_OP_swap && op <= DW_OP_xor) ||
                                    (op >= DW_OP_eq && op <= DW_OP_ne) || op == DW_OP_nop ||
                                    op == DW_OP_call_frame_cfa || op == DW_OP_stack_value};
    }
}

static bool read_operand(const uint8_t **at, const uint8_t *end, operand kind, bool is_signed, uint64_t *out)
{
    switch (kind) {
    case NO_OPERAND:
        return true;
    case ULEB:
    case SLEB:
        return read_leb(at, end, kind == SLEB, out);
    case BLOCK:
        return read_leb(at, end, false, out) && *out <= (size_t)(end - *at);
    default:
        return read_fixed(at, end, kind, is_signed, out);
    }
}

bool js_dwarf_operator_read(const uint8_t *at, const uint8_t *end, js_dwarf_operator *out)
{
    const uint8_t *begin = at;
    uint8_t op = *at++;
    *out = (js_dwarf_operator){.code = op, .size = 1};
    if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
        *out = (js_dwarf_operator){.code = DW_OP_constu, .first = (uint64_t)(op - DW_OP_lit0), .size = 1};
        return true;
    }
    if (op >= DW_OP_reg0 && op <= DW_OP_reg31) {
        *out = (js_dwarf_operator){.code = DW_OP_regx, .first = (uint64_t)(op - DW_OP_reg0), .size = 1};
        return true;
    }
    if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
        *out = (js_dwarf_operator){.code = DW_OP_bregx, .first = (uint64_t)(op - DW_OP_breg0), .last = 1};
        bool is_whole = read_leb(&at, end, true, &out->second);
        out->size = (size_t)(at - begin);
        return is_whole;
    }
    layout form = layout_of(op);
    out->code = form.code ? form.code : op;
    out->last = form.first != NO_OPERAND;
    if (!form.is_known || !read_operand(&at, end, form.first, form.is_signed, &out->first)) {
        return false;
    }
    if (form.first == BLOCK) {
        out->block = at;
        at += out->first;
    }
    if (form.second != NO_OPERAND) {
        out->last = (size_t)(at - begin);
    }
    if (!read_operand(&at, end, form.second, false, &out->second)) {
        return false;
    }
    out->size = (size_t)(at - begin);
    return true;
}
