/* Source of the rules: DWARF 5, 6.4; of the operations: 2.5.1. */
#include "stacks/unwind/rules.h"

#include <dwarf.h>
#include <stdlib.h>

enum { STACK_MAX = 32 };

/* A DWARF expression that is being evaluated. */
typedef struct evaluation {
    const js_unwound *frame;
    js_bytes *memory;
    uint64_t stack[STACK_MAX];
    unsigned depth;
    bool is_value; /* the result is a value, and not the address of one */
} evaluation;

static bool push(evaluation *e, uint64_t value)
{
    if (e->depth == STACK_MAX) {
        return false;
    }
    e->stack[e->depth++] = value;
    return true;
}

static bool push_register(evaluation *e, unsigned number, uint64_t offset)
{
    return number < JS_UNWIND_REGISTERS && e->frame->is_known[number] &&
           push(e, e->frame->values[number] + offset);
}

/* Return the number of operands of a binary or unary operation; 0: it is another one. */
static unsigned operands_of(uint8_t atom)
{
    switch (atom) {
    case DW_OP_and:
    case DW_OP_or:
    case DW_OP_xor:
    case DW_OP_plus:
    case DW_OP_minus:
    case DW_OP_mul:
    case DW_OP_shl:
    case DW_OP_shr:
    case DW_OP_ge:
    case DW_OP_gt:
    case DW_OP_le:
    case DW_OP_lt:
    case DW_OP_eq:
    case DW_OP_ne:
        return 2;
    default:
        return 0;
    }
}

static uint64_t compute(uint8_t atom, uint64_t first, uint64_t second)
{
    int64_t a = (int64_t)first, b = (int64_t)second;
    switch (atom) {
    case DW_OP_and:
        return first & second;
    case DW_OP_or:
        return first | second;
    case DW_OP_xor:
        return first ^ second;
    case DW_OP_plus:
        return first + second;
    case DW_OP_minus:
        return first - second;
    case DW_OP_mul:
        return first * second;
    case DW_OP_shl:
        return second < 64 ? first << second : 0;
    case DW_OP_shr:
        return second < 64 ? first >> second : 0;
    case DW_OP_ge:
        return a >= b;
    case DW_OP_gt:
        return a > b;
    case DW_OP_le:
        return a <= b;
    case DW_OP_lt:
        return a < b;
    case DW_OP_eq:
        return first == second;
    default:
        return first != second;
    }
}

static bool dereference(evaluation *e)
{
    return e->depth &&
           js_bytes_read_word(e->memory, e->stack[e->depth - 1], &e->stack[e->depth - 1]) == JS_OK;
}

/* Evaluate an operation that pushes a value. */
static bool evaluate_push(evaluation *e, const Dwarf_Op *op)
{
    uint8_t atom = op->atom;
    if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) {
        return push(e, (uint64_t)atom - DW_OP_lit0);
    }
    if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31) {
        return push_register(e, atom - (unsigned)DW_OP_breg0, op->number);
    }
    switch (atom) {
    case DW_OP_bregx:
        return op->number < JS_UNWIND_REGISTERS && push_register(e, (unsigned)op->number, op->number2);
    case DW_OP_const1u:
    case DW_OP_const1s:
    case DW_OP_const2u:
    case DW_OP_const2s:
    case DW_OP_const4u:
    case DW_OP_const4s:
    case DW_OP_const8u:
    case DW_OP_const8s:
    case DW_OP_constu:
    case DW_OP_consts:
        return push(e, op->number); /* libdw has extended the sign */
    case DW_OP_call_frame_cfa:
        return e->frame->cfa && push(e, e->frame->cfa);
    case DW_OP_dup:
        return e->depth && push(e, e->stack[e->depth - 1]);
    default:
        return false;
    }
}

static bool evaluate_one(evaluation *e, const Dwarf_Op *op)
{
    if (operands_of(op->atom)) {
        if (e->depth < 2) {
            return false;
        }
        e->depth--;
        e->stack[e->depth - 1] = compute(op->atom, e->stack[e->depth - 1], e->stack[e->depth]);
        return true;
    }
    switch (op->atom) {
    case DW_OP_plus_uconst:
        if (e->depth) {
            e->stack[e->depth - 1] += op->number;
        }
        return e->depth != 0;
    case DW_OP_deref:
        return dereference(e);
    case DW_OP_stack_value:
        e->is_value = true;
        return true;
    case DW_OP_nop:
        return true;
    default:
        return evaluate_push(e, op);
    }
}

static int evaluate(evaluation *e, const Dwarf_Op *ops, size_t count, uint64_t *out)
{
    for (size_t i = 0; i < count; i++) {
        if (!evaluate_one(e, &ops[i])) {
            return JS_EUNSUP;
        }
    }
    *out = e->depth ? e->stack[e->depth - 1] : 0;
    return e->depth ? JS_OK : JS_EUNSUP;
}

