#include "program/validity/locations/expression.h"

#include <dwarf.h>
#include <string.h>

#include "bytes/status.h"
#include "program/machine/code.h"

typedef struct reader {
    const uint8_t *at, *end;
    bool failed;
} reader;

static uint64_t read_fixed(reader *in, unsigned size)
{
    uint64_t value = 0;
    if ((size_t)(in->end - in->at) < size) {
        in->failed = true;
        return 0;
    }
    memcpy(&value, in->at, size);
    in->at += size;
    return value;
}

static uint64_t read_uleb(reader *in)
{
    uint64_t value = 0;
    for (unsigned shift = 0; in->at < in->end; shift += 7) {
        uint8_t byte = *in->at++;
        value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
        if (!(byte & 0x80)) {
            return value;
        }
    }
    in->failed = true;
    return 0;
}

static int64_t read_sleb(reader *in)
{
    uint64_t value = 0;
    for (unsigned shift = 0; in->at < in->end;) {
        uint8_t byte = *in->at++;
        value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
        shift += 7;
        if (!(byte & 0x80)) {
            if (shift < 64 && (byte & 0x40)) {
                value |= UINT64_MAX << shift;
            }
            return (int64_t)value;
        }
    }
    in->failed = true;
    return 0;
}

static void use_register(js_part *part, uint64_t number, reader *in)
{
    unsigned reg = js_code_from_dwarf(number);
    if (reg >= JS_CODE_REGISTERS) {
        in->failed = true;
        return;
    }
    part->registers |= (uint64_t)1 << reg;
    part->reg = reg;
    part->kind = JS_PART_PLACE;
}

/* One operator other than piece. `nops` counts those of this part; `constant` is what was pushed first. */
static void read_operator(reader *in, js_part *part, uint8_t op, unsigned nops, uint64_t *constant)
{
    bool first = nops == 0;
    part->is_register = part->is_slot = false;
    part->is_computed = op == DW_OP_stack_value;
    if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
        *constant |= (uint64_t)(op - DW_OP_lit0);
    } else if (op >= DW_OP_reg0 && op <= DW_OP_reg31) {
        use_register(part, (uint64_t)(op - DW_OP_reg0), in);
        part->is_register = first;
    } else if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
        use_register(part, (uint64_t)(op - DW_OP_breg0), in);
        part->disp = read_sleb(in);
        part->is_slot = first;
    } else {
        switch (op) {
        case DW_OP_regx:
            use_register(part, read_uleb(in), in);
            part->is_register = first;
            break;
        case DW_OP_bregx:
            use_register(part, read_uleb(in), in);
            part->disp = read_sleb(in);
            part->is_slot = first;
            break;
        case DW_OP_const1u:
        case DW_OP_const1s:
            *constant |= read_fixed(in, 1);
            break;
        case DW_OP_const2u:
        case DW_OP_const2s:
            *constant |= read_fixed(in, 2);
            break;
        case DW_OP_const4u:
        case DW_OP_const4s:
            *constant |= read_fixed(in, 4);
            break;
        case DW_OP_const8u:
        case DW_OP_const8s:
        case DW_OP_addr:
            *constant |= read_fixed(in, 8);
            break;
        case DW_OP_constu:
            *constant |= read_uleb(in);
            break;
        case DW_OP_consts:
            *constant |= (uint64_t)read_sleb(in);
            break;
        case DW_OP_implicit_value: {
            uint64_t size = read_uleb(in);
            if (size > (uint64_t)(in->end - in->at)) {
                in->failed = true;
                break;
            }
            for (uint64_t i = 0; i < size; i++) {
                *constant |= in->at[i];
            }
            in->at += size;
            break;
        }
        case DW_OP_plus_uconst:
            if (read_uleb(in) && part->kind != JS_PART_PLACE) {
                *constant |= 1;
            }
            break;
        case DW_OP_deref:
        case DW_OP_deref_size:
            if (op == DW_OP_deref_size) {
                read_fixed(in, 1);
            }
            part->kind = JS_PART_PLACE;
            break;
        case DW_OP_stack_value:
        case DW_OP_dup:
        case DW_OP_drop:
        case DW_OP_over:
        case DW_OP_swap:
        case DW_OP_rot:
        case DW_OP_abs:
        case DW_OP_and:
        case DW_OP_div:
        case DW_OP_minus:
        case DW_OP_mod:
        case DW_OP_mul:
        case DW_OP_neg:
        case DW_OP_not:
        case DW_OP_or:
        case DW_OP_plus:
        case DW_OP_shl:
        case DW_OP_shr:
        case DW_OP_shra:
        case DW_OP_xor:
        case DW_OP_eq:
        case DW_OP_ge:
        case DW_OP_gt:
        case DW_OP_le:
        case DW_OP_lt:
        case DW_OP_ne:
            break;
        default: /* entry values, typed operators that point into the unit, frame bases: not carried over */
            in->failed = true;
        }
    }
}

int js_parts_read(const uint8_t *expr, size_t length, uint64_t size, js_part *parts, size_t capacity,
                  size_t *count)
{
    reader in = {expr, expr + length, false};
    uint64_t offset = 0, constant = 0;
    unsigned nops = 0;
    js_part part = {.expr = expr};
    *count = 0;
    while (in.at < in.end || nops > 0) {
        const uint8_t *before = in.at;
        uint8_t op = in.at < in.end ? *in.at++ : DW_OP_piece;
        if (op != DW_OP_piece) {
            read_operator(&in, &part, op, nops++, &constant);
            if (in.failed) {
                return JS_EUNSUP;
            }
            continue;
        }
        bool is_whole = before == in.end;
        part.size = is_whole ? size - offset : read_uleb(&in);
        part.offset = offset;
        part.length = (size_t)(before - part.expr);
        if (part.kind != JS_PART_PLACE) {
            part.kind = nops == 0 ? JS_PART_ABSENT : constant ? JS_PART_CONSTANT : JS_PART_ZERO;
        }
        if (in.failed || part.size == 0 || part.size > size - offset || *count == capacity) {
            return JS_EUNSUP;
        }
        parts[(*count)++] = part;
        offset += part.size;
        part = (js_part){.expr = in.at};
        nops = 0;
        constant = 0;
        if (is_whole) {
            break;
        }
        if (offset == size && in.at < in.end) {
            return JS_EUNSUP;
        }
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

/* Python's division rounds down, the machine's towards zero. */
void js_expr_divide(js_expr *out, int64_t by, bool is_remainder)
{
    js_expr_op(out, DW_OP_dup);
    js_expr_number(out, by);
    js_expr_op(out, DW_OP_div); /* a, q */
    js_expr_op(out, DW_OP_dup);
    js_expr_number(out, by);
    js_expr_op(out, DW_OP_mul);
    js_expr_op(out, DW_OP_rot); /* a * by / by, a, q */
    js_expr_op(out, DW_OP_rot); /* a, q, … is: q, qb, a */
    js_expr_op(out, DW_OP_swap);
    js_expr_op(out, DW_OP_minus); /* q, r */
    js_expr_op(out, DW_OP_dup);
    js_expr_op(out, DW_OP_lit0);
    js_expr_op(out, by > 0 ? DW_OP_lt : DW_OP_gt); /* q, r, is it one too many */
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
    /* Where a branch leads is nowhere reached in turn: GDB 13 fails in that (dwarf2_get_symbol_read_needs).
     */
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
    for (unsigned i = 1; i < JS_EXPR_TYPE_BYTES; i++) { /* padded: there is room for any place */
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
