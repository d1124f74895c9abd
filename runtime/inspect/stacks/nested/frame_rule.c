/* Evaluates the instructions of call frame information (DWARF 5, 6.4.2) up to one address. */
#include "stacks/nested/frame_rule.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>

#include "program/model/object.h"

enum { REMEMBERED_MAX = 8 };

typedef struct evaluation {
    const js_frame_entry *entry;
    const uint8_t *at, *end;
    uint64_t pc;
    js_frame_rule rule, initial, remembered[REMEMBERED_MAX];
    unsigned nremembered;
} evaluation;

static bool take_uleb(evaluation *e, uint64_t *out)
{
    *out = 0;
    for (unsigned shift = 0; e->at < e->end && shift < 63; shift += 7) {
        uint8_t byte = *e->at++;
        *out |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            return true;
        }
    }
    return false;
}

static bool advance(evaluation *e, unsigned width)
{
    uint64_t by = 0;
    if ((size_t)(e->end - e->at) < width) {
        return false;
    }
    memcpy(&by, e->at, width);
    e->at += width;
    e->pc += by * e->entry->code_alignment;
    return true;
}

static bool save(evaluation *e, uint64_t number, uint64_t factored)
{
    if (number < JS_UNWIND_REGISTERS) {
        e->rule.is_saved[number] = true;
        e->rule.saved[number] = (int64_t)factored * e->entry->data_alignment;
    }
    return true;
}

static bool restore(evaluation *e, uint64_t number)
{
    if (number < JS_UNWIND_REGISTERS) {
        e->rule.is_saved[number] = e->initial.is_saved[number];
        e->rule.saved[number] = e->initial.saved[number];
    }
    return true;
}

static bool set_base(evaluation *e, uint64_t number)
{
    e->rule.base = (unsigned)number;
    return number < JS_UNWIND_REGISTERS;
}

static bool set_offset(evaluation *e, uint64_t offset)
{
    e->rule.offset = (int64_t)offset;
    return true;
}

/* Evaluate an instruction with operands of its own. Returns false for one that is not known here. */
static bool evaluate_extended(evaluation *e, uint8_t code)
{
    uint64_t first, second;
    switch (code) {
    case DW_CFA_nop:
        return true;
    case DW_CFA_advance_loc1:
        return advance(e, 1);
    case DW_CFA_advance_loc2:
        return advance(e, 2);
    case DW_CFA_advance_loc4:
        return advance(e, 4);
    case DW_CFA_GNU_args_size:
        return take_uleb(e, &first);
    case DW_CFA_restore_extended:
    case DW_CFA_same_value:
        return take_uleb(e, &first) && restore(e, first);
    case DW_CFA_offset_extended:
        return take_uleb(e, &first) && take_uleb(e, &second) && save(e, first, second);
    case DW_CFA_def_cfa:
        return take_uleb(e, &first) && take_uleb(e, &second) && set_base(e, first) && set_offset(e, second);
    case DW_CFA_def_cfa_register:
        return take_uleb(e, &first) && set_base(e, first);
    case DW_CFA_def_cfa_offset:
        return take_uleb(e, &first) && set_offset(e, first);
    case DW_CFA_remember_state:
        if (e->nremembered == REMEMBERED_MAX) {
            return false;
        }
        e->remembered[e->nremembered++] = e->rule;
        return true;
    case DW_CFA_restore_state:
        if (e->nremembered == 0) {
            return false;
        }
        e->rule = e->remembered[--e->nremembered];
        return true;
    default:
        return false;
    }
}

/* Evaluate instructions as long as they are of a row at or before `pc`. */
static bool evaluate(evaluation *e, const uint8_t *instructions, size_t size, uint64_t pc)
{
    e->at = instructions;
    e->end = instructions + size;
    while (e->at < e->end) {
        uint8_t code = *e->at++, low = code & 0x3f;
        uint64_t operand;
        bool is_known = true;
        switch (code & 0xc0) {
        case DW_CFA_advance_loc:
            e->pc += low * e->entry->code_alignment;
            break;
        case DW_CFA_offset:
            is_known = take_uleb(e, &operand) && save(e, low, operand);
            break;
        case DW_CFA_restore:
            is_known = restore(e, low);
            break;
        default:
            is_known = evaluate_extended(e, code);
        }
        if (!is_known) {
            return false;
        }
        if (e->pc > pc) {
            return true;
        }
    }
    return true;
}

static int find(const js_object *object, const js_frames *from, bool is_eh, uint64_t pc, js_frame_rule *out)
{
    js_frame_entry entry;
    uint64_t offset = 0;
    while (js_frames_next(object, from, is_eh, &offset, &entry)) {
        if (pc < entry.low || pc - entry.low >= entry.length) {
            continue;
        }
        evaluation e = {.entry = &entry, .pc = entry.low};
        bool is_known = evaluate(&e, entry.initial, entry.initial_size, pc);
        e.initial = e.rule;
        is_known = is_known && evaluate(&e, entry.rows, entry.size, pc);
        *out = e.rule;
        return is_known && entry.return_register == JS_UNWIND_RETURN && out->is_saved[JS_UNWIND_RETURN]
                   ? JS_OK
                   : JS_EUNSUP;
    }
    return JS_ENOTFOUND;
}

int js_frame_rule_at(const js_object *object, uint64_t pc, js_frame_rule *out)
{
    if (object->machine != EM_X86_64) {
        return JS_EUNSUP;
    }
    int status = find(object, &object->eh_frame, true, pc, out);
    return status == JS_ENOTFOUND ? find(object, &object->debug_frame, false, pc, out) : status;
}
