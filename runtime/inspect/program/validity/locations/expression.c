/* Splits locations into pieces, and writes operators. */
#include "program/validity/locations/expression.h"

#include <dwarf.h>
#include <string.h>

#include "bytes/status.h"
#include "program/machine/code.h"
#include "program/validity/locations/dwarf_operator.h"

/* Note that the part reads a register; false: the register is not followed. */
static bool use_register(js_part *part, uint64_t number)
{
    unsigned reg = js_code_from_dwarf(number);
    if (reg >= JS_CODE_REGISTERS) {
        return false;
    }
    part->registers |= (uint64_t)1 << reg;
    part->reg = reg;
    part->kind = JS_PART_PLACE;
    return true;
}

/* Add an operator other than piece to the part. is_first: it is the part's first. *constant collects the bits
 * of the constants that are pushed. False: entry values, typed operators that name a type of the unit, frame
 * bases and jumps are not supported. */
static bool add_operator(js_part *part, const js_dwarf_operator *op, bool is_first, uint64_t *constant)
{
    part->is_register = is_first && op->code == DW_OP_regx;
    part->is_slot = is_first && op->code == DW_OP_bregx;
    part->is_computed = op->code == DW_OP_stack_value;
    switch (op->code) {
    case DW_OP_regx:
        return use_register(part, op->first);
    case DW_OP_bregx:
        part->disp = (int64_t)op->second;
        return use_register(part, op->first);
    case DW_OP_constu:
        *constant |= op->first;
        return true;
    case DW_OP_implicit_value:
        for (uint64_t i = 0; i < op->first; i++) {
            *constant |= op->block[i];
        }
        return true;
    case DW_OP_plus_uconst:
        *constant |= op->first && part->kind != JS_PART_PLACE;
        return true;
    case DW_OP_deref:
    case DW_OP_deref_size:
        part->kind = JS_PART_PLACE;
        return true;
    case DW_OP_pick:
    case DW_OP_xderef:
    case DW_OP_bra:
    case DW_OP_skip:
    case DW_OP_nop:
    case DW_OP_fbreg:
    case DW_OP_call_frame_cfa:
    case DW_OP_GNU_entry_value:
    case DW_OP_GNU_convert:
    case DW_OP_GNU_reinterpret:
    case DW_OP_GNU_regval_type:
        return false;
    default: /* the operator computes on the stack alone */
        return true;
    }
}

int js_parts_read(const uint8_t *expr, size_t length, uint64_t size, js_part *parts, size_t capacity,
                  size_t *count)
{
    const uint8_t *at = expr, *end = expr + length;
    uint64_t offset = 0, constant = 0;
    unsigned nops = 0;
    js_part part = {.expr = expr};
    *count = 0;
    while (at < end || nops > 0) {
        js_dwarf_operator op = {.code = DW_OP_piece,
                                .first = size - offset}; /* the end closes the last piece */
        bool is_whole = at == end;
        if (!is_whole && !js_dwarf_operator_read(at, end, &op)) {
            return JS_EUNSUP;
        }
        if (op.code != DW_OP_piece) {
            if (!add_operator(&part, &op, nops++ == 0, &constant)) {
                return JS_EUNSUP;
            }
            at += op.size;
            continue;
        }
        part.size = op.first;
        part.offset = offset;
        part.length = (size_t)(at - part.expr);
        if (part.kind != JS_PART_PLACE) {
            part.kind = nops == 0 ? JS_PART_ABSENT : constant ? JS_PART_CONSTANT : JS_PART_ZERO;
        }
        if (part.size == 0 || part.size > size - offset || *count == capacity) {
            return JS_EUNSUP;
        }
        parts[(*count)++] = part;
        offset += part.size;
        at += op.size;
        if (is_whole) {
            break;
        }
        if (offset == size && at < end) {
            return JS_EUNSUP;
        }
        part = (js_part){.expr = at};
        nops = 0;
        constant = 0;
    }
    return JS_OK;
}

/* ---- writing ---- */

void js_expr_copy(js_expr *expr, const uint8_t *bytes, size_t size)
{
    if (size > sizeof(expr->bytes) - expr->size) {
        expr->overflow = true;
        return;
    }
    if (size) {
        memcpy(expr->bytes + expr->size, bytes, size);
    }
    expr->size += size;
}

void js_expr_op(js_expr *expr, uint8_t op)
{
    js_expr_copy(expr, &op, 1);
}

void js_expr_uleb(js_expr *expr, uint64_t value)
{
    do {
        uint8_t byte = (uint8_t)(value & 0x7f);
        value >>= 7;
        js_expr_op(expr, (uint8_t)(byte | (value ? 0x80 : 0)));
    } while (value);
}

void js_expr_sleb(js_expr *expr, int64_t value)
{
    for (bool more = true; more;) {
        uint8_t byte = (uint8_t)(value & 0x7f);
        value >>= 7;
        more = !((value == 0 && !(byte & 0x40)) || (value == -1 && (byte & 0x40)));
        js_expr_op(expr, (uint8_t)(byte | (more ? 0x80 : 0)));
    }
}

