#include "program/validity/locations/evaluate.h"

#include <dwarf.h>
#include <string.h>

enum { STACK_MAX = 64, STEPS_MAX = 4096, IMPLICIT_MAX = 4096 };

typedef enum place { PLACE_NONE, PLACE_MEMORY, PLACE_REGISTER, PLACE_VALUE, PLACE_IMPLICIT } place;

typedef struct machine {
    const js_frame *frame;
    const uint8_t *base;
    size_t base_size;
    uint64_t stack[STACK_MAX];
    bool is_float[STACK_MAX]; /* a float64's bits, by the operators that say so */
    unsigned depth;
    place kind;
    unsigned regnum;
    const uint8_t *implicit;
    size_t implicit_size;
    bool missing; /* a register that was needed is not known */
} machine;

static bool read_leb(const uint8_t **at, const uint8_t *end, bool is_signed, uint64_t *out)
{
    unsigned shift = 0;
    *out = 0;
    while (*at < end) {
        uint8_t byte = *(*at)++;
        if (shift < 64)
            *out |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
        if (!(byte & 0x80)) {
            if (is_signed && shift < 64 && (byte & 0x40))
                *out |= UINT64_MAX << shift;
            return true;
        }
    }
    return false;
}

static bool read_fixed(const uint8_t **at, const uint8_t *end, unsigned width, bool is_signed, uint64_t *out)
{
    if ((size_t)(end - *at) < width)
        return false;
    *out = 0;
    memcpy(out, *at, width);
    *at += width;
    if (is_signed && width < 8 && (*out >> (8 * width - 1)))
        *out |= UINT64_MAX << (8 * width);
    return true;
}

static uint64_t register_value(machine *m, uint64_t regnum)
{
    uint8_t buffer[64];
    int got =
        regnum < 4096 ? m->frame->registers(m->frame->context, (unsigned)regnum, buffer, sizeof buffer) : -1;
    uint64_t value = 0;
    if (got < 8) {
        m->missing = true;
        return 0;
    }
    memcpy(&value, buffer, 8);
    return value;
}

static int frame_base(machine *m, uint64_t *out)
{
    const uint8_t *at = m->base, *end = m->base + m->base_size;
    if (!at || at == end)
        return JS_EUNSUP;
    if (*at >= DW_OP_reg0 && *at <= DW_OP_reg31 && end - at == 1) {
        *out = register_value(m, (uint64_t)(*at - DW_OP_reg0));
        return JS_OK;
    }
    if (*at++ != DW_OP_call_frame_cfa)
        return JS_EUNSUP;
    m->missing |= !m->frame->cfa;
    *out = m->frame->cfa;
    /* LLVM, where the stack pointer moves: call_frame_cfa, consts N, plus */
    uint64_t offset = 0;
    if (at == end)
        return JS_OK;
    if (*at++ != DW_OP_consts || !read_leb(&at, end, true, &offset) || end - at != 1 || *at != DW_OP_plus)
        return JS_EUNSUP;
    *out += offset;
    return JS_OK;
}

static bool push(machine *m, uint64_t value)
{
    if (m->depth == STACK_MAX)
        return false;
    m->is_float[m->depth] = false;
    m->stack[m->depth++] = value;
    return true;
}

/* Once more what lies so far below the top. */
static bool push_copy(machine *m, uint64_t below)
{
    if (below >= m->depth || m->depth == STACK_MAX)
        return false;
    unsigned from = m->depth - 1 - (unsigned)below;
    m->is_float[m->depth] = m->is_float[from];
    m->stack[m->depth++] = m->stack[from];
    return true;
}

/* The top of the stack goes below what were the next ones. */
static bool rotate(machine *m, unsigned count)
{
    if (m->depth < count)
        return false;
    unsigned at = m->depth - 1;
    uint64_t value = m->stack[at];
    bool is_float = m->is_float[at];
    for (unsigned i = 1; i < count; i++, at--) {
        m->stack[at] = m->stack[at - 1];
        m->is_float[at] = m->is_float[at - 1];
    }
    m->stack[at] = value;
    m->is_float[at] = is_float;
    return true;
}

