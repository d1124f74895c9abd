/* Where DWARF says that a variable is: location lists, single expressions and constants, as bytes again. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "program/read/dwarf.h"

enum { LOCATIONS_MAX = 20000 };

const uint8_t *js_dwarf_expr(js_arena *arena, Dwarf_Attribute *attr, Dwarf_Op *ops, size_t nops, size_t *size)
{
    /* libdw hands out decoded operations; the model keeps bytes, so encode them again */
    size_t capacity = nops * 24 + 16;
    for (size_t i = 0; i < nops; i++)
        if (ops[i].atom == DW_OP_implicit_value)
            capacity += (size_t)(ops[i].number < 4096 ? ops[i].number : 0);
    uint8_t *bytes = js_arena_alloc(arena, capacity), *at = bytes;
    if (!bytes)
        return NULL;
#define PUT_LEB(value, is_signed)                                                                            \
    do {                                                                                                     \
        uint64_t rest = (value);                                                                             \
        for (;;) {                                                                                           \
            uint8_t byte = rest & 0x7f;                                                                      \
            rest = (is_signed) ? (uint64_t)((int64_t)rest >> 7) : rest >> 7;                                 \
            bool last = (is_signed) ? (rest == 0 && !(byte & 0x40)) || (rest == UINT64_MAX && (byte & 0x40)) \
                                    : rest == 0;                                                             \
            *at++ = (uint8_t)(byte | (last ? 0 : 0x80));                                                     \
            if (last)                                                                                        \
                break;                                                                                       \
        }                                                                                                    \
    } while (0)
    for (size_t i = 0; i < nops; i++) {
        const Dwarf_Op *op = &ops[i];
        uint64_t number = op->number;
        *at++ = op->atom;
        if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
            PUT_LEB(number, true);
            continue;
        }
        switch (op->atom) {
        case DW_OP_addr:
        case DW_OP_const8u:
        case DW_OP_const8s:
            memcpy(at, &number, 8);
            at += 8;
            break;
        case DW_OP_const4u:
        case DW_OP_const4s:
            memcpy(at, &number, 4);
            at += 4;
            break;
        case DW_OP_const2u:
        case DW_OP_const2s:
            memcpy(at, &number, 2);
            at += 2;
            break;
        case DW_OP_const1u:
        case DW_OP_const1s:
        case DW_OP_deref_size:
        case DW_OP_pick:
            *at++ = (uint8_t)number;
            break;
        case DW_OP_constu:
        case DW_OP_plus_uconst:
        case DW_OP_regx:
        case DW_OP_piece:
            PUT_LEB(number, false);
            break;
        case DW_OP_consts:
        case DW_OP_fbreg:
            PUT_LEB(number, true);
            break;
        case DW_OP_bregx:
            PUT_LEB(number, false);
            PUT_LEB(op->number2, true);
            break;
        case DW_OP_bit_piece:
            PUT_LEB(number, false);
            PUT_LEB(op->number2, false);
            break;
        case DW_OP_implicit_value: {
            Dwarf_Block block;
            if (number > 4096 || dwarf_getlocation_implicit_value(attr, op, &block) || block.length != number)
                return NULL;
            PUT_LEB(number, false);
            memcpy(at, block.data, block.length);
            at += block.length;
            break;
        }
        default: /* operations without operands; anything else cannot be carried over */
            if ((op->atom >= DW_OP_lit0 && op->atom <= DW_OP_reg31) || op->atom == DW_OP_deref ||
                op->atom == DW_OP_stack_value || op->atom == DW_OP_call_frame_cfa ||
                (op->atom >= DW_OP_dup && op->atom <= DW_OP_over) ||
                (op->atom >= DW_OP_swap && op->atom <= DW_OP_plus) ||
                (op->atom >= DW_OP_shl && op->atom <= DW_OP_xor) ||
                (op->atom >= DW_OP_eq && op->atom <= DW_OP_ne) || op->atom == DW_OP_nop)
                break;
            return NULL;
        }
    }
#undef PUT_LEB
    *size = (size_t)(at - bytes);
    return bytes;
}

static int location_order(const void *a, const void *b)
{
    const js_location *left = a, *right = b;
    return left->lo < right->lo ? -1 : left->lo > right->lo;
}

int js_dwarf_locations(js_arena *arena, Dwarf_Die *die, const js_function *function, js_variable *variable)
{
    Dwarf_Attribute attr;
    if (dwarf_attr(die, DW_AT_const_value, &attr)) {
        /* a constant for the whole function: as an expression, so that one rule judges all constants */
        Dwarf_Sword value;
        if (dwarf_formsdata(&attr, &value))
            return JS_OK;
        Dwarf_Op ops[2] = {{.atom = DW_OP_consts, .number = (Dwarf_Word)value}, {.atom = DW_OP_stack_value}};
        js_location *location = js_arena_alloc(arena, sizeof *location);
        if (!location)
            return JS_ENOMEM;
        *location = (js_location){.lo = function->lo, .hi = function->hi};
        location->expr = js_dwarf_expr(arena, &attr, ops, 2, &location->size);
        if (!location->expr)
            return JS_ENOMEM;
        variable->locations = location;
        variable->nlocations = 1;
        return JS_OK;
    }
    if (!dwarf_attr(die, DW_AT_location, &attr))
        return JS_OK;
    Dwarf_Op *ops;
    size_t nops;
    unsigned form = dwarf_whatform(&attr);
    if (form == DW_FORM_exprloc || form == DW_FORM_block || form == DW_FORM_block1) {
        if (dwarf_getlocation(&attr, &ops, &nops) || nops == 0)
            return JS_OK;
        js_location *location = js_arena_alloc(arena, sizeof *location);
        if (!location)
            return JS_ENOMEM;
        *location = (js_location){.lo = function->lo, .hi = function->hi};
        location->expr = js_dwarf_expr(arena, &attr, ops, nops, &location->size);
        if (!location->expr)
            return JS_OK;
        variable->locations = location;
        variable->nlocations = 1;
        variable->is_whole = true;
        return JS_OK;
    }
    Dwarf_Addr base, start, end;
    ptrdiff_t offset = 0;
    size_t count = 0;
    while (count < LOCATIONS_MAX &&
           (offset = dwarf_getlocations(&attr, offset, &base, &start, &end, &ops, &nops)) > 0)
        count++;
    js_location *locations = js_arena_alloc(arena, count * sizeof *locations);
    if (count && !locations)
        return JS_ENOMEM;
    size_t kept = 0;
    offset = 0;
    for (size_t i = 0; i < count; i++) {
        offset = dwarf_getlocations(&attr, offset, &base, &start, &end, &ops, &nops);
        if (offset <= 0)
            break;
        if (start < function->lo)
            start = function->lo;
        if (end > function->hi)
            end = function->hi;
        if (start >= end || nops == 0)
            continue;
        locations[kept] = (js_location){.lo = start, .hi = end};
        locations[kept].expr = js_dwarf_expr(arena, &attr, ops, nops, &locations[kept].size);
        if (locations[kept].expr)
            kept++;
    }
    if (kept)
        qsort(locations, kept, sizeof *locations, location_order);
    variable->locations = locations;
    variable->nlocations = kept;
    return JS_OK;
}
