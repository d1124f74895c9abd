/* Evaluates DWARF expressions on a stack, with the registers and the memory of a frame. */
#include "program/validity/locations/evaluate.h"

#include <dwarf.h>
#include <string.h>

#include "program/validity/locations/stack.h"

enum { STEPS_MAX = 4096, IMPLICIT_MAX = 4096, REGISTERS_MAX = 4096 };

typedef enum place { PLACE_NONE, PLACE_MEMORY, PLACE_REGISTER, PLACE_VALUE, PLACE_IMPLICIT } place;

typedef struct machine {
    const js_frame *frame;
    js_dwarf_operators base; /* the function's frame base */
    const uint8_t *at, *end; /* the rest of the expression */
    js_stack stack;
    place kind;
    unsigned regnum;
    const uint8_t *implicit;
    size_t implicit_size;
    bool missing; /* a register that was needed is not known */
} machine;

static uint64_t register_value(machine *m, uint64_t regnum)
{
    uint8_t buffer[64];
    int got = regnum < REGISTERS_MAX
                  ? m->frame->registers(m->frame->context, (unsigned)regnum, buffer, sizeof buffer)
                  : -1;
    uint64_t value = 0;
    if (got < 8) {
        m->missing = true;
        return 0;
    }
    memcpy(&value, buffer, 8);
    return value;
}

static uint64_t frame_address(machine *m)
{
    m->missing |= !m->frame->cfa;
    return m->frame->cfa;
}

/* Compute the frame base: a register or the canonical frame address. LLVM adds a constant to the latter where
 * the stack pointer moves: call_frame_cfa, consts N, plus. */
static int frame_base(machine *m, uint64_t *out)
{
    const uint8_t *at = m->base.bytes, *end = at + m->base.size;
    js_dwarf_operator op;
    if (m->base.size == 0 || !js_dwarf_operator_read(at, end, &op)) {
        return JS_EUNSUP;
    }
    at += op.size;
    if (op.code == DW_OP_regx && at == end) {
        *out = register_value(m, op.first);
        return JS_OK;
    }
    if (op.code != DW_OP_call_frame_cfa) {
        return JS_EUNSUP;
    }
    *out = frame_address(m);
    if (at == end) {
        return JS_OK;
    }
    if (!js_dwarf_operator_read(at, end, &op) || op.code != DW_OP_constu ||
        end - at != (ptrdiff_t)op.size + 1 || at[op.size] != DW_OP_plus) {
        return JS_EUNSUP;
    }
    *out += op.first;
    return JS_OK;
}

static int status_of(bool fine)
{
    return fine ? JS_OK : JS_EUNSUP;
}

static int read_memory(machine *m, uint64_t width)
{
    uint64_t *top = js_stack_integer(&m->stack);
    if (!top || (width != 1 && width != 2 && width != 4 && width != 8)) {
        return JS_EUNSUP;
    }
    return m->missing ? JS_OK : js_bytes_read_uint(m->frame->memory, *top, width, top);
}

static int add(machine *m, uint64_t value)
{
    uint64_t *top = js_stack_integer(&m->stack);
    if (top) {
        *top += value;
    }
    return status_of(top != NULL);
}

static int negate(machine *m, bool is_complement)
{
    uint64_t *top = js_stack_integer(&m->stack);
    if (top) {
        *top = (is_complement ? UINT64_MAX : 0) - *top;
    }
    return status_of(top != NULL);
}

/* Jump forward; a jump back is refused, so that every expression ends. */
static int jump(machine *m, const js_dwarf_operator *op)
{
    uint64_t distance = op->first;
    if (distance > (size_t)(m->end - m->at)) {
        return JS_EUNSUP;
    }
    if (op->code == DW_OP_bra) {
        if (m->stack.depth == 0) {
            return JS_EUNSUP;
        }
        distance = m->stack.words[--m->stack.depth] ? distance : 0;
    }
    m->at += distance;
    m->kind = m->stack.depth ? m->kind : PLACE_NONE;
    return JS_OK;
}

static int drop(machine *m)
{
    if (m->stack.depth == 0) {
        return JS_EUNSUP;
    }
    m->kind = --m->stack.depth ? m->kind : PLACE_NONE;
    return JS_OK;
}

/* Apply an operator that says where the variable is, instead of computing its address. */
static int locate(machine *m, const js_dwarf_operator *op)
{
    switch (op->code) {
    case DW_OP_regx:
        m->kind = PLACE_REGISTER;
        m->regnum = (unsigned)op->first;
        return status_of(op->first < REGISTERS_MAX);
    case DW_OP_implicit_value:
        m->kind = PLACE_IMPLICIT;
        m->implicit = op->block;
        m->implicit_size = op->first;
        return status_of(op->first <= IMPLICIT_MAX);
    default:
        m->kind = PLACE_VALUE;
        return status_of(m->stack.depth > 0);
    }
}

static int push_place(machine *m, const js_dwarf_operator *op)
{
    uint64_t base = 0;
    int status = JS_OK;
    switch (op->code) {
    case DW_OP_bregx:
        base = register_value(m, op->first) + op->second;
        break;
    case DW_OP_fbreg:
        status = frame_base(m, &base);
        base += op->first;
        break;
    case DW_OP_call_frame_cfa:
        base = frame_address(m);
        break;
    default: /* an entry value: callers are not looked at */
        m->missing = true;
    }
    return status ? status : status_of(js_stack_push(&m->stack, base));
}