static double float_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool float_binary(machine *m, uint8_t op)
{
    double right = float_of(m->stack[--m->depth]), left = float_of(m->stack[m->depth - 1]), made = 0;
    uint64_t *out = &m->stack[m->depth - 1];
    m->is_float[m->depth - 1] = false;
    switch (op) {
    case DW_OP_eq:
        *out = left == right;
        return true;
    case DW_OP_ne:
        *out = left != right;
        return true;
    case DW_OP_lt:
        *out = left < right;
        return true;
    case DW_OP_gt:
        *out = left > right;
        return true;
    case DW_OP_plus:
        made = left + right;
        break;
    case DW_OP_minus:
        made = left - right;
        break;
    case DW_OP_mul:
        made = left * right;
        break;
    case DW_OP_div:
        made = left / right;
        break;
    default:
        return false;
    }
    memcpy(out, &made, sizeof made);
    m->is_float[m->depth - 1] = true;
    return true;
}

static bool binary(machine *m, uint8_t op)
{
    if (m->depth < 2 || m->is_float[m->depth - 1] != m->is_float[m->depth - 2])
        return false;
    if (m->is_float[m->depth - 1])
        return float_binary(m, op);
    uint64_t right = m->stack[--m->depth], *left = &m->stack[m->depth - 1];
    switch (op) {
    case DW_OP_and:
        *left &= right;
        return true;
    case DW_OP_or:
        *left |= right;
        return true;
    case DW_OP_xor:
        *left ^= right;
        return true;
    case DW_OP_plus:
        *left += right;
        return true;
    case DW_OP_minus:
        *left -= right;
        return true;
    case DW_OP_mul:
        *left *= right;
        return true;
    case DW_OP_div: /* signed */
        if (right == 0 || (right == UINT64_MAX && *left == UINT64_C(1) << 63))
            return false;
        *left = (uint64_t)((int64_t)*left / (int64_t)right);
        return true;
    case DW_OP_eq:
        *left = *left == right;
        return true;
    case DW_OP_ne:
        *left = *left != right;
        return true;
    case DW_OP_lt:
        *left = (int64_t)*left < (int64_t)right;
        return true;
    case DW_OP_le:
        *left = (int64_t)*left <= (int64_t)right;
        return true;
    case DW_OP_gt:
        *left = (int64_t)*left > (int64_t)right;
        return true;
    case DW_OP_ge:
        *left = (int64_t)*left >= (int64_t)right;
        return true;
    case DW_OP_shl:
        *left = right < 64 ? *left << right : 0;
        return true;
    case DW_OP_shr:
        *left = right < 64 ? *left >> right : 0;
        return true;
    case DW_OP_shra:
        *left = (uint64_t)((int64_t)*left >> (right < 63 ? right : 63));
        return true;
    default:
        return false;
    }
}

static bool retype(machine *m, uint8_t op, bool to_float)
{
    uint64_t *top = &m->stack[m->depth - 1];
    bool *is_float = &m->is_float[m->depth - 1];
    if (op == DW_OP_GNU_convert && to_float && !*is_float) {
        double made = (double)(int64_t)*top;
        memcpy(top, &made, sizeof made);
    } else if (op == DW_OP_GNU_convert && *is_float != to_float) {
        return false;
    }
    *is_float = to_float;
    return true;
}

