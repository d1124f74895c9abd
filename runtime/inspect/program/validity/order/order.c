/* Divides optimised code into stretches, and compares what the source says at all lines where the program may
 * be. */
#include "program/validity/order/order.h"

#include <stdlib.h>
#include <string.h>

#include "program/validity/locations/debugger_rows.h"

enum { ORDER_BLOCKS = 1024, ORDER_STRETCHES = 1536 };

static int divide(js_order *order, js_truth *truth)
{
    const js_code *code = &truth->machine.code;
    order->stretches = js_arena_alloc(&truth->scratch, (code->ninsns + 1) * sizeof(*order->stretches));
    order->of = js_arena_alloc(&truth->scratch, (code->ninsns + 1) * sizeof(*order->of));
    if (!order->stretches || !order->of) {
        return JS_ENOMEM;
    }
    memset(order->of, 0xff, (code->ninsns + 1) * sizeof(*order->of));
    for (uint32_t b = 0; b < code->nblocks; b++) {
        const js_basic_block *block = &code->blocks[b];
        for (uint32_t i = block->first; block->order != JS_CODE_NOWHERE && i < block->first + block->count;
             i++) {
            if (i == block->first || truth->insns.lines[i] != truth->insns.lines[i - 1]) {
                order->stretches[order->nstretches++] =
                    (js_stretch){.block = b, .first = i, .line = truth->insns.lines[i]};
            }
            order->stretches[order->nstretches - 1].count++;
            order->of[i] = (uint32_t)order->nstretches - 1;
        }
    }
    return JS_OK;
}

static int find_stops(js_order *order, const js_truth *truth)
{
    size_t count;
    js_row *rows = js_debugger_rows(truth->function, &count);
    if (!rows) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t insn = js_code_find(&truth->machine.code, rows[i].address);
        if (rows[i].is_stmt && insn != JS_CODE_NOWHERE && order->of[insn] != JS_CODE_NOWHERE) {
            order->stretches[order->of[insn]].is_stop = true;
        }
    }
    free(rows);
    return JS_OK;
}

bool js_order_matters(const js_truth *truth)
{
    return truth->flow && (!truth->is_plain || truth->function->region.parent);
}

int js_order_init(js_order *order, js_truth *truth)
{
    memset(order, 0, sizeof(*order));
    if (truth->flow && truth->machine.is_followed && !js_order_matters(truth)) {
        return js_order_find_early(order, truth);
    }
    if (!js_order_matters(truth) || !truth->machine.is_followed ||
        truth->machine.code.nblocks > ORDER_BLOCKS) {
        return JS_OK;
    }
    int status = divide(order, truth);
    if (order->nstretches > ORDER_STRETCHES) {
        return JS_OK;
    }
    status = status == JS_OK ? find_stops(order, truth) : status;
    status = status == JS_OK ? js_order_find_reordered(order, truth) : status;
    status = status == JS_OK ? js_order_find_possible(order, truth) : status;
    status = status == JS_OK ? js_order_find_asked(order, truth) : status;
    order->is_known = status == JS_OK;
    return status == JS_ELIMIT ? JS_OK : status;
}

uint32_t js_order_line(const js_truth *truth, const js_local *local, uint32_t line)
{
    const js_function *function = truth->function;
    const js_flow *flow = truth->flow;
    if (!function->region.parent || !flow || !line || line >= function->region.line) {
        return line;
    }
    size_t ndefs = 0;
    for (size_t i = 0; i < flow->ndefs; i++) {
        bool is_own = strcmp(flow->defs[i].name, local->name) == 0;
        if (is_own && flow->defs[i].line != flow->first_line) {
            return line;
        }
        ndefs += is_own;
    }
    return ndefs == 1 ? function->region.line : line;
}

uint32_t js_order_stretch(const js_order *order, size_t insn)
{
    bool is_anywhere = !order->is_known || insn == JS_CODE_NOWHERE ||
                       (order->asked && order->asked[insn] == JS_ASKED_ANYWHERE);
    return is_anywhere ? JS_CODE_NOWHERE : order->of[insn];
}