static int apply(machine *m, const js_dwarf_operator *op)
{
    js_stack *stack = &m->stack;
    switch (op->code) {
    case DW_OP_constu:
        return status_of(js_stack_push(stack, op->first));
    case DW_OP_bregx:
    case DW_OP_fbreg:
    case DW_OP_call_frame_cfa:
    case DW_OP_GNU_entry_value:
        return push_place(m, op);
    case DW_OP_regx:
    case DW_OP_implicit_value:
    case DW_OP_stack_value:
        return locate(m, op);
    case DW_OP_deref:
        return read_memory(m, 8);
    case DW_OP_deref_size:
        return read_memory(m, op->first);
    case DW_OP_plus_uconst:
        return add(m, op->first);
    case DW_OP_not:
    case DW_OP_neg:
        return negate(m, op->code == DW_OP_not);
    case DW_OP_dup:
        return status_of(js_stack_push_copy(stack, 0));
    case DW_OP_over:
        return status_of(js_stack_push_copy(stack, 1));
    case DW_OP_pick:
        return status_of(js_stack_push_copy(stack, op->first));
    case DW_OP_swap:
        return status_of(js_stack_rotate(stack, 2));
    case DW_OP_rot:
        return status_of(js_stack_rotate(stack, 3));
    case DW_OP_drop:
        return drop(m);
    case DW_OP_bra:
    case DW_OP_skip:
        return jump(m, op);
    case DW_OP_GNU_convert: /* each type that an expression names is float64 */
        return status_of(js_stack_convert(stack, op->first != 0));
    case DW_OP_GNU_reinterpret:
        return status_of(js_stack_reinterpret(stack, op->first != 0));
    case DW_OP_GNU_regval_type:
        return status_of(op->second && js_stack_push_float(stack, register_value(m, op->first)));
    case DW_OP_nop:
        return JS_OK;
    default:
        return status_of(js_stack_binary(stack, op->code));
    }
}

/* Evaluate one simple location, up to a piece or the end. */
static int run(machine *m)
{
    m->kind = PLACE_NONE;
    m->stack.depth = 0;
    m->missing = false;
    for (unsigned steps = 0; m->at < m->end; steps++) {
        js_dwarf_operator op;
        if (!js_dwarf_operator_read(m->at, m->end, &op)) {
            return JS_EUNSUP;
        }
        if (op.code == DW_OP_piece) {
            return JS_OK;
        }
        if (steps == STEPS_MAX) {
            return JS_ELIMIT;
        }
        m->at += op.size;
        int status = apply(m, &op);
        if (status) {
            return status;
        }
        if (m->kind == PLACE_NONE && m->stack.depth) {
            m->kind = PLACE_MEMORY;
        }
    }
    return JS_OK;
}

static int fetch(const machine *m, uint8_t *out, uint8_t *known, size_t size)
{
    uint8_t buffer[64] = {0};
    const uint64_t *top = m->stack.depth ? &m->stack.words[m->stack.depth - 1] : NULL;
    if (m->missing) {
        return JS_OK;
    }
    switch (m->kind) {
    case PLACE_NONE:
        return JS_OK;
    case PLACE_MEMORY: {
        int status = top ? js_bytes_read(m->frame->memory, *top, out, size) : JS_EUNSUP;
        if (status) {
            return status;
        }
        break;
    }
    case PLACE_REGISTER: {
        int got = m->frame->registers(m->frame->context, m->regnum, buffer, sizeof buffer);
        if (got < 0 || (size_t)got < size) {
            return JS_OK;
        }
        memcpy(out, buffer, size);
        break;
    }
    case PLACE_VALUE:
        if (!top || size > 8) {
            return JS_EUNSUP;
        }
        memcpy(out, top, size);
        break;
    case PLACE_IMPLICIT:
        if (m->implicit_size < size) {
            return JS_EUNSUP;
        }
        memcpy(out, m->implicit, size);
        break;
    }
    memset(known, 1, size);
    return JS_OK;
}

/* Read the size of the piece for the location before it; without a piece, it is all that is left. */
static int take_piece(machine *m, uint64_t left, uint64_t *out)
{
    js_dwarf_operator op;
    *out = left;
    if (m->at == m->end) {
        return JS_OK;
    }
    if (!js_dwarf_operator_read(m->at, m->end, &op)) {
        return JS_EUNSUP;
    }
    m->at += op.size;
    *out = op.first;
    return op.first > left ? JS_EBAD : JS_OK;
}

int js_evaluate(const js_frame *frame, js_dwarf_operators frame_base, js_dwarf_operators expr,
                js_found_bytes *out)
{
    machine m = {.frame = frame, .base = frame_base, .at = expr.bytes, .end = expr.bytes + expr.size};
    size_t done = 0;
    memset(out->contents, 0, out->size);
    memset(out->known, 0, out->size);
    out->address = 0;
    if (expr.size == 0) {
        return JS_OK;
    }
    do {
        int status = run(&m);
        if (status) {
            return status;
        }
        if (m.at == m.end && done == 0 && m.kind == PLACE_MEMORY && !m.missing) {
            out->address = m.stack.words[m.stack.depth - 1];
        }
        uint64_t piece;
        status = take_piece(&m, out->size - done, &piece);
        status = status ? status : fetch(&m, out->contents + done, out->known + done, piece);
        if (status) {
            return status;
        }
        done += piece;
    } while (m.at < m.end && done < out->size);
    return JS_OK;
}
