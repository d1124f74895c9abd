/* Finds where the program is certainly at a line of its source: at its own calls that ask to stop. The
 * compiler makes such a call neither earlier nor later than the source does, and on no other path. It may
 * merge those of several lines into one, which then has no line. Numba itself moves calls in parallel code.
 */
#include "program/machine/relocated_calls.h"
#include "program/model/lookup.h"
#include "program/validity/locations/address_line.h"
#include "program/validity/order/order.h"

/* True if the call has the line of a statement, by its own row or by the call of inlined code. LLVM gives a
 * call without a line that of the function, if no code is before it. */
static bool has_statement(const js_truth *truth, uint32_t insn)
{
    const js_function *function = truth->function;
    uint64_t address = truth->machine.code.insns[insn].address;
    bool has_line = false;
    for (size_t i = 0; i < function->lines.nrows && function->lines.rows[i].address <= address; i++) {
        has_line = function->lines.rows[i].line != 0;
    }
    has_line = has_line || js_function_inline_at(function, address) != 0;
    uint32_t line = js_truth_line(function, address);
    return has_line && line > truth->flow->first_line && line == truth->insns.lines[insn];
}

static bool asks(const js_truth *truth, uint32_t insn)
{
    const js_insn *call = &truth->machine.code.insns[insn];
    const char *name =
        call->op == JS_OP_CALL ? js_reference_called(truth->object, &truth->machine.track, call) : NULL;
    return name && js_reference_is_stop(name);
}

bool js_order_is_asked(const js_order *order, size_t insn)
{
    return order->asked && insn != JS_CODE_NOWHERE && order->asked[insn] == JS_ASKED_AT_LINE;
}

int js_order_find_asked(js_order *order, js_truth *truth)
{
    const js_code *code = &truth->machine.code;
    if (truth->function->region.parent || truth->function->starts_region) {
        return JS_OK;
    }
    order->asked = js_arena_alloc(&truth->scratch, code->ninsns + 1);
    if (!order->asked) {
        return JS_ENOMEM;
    }
    for (size_t o = 0; o < code->norder; o++) {
        const js_basic_block *block = &code->blocks[code->order[o]];
        uint32_t end = block->first + block->count;
        js_track_enter(&truth->machine.track, code->order[o]);
        for (uint32_t i = block->first; i < end; i++) {
            if (asks(truth, i)) {
                order->asked[i] = has_statement(truth, i) ? JS_ASKED_AT_LINE : JS_ASKED_ANYWHERE;
                if (i + 1 < end &&
                    truth->insns.lines[i + 1] == truth->insns.lines[i]) { /* the stop returns to it */
                    order->asked[i + 1] = order->asked[i];
                }
            }
            js_track_step(&truth->machine.track, i);
        }
    }
    return JS_OK;
}