/* One simple location, up to a piece or the end. */
static int run(machine *m, const uint8_t **at, const uint8_t *end)
{
    uint64_t value = 0, second = 0;
    m->kind = PLACE_NONE;
    m->depth = 0;
    m->missing = false;
    for (unsigned steps = 0; *at < end; steps++) {
        uint8_t op = **at;
        if (op == DW_OP_piece || op == DW_OP_bit_piece)
            return JS_OK;
        if (steps == STEPS_MAX)
            return JS_ELIMIT;
        ++*at;
        bool fine = true;
        if (op >= DW_OP_lit0 && op <= DW_OP_lit31)
            fine = push(m, (uint64_t)(op - DW_OP_lit0));
        else if (op >= DW_OP_reg0 && op <= DW_OP_reg31) {
            m->kind = PLACE_REGISTER;
            m->regnum = (unsigned)(op - DW_OP_reg0);
            continue;
        } else if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
            fine = read_leb(at, end, true, &value) &&
                   push(m, register_value(m, (uint64_t)(op - DW_OP_breg0)) + value);
        else
            switch (op) {
            case DW_OP_regx:
                fine = read_leb(at, end, false, &value) && value < 4096;
                m->kind = PLACE_REGISTER;
                m->regnum = (unsigned)value;
                if (fine)
                    continue;
                break;
            case DW_OP_bregx:
                fine = read_leb(at, end, false, &value) && read_leb(at, end, true, &second) &&
                       push(m, register_value(m, value) + second);
                break;
            case DW_OP_fbreg: {
                uint64_t base = 0;
                int status = frame_base(m, &base);
                if (status)
                    return status;
                fine = read_leb(at, end, true, &value) && push(m, base + value);
                break;
            }
            case DW_OP_call_frame_cfa:
                m->missing |= !m->frame->cfa;
                fine = push(m, m->frame->cfa);
                break;
            case DW_OP_addr:
            case DW_OP_const8u:
            case DW_OP_const8s:
                fine = read_fixed(at, end, 8, false, &value) && push(m, value);
                break;
            case DW_OP_const4u:
            case DW_OP_const4s:
                fine = read_fixed(at, end, 4, op == DW_OP_const4s, &value) && push(m, value);
                break;
            case DW_OP_const2u:
            case DW_OP_const2s:
                fine = read_fixed(at, end, 2, op == DW_OP_const2s, &value) && push(m, value);
                break;
            case DW_OP_const1u:
            case DW_OP_const1s:
                fine = read_fixed(at, end, 1, op == DW_OP_const1s, &value) && push(m, value);
                break;
            case DW_OP_constu:
                fine = read_leb(at, end, false, &value) && push(m, value);
                break;
            case DW_OP_consts:
                fine = read_leb(at, end, true, &value) && push(m, value);
                break;
            case DW_OP_plus_uconst:
                fine = read_leb(at, end, false, &value) && m->depth > 0 && !m->is_float[m->depth - 1];
                if (fine)
                    m->stack[m->depth - 1] += value;
                break;
            case DW_OP_not:
            case DW_OP_neg:
                fine = m->depth > 0 && !m->is_float[m->depth - 1];
                if (fine)
                    m->stack[m->depth - 1] = (op == DW_OP_not ? UINT64_MAX : 0) - m->stack[m->depth - 1];
                break;
            case DW_OP_dup:
                fine = push_copy(m, 0);
                break;
            case DW_OP_over:
                fine = push_copy(m, 1);
                break;
            case DW_OP_pick:
                fine = read_fixed(at, end, 1, false, &value) && push_copy(m, value);
                break;
            case DW_OP_swap:
                fine = rotate(m, 2);
                break;
            case DW_OP_rot:
                fine = rotate(m, 3);
                break;
            case DW_OP_drop:
                if (m->depth == 0)
                    return JS_EUNSUP;
                if (--m->depth == 0) {
                    m->kind = PLACE_NONE;
                    continue;
                }
                break;
            case DW_OP_deref:
            case DW_OP_deref_size: {
                uint64_t width = 8;
                fine = m->depth > 0 && !m->is_float[m->depth - 1] &&
                       (op == DW_OP_deref || read_fixed(at, end, 1, false, &width)) &&
                       (width == 1 || width == 2 || width == 4 || width == 8);
                if (fine && !m->missing) {
                    int status = js_bytes_read_uint(m->frame->memory, m->stack[m->depth - 1], width, &value);
                    if (status)
                        return status;
                    m->stack[m->depth - 1] = value;
                }
                break;
            }
            case DW_OP_bra:
            case DW_OP_skip: /* forward only, so that every expression ends */
                fine = read_fixed(at, end, 2, false, &value) && value <= (size_t)(end - *at);
                if (fine && op == DW_OP_bra) {
                    fine = m->depth > 0;
                    if (fine && !m->stack[--m->depth])
                        value = 0;
                }
                if (fine)
                    *at += value;
                if (m->depth == 0) {
                    m->kind = PLACE_NONE;
                    continue;
                }
                break;
            case DW_OP_stack_value:
                if (m->depth == 0)
                    return JS_EUNSUP;
                m->kind = PLACE_VALUE;
                continue;
            case DW_OP_implicit_value:
                fine =
                    read_leb(at, end, false, &value) && value <= IMPLICIT_MAX && value <= (size_t)(end - *at);
                if (fine) {
                    m->kind = PLACE_IMPLICIT;
                    m->implicit = *at;
                    m->implicit_size = value;
                    *at += value;
                    continue;
                }
                break;
            case DW_OP_GNU_convert: /* any type that is named is float64 */
            case DW_OP_GNU_reinterpret:
                fine = read_leb(at, end, false, &value) && m->depth > 0 && retype(m, op, value != 0);
                break;
            case DW_OP_GNU_regval_type:
                fine = read_leb(at, end, false, &value) && read_leb(at, end, false, &second) && second &&
                       push(m, register_value(m, value));
                if (fine)
                    m->is_float[m->depth - 1] = true;
                break;
            case DW_OP_GNU_entry_value: /* callers are not asked */
                fine = read_leb(at, end, false, &value) && value <= (size_t)(end - *at) && push(m, 0);
                *at += fine ? value : 0;
                m->missing = true;
                break;
            case DW_OP_nop:
                break;
            default:
                fine = binary(m, op);
            }
        if (!fine)
            return JS_EUNSUP;
        if (m->kind == PLACE_NONE)
            m->kind = PLACE_MEMORY;
    }
    return JS_OK;
}