bool js_order_agrees(const js_order *order, const js_truth *truth, size_t insn, uint32_t line,
                     const char *name)
{
    const js_flow_at *fact = js_order_matters(truth) ? js_flow_find(truth->flow, line, name) : NULL;
    uint32_t number = js_order_stretch(order, insn);
    const js_stretch *stretch = number == JS_CODE_NOWHERE ? NULL : &order->stretches[number];
    if (!fact || (stretch && !stretch->is_reordered) || js_order_is_asked(order, insn)) {
        return true;
    }
    for (const uint32_t *other = stretch ? stretch->possible : NULL; other && *other; other++) {
        const js_flow_at *there = js_flow_find(truth->flow, *other, name);
        if (there && !js_flow_same_defs(fact, there)) {
            return false;
        }
    }
    return stretch || fact->is_everywhere;
}

bool js_order_is_early(const js_order *order, size_t insn)
{
    return order->is_early && insn != JS_CODE_NOWHERE && order->is_early[insn];
}

/* True if the source assigns the name on a line from `line` to `last`. */
static bool assigns_between(const js_flow *flow, uint32_t line, uint32_t last, const char *name)
{
    for (size_t i = 0; i < flow->ndefs; i++) {
        uint32_t at = flow->defs[i].line;
        if (at >= line && at <= last && strcmp(flow->defs[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

bool js_order_is_kept(const js_order *order, const js_truth *truth, size_t insn, uint32_t line,
                      const char *name)
{
    const uint32_t *later = order->overtakes && insn != JS_CODE_NOWHERE ? order->overtakes[insn] : NULL;
    const js_flow_at *fact = later ? js_flow_find(truth->flow, line, name) : NULL;
    for (; fact && *later; later++) {
        const js_flow_at *there = js_flow_find(truth->flow, *later, name);
        if ((there && !js_flow_same_defs(fact, there)) || assigns_between(truth->flow, line, *later, name)) {
            return false;
        }
    }
    return true;
}

bool js_order_may_be_unassigned(const js_order *order, const js_truth *truth, size_t insn, const char *name)
{
    uint32_t number = js_order_stretch(order, insn);
    const uint32_t *possible = number == JS_CODE_NOWHERE ? NULL : order->stretches[number].possible;
    for (const uint32_t *other = possible; other && *other; other++) {
        const js_flow_at *there = js_flow_find(truth->flow, *other, name);
        if (there && (there->ndefs == 0 || there->maybe_unassigned)) {
            return true;
        }
    }
    return !possible;
}

static bool same_computed(const js_flow_at *left, const js_flow_at *right)
{
    return right && right->computed && left->computed == right->computed;
}

bool js_order_computes(const js_order *order, const js_truth *truth, size_t insn, const js_flow_at *fact)
{
    uint32_t number = js_order_stretch(order, insn);
    const js_stretch *stretch = number == JS_CODE_NOWHERE ? NULL : &order->stretches[number];
    if ((stretch && !stretch->is_reordered) || js_order_is_asked(order, insn)) {
        return true;
    }
    if (order->is_early && insn != JS_CODE_NOWHERE) {
        return !js_order_is_early(order, insn) &&
               js_order_is_kept(order, truth, insn, truth->insns.lines[insn], fact->name);
    }
    for (const uint32_t *other = stretch ? stretch->possible : NULL; other && *other; other++) {
        if (!same_computed(fact, js_flow_find(truth->flow, *other, fact->name))) {
            return false;
        }
    }
    for (size_t i = 0; !stretch && i < truth->flow->nats; i++) { /* the program may be at any line */
        const js_flow_at *there = &truth->flow->ats[i];
        if (strcmp(there->name, fact->name) == 0 && !same_computed(fact, there)) {
            return false;
        }
    }
    return true;
}
