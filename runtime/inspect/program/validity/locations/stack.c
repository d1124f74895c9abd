/* Applies DWARF's operators to the words of the stack. */
#include "program/validity/locations/stack.h"

#include <dwarf.h>
#include <stddef.h>
#include <string.h>

static bool push(js_stack *stack, uint64_t word, bool is_float)
{
    if (stack->depth == JS_STACK_MAX) {
        return false;
    }
    stack->is_float[stack->depth] = is_float;
    stack->words[stack->depth++] = word;
    return true;
}

bool js_stack_push(js_stack *stack, uint64_t word)
{
    return push(stack, word, false);
}

bool js_stack_push_float(js_stack *stack, uint64_t bits)
{
    return push(stack, bits, true);
}

bool js_stack_push_copy(js_stack *stack, uint64_t below)
{
    if (below >= stack->depth) {
        return false;
    }
    unsigned from = stack->depth - 1 - (unsigned)below;
    return push(stack, stack->words[from], stack->is_float[from]);
}

bool js_stack_rotate(js_stack *stack, unsigned count)
{
    if (stack->depth < count) {
        return false;
    }
    unsigned at = stack->depth - 1;
    uint64_t word = stack->words[at];
    bool is_float = stack->is_float[at];
    for (unsigned i = 1; i < count; i++, at--) {
        stack->words[at] = stack->words[at - 1];
        stack->is_float[at] = stack->is_float[at - 1];
    }
    stack->words[at] = word;
    stack->is_float[at] = is_float;
    return true;
}

uint64_t *js_stack_integer(js_stack *stack)
{
    return stack->depth && !stack->is_float[stack->depth - 1] ? &stack->words[stack->depth - 1] : NULL;
}

static double float_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool compare_floats(uint8_t op, double left, double right, uint64_t *out)
{
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
    default:
        return false;
    }
}

static bool compute_floats(uint8_t op, double left, double right, uint64_t *out)
{
    double made = 0;
    switch (op) {
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
    return true;
}

/* Compare two words, as signed numbers like DWARF does. */
static bool compare_integers(uint8_t op, int64_t left, int64_t right, uint64_t *out)
{
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
    case DW_OP_le:
        *out = left <= right;
        return true;
    case DW_OP_gt:
        *out = left > right;
        return true;
    case DW_OP_ge:
        *out = left >= right;
        return true;
    default:
        return false;
    }
}

static bool compute_integers(uint8_t op, uint64_t left, uint64_t right, uint64_t *out)
{
    switch (op) {
    case DW_OP_and:
        *out = left & right;
        return true;
    case DW_OP_or:
        *out = left | right;
        return true;
    case DW_OP_xor:
        *out = left ^ right;
        return true;
    case DW_OP_plus:
        *out = left + right;
        return true;
    case DW_OP_minus:
        *out = left - right;
        return true;
    case DW_OP_mul:
        *out = left * right;
        return true;
    case DW_OP_div:
        if (right == 0 || (right == UINT64_MAX && left == UINT64_C(1) << 63)) {
            return false;
        }
        *out = (uint64_t)((int64_t)left / (int64_t)right);
        return true;
    case DW_OP_shl:
        *out = right < 64 ? left << right : 0;
        return true;
    case DW_OP_shr:
        *out = right < 64 ? left >> right : 0;
        return true;
    case DW_OP_shra:
        *out = (uint64_t)((int64_t)left >> (right < 63 ? right : 63));
        return true;
    default:
        return false;
    }
}

bool js_stack_binary(js_stack *stack, uint8_t op)
{
    unsigned at = stack->depth - 2;
    if (stack->depth < 2 || stack->is_float[at] != stack->is_float[at + 1]) {
        return false;
    }
    uint64_t left = stack->words[at], right = stack->words[at + 1], *out = &stack->words[at];
    stack->depth--;
    if (!stack->is_float[at]) {
        return compare_integers(op, (int64_t)left, (int64_t)right, out) ||
               compute_integers(op, left, right, out);
    }
    if (compute_floats(op, float_of(left), float_of(right), out)) {
        return true;
    }
    stack->is_float[at] = false;
    return compare_floats(op, float_of(left), float_of(right), out);
}

bool js_stack_reinterpret(js_stack *stack, bool to_float)
{
    if (!stack->depth) {
        return false;
    }
    stack->is_float[stack->depth - 1] = to_float;
    return true;
}

bool js_stack_convert(js_stack *stack, bool to_float)
{
    uint64_t *top = js_stack_integer(stack);
    if (!top) {
        return stack->depth && to_float; /* a float64 stays one */
    }
    if (to_float) {
        double made = (double)(int64_t)*top;
        memcpy(top, &made, sizeof made);
    }
    return js_stack_reinterpret(stack, to_float);
}