/* Set one register of the caller. */
static int restore(Dwarf_Frame *rules, int number, js_bytes *memory, const js_unwound *frame,
                   js_unwound *older)
{
    Dwarf_Op own[3], *ops;
    size_t count;
    uint64_t value;
    evaluation e = {.frame = frame, .memory = memory};
    if (dwarf_frame_register(rules, number, own, &ops, &count)) {
        return JS_EUNSUP;
    }
    if (count == 0) {
        older->is_known[number] = ops == NULL && frame->is_known[number]; /* unchanged, or undefined */
        older->values[number] = frame->values[number];
        return JS_OK;
    }
    if (count == 1 && ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31) { /* in another register */
        unsigned other = ops[0].atom - (unsigned)DW_OP_reg0;
        older->is_known[number] = other < JS_UNWIND_REGISTERS && frame->is_known[other];
        older->values[number] = older->is_known[number] ? frame->values[other] : 0;
        return JS_OK;
    }
    int status = evaluate(&e, ops, count, &value);
    if (status == JS_OK && !e.is_value) {
        status = js_bytes_read_word(memory, value, &value);
    }
    older->is_known[number] = status == JS_OK;
    older->values[number] = status == JS_OK ? value : 0;
    return status;
}

static int apply(Dwarf_Frame *rules, js_bytes *memory, js_unwound *frame, js_unwound *older,
                 bool *is_outermost, bool *is_signal)
{
    Dwarf_Op *ops, own[3];
    size_t count;
    evaluation e = {.frame = frame, .memory = memory};
    int returns = dwarf_frame_info(rules, NULL, NULL, is_signal);
    if (returns != JS_UNWIND_RETURN || dwarf_frame_cfa(rules, &ops, &count) || count == 0) {
        return JS_EUNSUP;
    }
    int status = evaluate(&e, ops, count, &frame->cfa);
    if (status) {
        return status;
    }
    if (dwarf_frame_register(rules, returns, own, &ops, &count) == 0 && count == 0 && ops == own) {
        *is_outermost = true;
        return JS_OK;
    }
    for (int number = 0; number < JS_UNWIND_REGISTERS; number++) {
        int found = restore(rules, number, memory, frame, older);
        if (found && number == JS_UNWIND_RETURN) {
            return found;
        }
    }
    if (!*is_signal) {
        older->values[JS_UNWIND_RSP] = frame->cfa;
        older->is_known[JS_UNWIND_RSP] = true;
    }
    return older->is_known[JS_UNWIND_RETURN] ? JS_OK : JS_EUNSUP;
}

int js_rules_of_module(Dwfl_Module *module, uint64_t pc, js_bytes *memory, js_unwound *frame,
                       js_unwound *older, bool *is_outermost, bool *is_signal)
{
    Dwarf_Addr bias = 0;
    *is_outermost = *is_signal = false;
    for (int is_debug = 0; is_debug < 2; is_debug++) {
        Dwarf_Frame *rules = NULL;
        Dwarf_CFI *cfi = is_debug ? dwfl_module_dwarf_cfi(module, &bias) : dwfl_module_eh_cfi(module, &bias);
        if (cfi && dwarf_cfi_addrframe(cfi, pc - bias, &rules) == 0) {
            int status = apply(rules, memory, frame, older, is_outermost, is_signal);
            free(rules);
            return status;
        }
    }
    return JS_ENOTFOUND;
}

/* True for registers that a callee restores (System V ABI x86-64 psABI 1.0, 3.2.1). */
static bool is_preserved(unsigned number)
{
    return number == 3 || number == JS_UNWIND_RBP || (number >= 12 && number <= 15);
}

int js_rules_of_object(const js_object *object, uint64_t pc, js_bytes *memory, js_unwound *frame,
                       js_unwound *older)
{
    js_frame_rule rule;
    int status = js_frame_rule_at(object, pc, &rule);
    if (status) {
        return status;
    }
    if (!frame->is_known[rule.base]) {
        return JS_EUNSUP;
    }
    frame->cfa = frame->values[rule.base] + (uint64_t)rule.offset;
    for (unsigned number = 0; number < JS_UNWIND_REGISTERS; number++) {
        older->is_known[number] = is_preserved(number) && frame->is_known[number];
        older->values[number] = frame->values[number];
        if (rule.is_saved[number]) {
            status =
                js_bytes_read_word(memory, frame->cfa + (uint64_t)rule.saved[number], &older->values[number]);
            older->is_known[number] = status == JS_OK;
            if (status && number == JS_UNWIND_RETURN) {
                return status;
            }
        }
    }
    older->values[JS_UNWIND_RSP] = frame->cfa;
    older->is_known[JS_UNWIND_RSP] = true;
    return JS_OK;
}