void js_expr_register(js_expr *expr, unsigned reg)
{
    unsigned number = js_code_to_dwarf(reg);
    if (number < 32) {
        js_expr_op(expr, (uint8_t)(DW_OP_reg0 + number));
    } else {
        js_expr_op(expr, DW_OP_regx);
        js_expr_uleb(expr, number);
    }
}

void js_expr_memory(js_expr *expr, unsigned reg, int64_t disp)
{
    js_expr_op(expr, (uint8_t)(DW_OP_breg0 + js_code_to_dwarf(reg)));
    js_expr_sleb(expr, disp);
}

void js_expr_value(js_expr *expr, unsigned reg)
{
    js_expr_memory(expr, reg, 0);
}

void js_expr_bytes(js_expr *expr, const void *value, size_t size)
{
    js_expr_op(expr, DW_OP_implicit_value);
    js_expr_uleb(expr, size);
    js_expr_copy(expr, value, size);
}

void js_expr_piece(js_expr *expr, uint64_t size)
{
    js_expr_op(expr, DW_OP_piece);
    js_expr_uleb(expr, size);
}

size_t js_expr_leap(js_expr *expr, uint8_t op)
{
    const uint8_t bytes[] = {op, 0, 0};
    js_expr_copy(expr, bytes, sizeof(bytes));
    return expr->size;
}

void js_expr_land(js_expr *expr, size_t from)
{
    if (!expr->overflow) {
        size_t distance = expr->size - from;
        expr->bytes[from - 2] = (uint8_t)distance;
        expr->bytes[from - 1] = (uint8_t)(distance >> 8);
    }
}

void js_expr_number(js_expr *out, int64_t value)
{
    js_expr_op(out, DW_OP_consts);
    js_expr_sleb(out, value);
}

/* Python's division rounds down; DWARF's rounds towards zero. */
void js_expr_divide(js_expr *out, int64_t by, bool is_remainder)
{
    js_expr_op(out, DW_OP_dup);
    js_expr_number(out, by);
    js_expr_op(out, DW_OP_div); /* a, q */
    js_expr_op(out, DW_OP_dup);
    js_expr_number(out, by);
    js_expr_op(out, DW_OP_mul);
    js_expr_op(out, DW_OP_rot); /* a * by / by, a, q */
    js_expr_op(out, DW_OP_rot); /* q, q * by, a */
    js_expr_op(out, DW_OP_swap);
    js_expr_op(out, DW_OP_minus); /* q, r */
    js_expr_op(out, DW_OP_dup);
    js_expr_op(out, DW_OP_lit0);
    js_expr_op(out, by > 0 ? DW_OP_lt : DW_OP_gt); /* q, r, 1 if q is one too many */
    if (is_remainder) {
        js_expr_number(out, by);
        js_expr_op(out, DW_OP_mul);
        js_expr_op(out, DW_OP_plus);
        js_expr_op(out, DW_OP_swap);
        js_expr_op(out, DW_OP_drop);
    } else {
        js_expr_op(out, DW_OP_swap);
        js_expr_op(out, DW_OP_drop);
        js_expr_op(out, DW_OP_minus);
    }
}

void js_expr_choose(js_expr *out, bool is_least)
{
    js_expr_op(out, DW_OP_over);
    js_expr_op(out, DW_OP_over);
    js_expr_op(out, is_least ? DW_OP_le : DW_OP_ge);
    /* the target of a branch is never reached from the operator before it, as GDB 13 would fail
     * (dwarf2_get_symbol_read_needs) */
    size_t is_first = js_expr_leap(out, DW_OP_bra);
    js_expr_op(out, DW_OP_swap);
    js_expr_op(out, DW_OP_drop);
    size_t end = js_expr_leap(out, DW_OP_skip);
    js_expr_land(out, is_first);
    js_expr_op(out, DW_OP_drop);
    js_expr_land(out, end);
}

static void put_type(js_expr *out, uint8_t type)
{
    for (unsigned i = 1; i < JS_EXPR_TYPE_BYTES; i++) { /* padding makes room for any offset */
        js_expr_op(out, (uint8_t)(type | 0x80));
        type = 0;
    }
    js_expr_op(out, type);
}

void js_expr_as_float(js_expr *out)
{
    js_expr_op(out, DW_OP_GNU_reinterpret);
    put_type(out, JS_EXPR_FLOAT64);
}

void js_expr_as_bits(js_expr *out)
{
    js_expr_op(out, DW_OP_GNU_reinterpret);
    js_expr_op(out, JS_EXPR_GENERIC);
}

void js_expr_to_float(js_expr *out)
{
    js_expr_op(out, DW_OP_GNU_convert);
    put_type(out, JS_EXPR_FLOAT64);
}

void js_expr_float_register(js_expr *out, unsigned reg)
{
    js_expr_op(out, DW_OP_GNU_regval_type);
    js_expr_uleb(out, js_code_to_dwarf(reg));
    put_type(out, JS_EXPR_FLOAT64);
}
