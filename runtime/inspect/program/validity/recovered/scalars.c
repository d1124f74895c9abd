/* Pushes scalars of variables, from their places or from the caller that still has them. */
#include <dwarf.h>
#include <string.h>

#include "program/validity/locations/scalar_kind.h"
#include "program/validity/recovered/computing.h"
#include "program/validity/recovered/from_caller.h"

bool js_computing_may_read(js_computing *to)
{
    bool may = to->finder->left > 0;
    to->finder->left -= may;
    return may;
}

void js_computing_leave(js_computing *to)
{
    js_expr_piece(to->out, to->size);
    if (to->nexits == JS_COMPUTED_EXITS) {
        to->out->overflow = true;
        return;
    }
    to->exits[to->nexits++] = js_expr_leap(to->out, DW_OP_skip);
}

bool js_scalar_push(const js_expr *found, const js_type *type, uint64_t offset, uint8_t size, js_expr *out)
{
    js_part parts[JS_TRUTH_LEAVES];
    size_t count;
    bool is_home = found->size > 1 && found->bytes[0] == DW_OP_fbreg;
    if (is_home &&
        found->bytes[found->size - 1] == DW_OP_stack_value) { /* as js_truth_guard_home() writes it */
        js_expr_copy(out, found->bytes, found->size - 1);
        return offset == 0 && size == type->size;
    }
    if (!is_home) {
        if (js_parts_read(found->bytes, found->size, type->size, parts, JS_TRUTH_LEAVES, &count) != JS_OK) {
            return false;
        }
        const js_part *part = NULL;
        for (size_t i = 0; i < count && !part; i++) {
            bool is_exact = parts[i].offset == offset && parts[i].size == size;
            part = is_exact || (count == 1 && parts[i].is_slot) ? &parts[i] : NULL;
        }
        if (!part || part->length == 0) {
            return false;
        }
        if (part->is_register && part->reg >= JS_CODE_VECTOR) {
            js_expr_float_register(out, part->reg);
            js_expr_as_bits(out);
            return size == 8 && js_scalar_is_float(type);
        }
        if (part->is_register) {
            js_expr_value(out, part->reg);
            return size == 8;
        }
        if (part->expr[0] == DW_OP_implicit_value) { /* a size, and the bytes */
            int64_t value;
            bool is_word = part->length == 2 + sizeof(value) && part->expr[1] == sizeof(value) && size == 8;
            memcpy(&value, is_word ? part->expr + 2 : (const uint8_t[sizeof(value)]){0}, sizeof(value));
            js_expr_number(out, value);
            return is_word;
        }
        if (!part->is_slot) {
            js_expr_copy(out, part->expr, part->length - 1);
            return part->is_computed;
        }
        js_expr_copy(out, part->expr, part->length);
        offset -= part->offset;
    } else {
        js_expr_copy(out, found->bytes, found->size);
    }
    js_expr_op(out, DW_OP_plus_uconst);
    js_expr_uleb(out, offset);
    js_expr_op(out, DW_OP_deref_size);
    js_expr_op(out, size);
    return true;
}

bool js_scalar_guard(js_computing *to, const js_variable *argument)
{
    for (size_t i = 0; i < to->nguarded; i++) {
        if (to->guarded[i] == argument) {
            return true;
        }
    }
    if (to->nguarded == JS_COMPUTED_GUARDS || !js_truth_put_held(to->truth, argument, to->out)) {
        return false;
    }
    size_t is_held = js_expr_leap(to->out, DW_OP_bra);
    js_computing_leave(to);
    js_expr_land(to->out, is_held);
    to->guarded[to->nguarded++] = argument;
    return true;
}

bool js_scalar_is_with_caller(const js_verdict *found, uint64_t offset, uint8_t size)
{
    js_expr tried = {.size = 0, .overflow = false};
    return found->version->is_argument && found->version->version == 0 && !found->needs_zero_check &&
           !js_scalar_push(&found->expr, found->version->type, offset, size, &tried);
}

unsigned js_scalar_put(js_computing *to, const js_verdict *found, uint64_t offset, uint8_t size)
{
    if (found->needs_zero_check) {
        return JS_SCALAR_NONE;
    }
    bool done = js_scalar_is_with_caller(found, offset, size)
                    ? js_truth_push_held(to->truth, found->version, offset, to->out)
                    : js_scalar_push(&found->expr, found->version->type, offset, size, to->out);
    if (done && size == 1) {
        js_expr_op(to->out, DW_OP_lit1);
        js_expr_op(to->out, DW_OP_and);
    }
    if (done && js_scalar_is_float(found->version->type)) {
        js_expr_as_float(to->out);
        return JS_SCALAR_FLOAT;
    }
    return !done ? JS_SCALAR_NONE : size == 1 ? JS_SCALAR_BOOL : JS_SCALAR_INT;
}

bool js_scalar_length(const js_type *type, unsigned axis, uint64_t *offset)
{
    js_role role = type->kind == JS_KIND_ARRAY ? JS_ROLE_SHAPE : JS_ROLE_LENGTH;
    if (axis > 0 && (role != JS_ROLE_SHAPE || axis >= type->ndim)) {
        return false;
    }
    for (size_t i = 0; i < type->nmembers; i++) {
        const js_member *member = &type->members[i];
        if (member->role == role && (role == JS_ROLE_SHAPE ? type->ndim > 0 : member->type->size == 8)) {
            *offset = member->offset + 8 * (uint64_t)axis;
            return type->kind == JS_KIND_ARRAY || type->kind == JS_KIND_STR;
        }
    }
    return false;
}