static int fetch(machine *m, uint8_t *out, uint8_t *known, size_t size)
{
    uint8_t buffer[64] = {0};
    if (m->missing)
        return JS_OK;
    switch (m->kind) {
    case PLACE_NONE:
        return JS_OK;
    case PLACE_MEMORY: {
        if (m->depth == 0)
            return JS_EUNSUP;
        int status = js_bytes_read(m->frame->memory, m->stack[m->depth - 1], out, size);
        if (status)
            return status;
        break;
    }
    case PLACE_REGISTER: {
        int got = m->frame->registers(m->frame->context, m->regnum, buffer, sizeof buffer);
        if (got < 0 || (size_t)got < size)
            return JS_OK;
        memcpy(out, buffer, size);
        break;
    }
    case PLACE_VALUE:
        if (m->depth == 0 || size > 8)
            return JS_EUNSUP;
        memcpy(out, &m->stack[m->depth - 1], size);
        break;
    case PLACE_IMPLICIT:
        if (m->implicit_size < size)
            return JS_EUNSUP;
        memcpy(out, m->implicit, size);
        break;
    }
    memset(known, 1, size);
    return JS_OK;
}

int js_evaluate(const js_frame *frame, const uint8_t *frame_base_expr, size_t frame_base_size,
                const uint8_t *expr, size_t expr_size, uint8_t *out, uint8_t *known, size_t size,
                uint64_t *address)
{
    machine m = {.frame = frame, .base = frame_base_expr, .base_size = frame_base_size};
    const uint8_t *at = expr, *end = expr + expr_size;
    size_t done = 0;
    memset(out, 0, size);
    memset(known, 0, size);
    *address = 0;
    if (expr_size == 0)
        return JS_OK;
    do {
        int status = run(&m, &at, end);
        if (status)
            return status;
        uint64_t piece = size - done;
        if (at < end) {
            uint8_t op = *at++;
            if (op != DW_OP_piece || !read_leb(&at, end, false, &piece))
                return JS_EUNSUP;
            if (piece > size - done)
                return JS_EBAD;
        } else if (done == 0 && m.kind == PLACE_MEMORY && !m.missing && m.depth) {
            *address = m.stack[m.depth - 1];
        }
        status = fetch(&m, out + done, known + done, piece);
        if (status)
            return status;
        done += piece;
    } while (at < end && done < size);
    return JS_OK;
}
