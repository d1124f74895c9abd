/* Writes the number that a loop over a range gave last as an expression. */
#include <dwarf.h>

#include "program/names/numba/iterators.h"
#include "program/validity/order/order.h"
#include "program/validity/recovered/range_loop.h"
#include "program/validity/recovered/range_loops.h"

static void push_word(const js_truth *truth, int64_t offset, size_t insn, js_expr *out)
{
    js_expr_memory(out, JS_CODE_RSP, offset - truth->machine.track.stack[insn]);
    js_expr_op(out, DW_OP_deref);
}

/* True if the word is cleared where the function begins. */
static bool is_cleared(const js_truth *truth, int64_t offset)
{
    const js_code *code = &truth->machine.code;
    const js_basic_block *entry = &code->blocks[code->order[0]];
    bool found = false;
    for (uint32_t i = entry->first; i < entry->first + entry->count && !found; i++) {
        const js_insn *insn = &code->insns[i];
        int64_t to = insn->op == JS_OP_ZERO && insn->to.kind == JS_PLACE_FRAME
                         ? js_track_offset(&truth->machine.track, i, insn->to.reg, insn->to.value)
                         : JS_TRACK_NOWHERE;
        found = to != JS_TRACK_NOWHERE && to <= offset && offset + JS_NUMBA_RANGE_WORD <= to + insn->to.size;
    }
    return found;
}

int js_range_loop_find_unset(js_truth *truth, js_range_loop *range)
{
    const js_code *code = &truth->machine.code;
    if (range->start == JS_TRACK_NOWHERE || is_cleared(truth, range->start)) {
        return JS_OK;
    }
    uint8_t *unset = range->unset = js_arena_alloc(&truth->scratch, code->nblocks + 1);
    if (!unset) {
        return JS_ENOMEM;
    }
    unset[code->order[0]] = 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t o = 0; o < code->norder; o++) {
            uint32_t b = code->order[o];
            for (unsigned s = 0; s < 2 && unset[b] && b != range->found_in; s++) {
                uint32_t next = code->blocks[b].successors[s];
                changed = changed || (next != JS_CODE_NOWHERE && !unset[next]);
                if (next != JS_CODE_NOWHERE) {
                    unset[next] = 1;
                }
            }
        }
    }
    return JS_OK;
}

/* Put a test that ends the expression without a value if the loop has given no number since it began, or
 * never began. Returns the jump to the end, for js_expr_land(). The frame is cleared first, but the word that
 * keeps the first number may not be; a next number of 0 then counts as none. */
static size_t put_test(const js_truth *truth, const js_range_loop *range, size_t insn, js_expr *out)
{
    push_word(truth, range->next, insn, out);
    if (range->start == JS_TRACK_NOWHERE) {
        js_expr_number(out, range->def->start);
    } else {
        push_word(truth, range->start, insn, out);
    }
    js_expr_op(out, DW_OP_ne);
    bool is_unset = range->unset && range->unset[js_code_block(&truth->machine.code, (uint32_t)insn)];
    if (is_unset || (range->start == JS_TRACK_NOWHERE && range->def->start != 0)) {
        push_word(truth, range->next, insn, out);
        js_expr_op(out, DW_OP_lit0);
        js_expr_op(out, DW_OP_ne);
        js_expr_op(out, DW_OP_and);
    }
    size_t has_value = js_expr_leap(out, DW_OP_bra);
    js_expr_piece(out, JS_NUMBA_RANGE_WORD);
    size_t end = js_expr_leap(out, DW_OP_skip);
    js_expr_land(out, has_value);
    return end;
}

static const js_range_loop *find_range(const js_truth *truth, const js_flow_at *fact)
{
    const js_range_loop *found = NULL;
    for (size_t t = 0; fact && t < truth->nloops && fact->ndefs == 1; t++) {
        found = truth->loops[t].def->id == fact->defs[0] ? &truth->loops[t] : found;
    }
    return found;
}

static bool is_surely_given(const js_range_loop *range, size_t insn)
{
    return (range->marks[insn] & JS_RANGE_STATES) == JS_RANGE_GIVEN;
}

bool js_range_loops_is_kernels(const js_truth *truth, const js_flow_at *fact, size_t insn)
{
    const js_range_loop *range = insn != JS_CODE_NOWHERE ? find_range(truth, fact) : NULL;
    return range && range->is_kernels && is_surely_given(range, insn);
}

bool js_range_loops_put(const js_truth *truth, const js_local *local, const js_flow_at *fact, uint32_t line,
                        size_t insn, bool is_given, js_verdict *out)
{
    const js_range_loop *range = find_range(truth, fact);
    if (!range || range->local != local || range->found_in == JS_CODE_NOWHERE || range->is_ambiguous ||
        insn == JS_CODE_NOWHERE || range->marks[insn] & JS_RANGE_PENDING ||
        truth->machine.track.stack[insn] == JS_TRACK_NOWHERE) {
        return false;
    }
    const js_region *loop = js_flow_loop(truth->flow, range->def->line);
    bool is_early = js_order_is_early(truth->order, insn);
    if (range->version->is_index) {
        is_given = is_surely_given(range, insn);
        if (is_early || (range->is_kernels && !is_given)) {
            return false;
        }
    }
    bool is_within = is_given && line >= loop->first && line <= loop->last && !is_early;
    if (!is_within && (range->is_kernels || !range->def->step)) {
        return false;
    }
    if (!is_within && !range->def->has_start && range->start == JS_TRACK_NOWHERE) {
        return false;
    }
    js_expr made = {.size = 0, .overflow = false};
    size_t end = is_within ? 0 : put_test(truth, range, insn, &made);
    push_word(truth, range->next, insn, &made);
    js_expr_number(&made, range->is_kernels ? 1 : range->def->step);
    js_expr_op(&made, DW_OP_minus);
    js_expr_op(&made, DW_OP_stack_value);
    if (!is_within) {
        js_expr_land(&made, end);
    }
    if (made.overflow) {
        return false;
    }
    out->expr = made;
    out->state = JS_STATE_EXACT;
    out->version = range->version;
    out->needs_zero_check = !is_within;
    return true;
}
