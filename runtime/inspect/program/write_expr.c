/* Expressions as the debugger reads them: where they name a type, its place in the unit is put in. */
#include <dwarf.h>

#include "program/truth_internal.h"
#include "program/write.h"

static size_t leb_size(const uint8_t *at, const uint8_t *end)
{
    size_t size = 0;
    while (at + size < end) {
        if (!(at[size++] & 0x80))
            return size;
    }
    return 0;
}

/* The size of an operator with its operands; 0: it is not known. *type: where among them the type is, or 0.
 */
static size_t op_size(const uint8_t *at, const uint8_t *end, size_t *type)
{
    size_t first, second;
    uint8_t op = *at++;
    *type = 0;
    if ((op >= DW_OP_lit0 && op <= DW_OP_reg31) || (op >= DW_OP_dup && op <= DW_OP_over) ||
        (op >= DW_OP_swap && op <= DW_OP_plus) || (op >= DW_OP_shl && op <= DW_OP_xor) ||
        (op >= DW_OP_eq && op <= DW_OP_ne) || op == DW_OP_deref || op == DW_OP_nop ||
        op == DW_OP_call_frame_cfa || op == DW_OP_stack_value)
        return 1;
    if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
        op = DW_OP_fbreg;
    switch (op) {
    case DW_OP_const1u:
    case DW_OP_const1s:
    case DW_OP_pick:
    case DW_OP_deref_size:
        return 2;
    case DW_OP_const2u:
    case DW_OP_const2s:
    case DW_OP_bra:
    case DW_OP_skip:
        return 3;
    case DW_OP_const4u:
    case DW_OP_const4s:
        return 5;
    case DW_OP_addr:
    case DW_OP_const8u:
    case DW_OP_const8s:
        return 9;
    case DW_OP_constu:
    case DW_OP_consts:
    case DW_OP_plus_uconst:
    case DW_OP_regx:
    case DW_OP_fbreg:
    case DW_OP_piece:
        first = leb_size(at, end);
        return first ? 1 + first : 0;
    case DW_OP_bregx:
        first = leb_size(at, end);
        second = first ? leb_size(at + first, end) : 0;
        return second ? 1 + first + second : 0;
    case DW_OP_GNU_convert:
    case DW_OP_GNU_reinterpret:
        first = leb_size(at, end);
        *type = first == JS_EXPR_TYPE_BYTES ? 1 : 0;
        return first ? 1 + first : 0;
    case DW_OP_GNU_regval_type:
        first = leb_size(at, end);
        second = first ? leb_size(at + first, end) : 0;
        *type = second == JS_EXPR_TYPE_BYTES ? 1 + first : 0;
        return second ? 1 + first + second : 0;
    case DW_OP_implicit_value:
    case DW_OP_GNU_entry_value: /* a block, shorter than 128 bytes wherever it is made here */
        return at < end && *at < 0x80 ? 2 + (size_t)*at : 0;
    default:
        return 0;
    }
}

void js_write_expr(js_writer *writer, js_output *out, const uint8_t *expr, size_t size)
{
    size_t start = out->size, at = 0, step = 1, type;
    js_output_bytes(out, expr, size);
    for (; at < size && step; at += step) {
        step = op_size(expr + at, expr + size, &type);
        if (step > size - at)
            return;
        uint32_t place = writer->float64;
        for (size_t i = 0; type && i < JS_EXPR_TYPE_BYTES; i++, place >>= 7) {
            bool is_last = i + 1 == JS_EXPR_TYPE_BYTES;
            js_output_patch(out, start + at + type + i, (place & 0x7f) | (is_last ? 0 : 0x80), 1);
        }
    }
}
