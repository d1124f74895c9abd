/* Finds unoptimised code that runs ahead of its line. Such code keeps the source's order, except for code
 * that gives variables up, which may have a later line. */
#include <string.h>

#include "program/validity/order/order.h"

enum { EARLY_LINES = 4096, EARLY_BLOCKS = 1 << 16 };

typedef struct early {
    const js_truth *truth;
    uint32_t first; /* line of bit 0 */
    size_t nlines, words;
    uint64_t *ahead;  /* for each block by order: lines whose statements begin in it, or may begin later */
    uint64_t *begun;  /* for each block by order: lines whose statements begin in it */
    uint64_t *around; /* for each block by order: as `ahead`, with jumps back */
    uint8_t *begins;  /* for each instruction: a statement of its line begins there */
} early;

static bool add_line(const early *ctx, uint64_t *set, uint32_t line)
{
    if (line < ctx->first || line - ctx->first >= ctx->nlines) {
        return false;
    }
    uint64_t bit = (uint64_t)1 << ((line - ctx->first) % 64), *word = &set[(line - ctx->first) / 64];
    bool is_new = !(*word & bit);
    *word |= bit;
    return is_new;
}

static bool is_line_in(const early *ctx, const uint64_t *set, uint32_t line)
{
    return set[(line - ctx->first) / 64] >> ((line - ctx->first) % 64) & 1;
}

static bool is_ahead_of(const early *ctx, const uint64_t *ahead, const uint64_t *around, uint32_t line)
{
    const js_flow *flow = ctx->truth->flow;
    for (uint32_t other = ctx->first; other < line && other - ctx->first < ctx->nlines; other++) {
        if ((is_line_in(ctx, ahead, other) && !js_order_loops_back(flow, line, other)) ||
            (is_line_in(ctx, around, other) && !js_order_share_loop(flow, line, other))) {
            return true;
        }
    }
    return false;
}

/* Fill `around`: code in a loop that has a line after the loop leads to the loop's lines only by the jump
 * back. */
static void find_around(const early *ctx)
{
    const js_code *code = &ctx->truth->machine.code;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t o = code->norder; o-- > 0;) {
            uint64_t *set = &ctx->around[o * ctx->words];
            for (unsigned s = 0; s < 2; s++) {
                uint32_t to = code->blocks[code->order[o]].successors[s];
                size_t next = to == JS_CODE_NOWHERE ? 0 : code->blocks[to].order * ctx->words;
                for (size_t i = 0; to != JS_CODE_NOWHERE && i < ctx->words; i++) {
                    uint64_t more = (ctx->begun[next + i] | ctx->around[next + i]) & ~set[i];
                    set[i] |= more;
                    changed |= more != 0;
                }
            }
        }
    }
}

static void find_begun(const early *ctx)
{
    const js_code *code = &ctx->truth->machine.code;
    for (size_t o = 0; o < code->norder; o++) {
        const js_basic_block *block = &code->blocks[code->order[o]];
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            if (ctx->begins[i]) {
                add_line(ctx, &ctx->begun[o * ctx->words], ctx->truth->insns.lines[i]);
            }
        }
    }
}

static void mark(const early *ctx, size_t order, uint8_t *is_early)
{
    const js_code *code = &ctx->truth->machine.code;
    const js_basic_block *block = &code->blocks[code->order[order]];
    uint64_t *set = &ctx->ahead[order * ctx->words];
    for (unsigned s = 0; s < 2; s++) {
        uint32_t to = block->successors[s];
        for (size_t i = 0; to != JS_CODE_NOWHERE && code->blocks[to].order > order && i < ctx->words; i++) {
            set[i] |= ctx->ahead[code->blocks[to].order * ctx->words + i];
        }
    }
    uint32_t line = 0;
    bool known = false;
    for (uint32_t i = block->first + block->count; i-- > block->first;) {
        bool is_new = ctx->begins[i] && add_line(ctx, set, ctx->truth->insns.lines[i]);
        if (is_new || ctx->truth->insns.lines[i] != line || i + 1 == block->first + block->count) {
            line = ctx->truth->insns.lines[i];
            known = is_ahead_of(ctx, set, &ctx->around[order * ctx->words], line);
        }
        is_early[i] = known;
    }
}

/* True if the flow has any value without code: a formula, a known value or a literal. */
static bool tells(const js_flow *flow)
{
    for (size_t i = 0; i < flow->nats; i++) {
        if (flow->ats[i].computed || flow->ats[i].known) {
            return true;
        }
    }
    for (size_t i = 0; i < flow->ndefs; i++) {
        const js_flow_def *def = &flow->defs[i];
        if (def->literal || (def->held && def->held != JS_DEF_CALL)) {
            return true;
        }
    }
    return false;
}

/* Drop rows of early code if the line also has code in its own place: Numba computes what a line needs ahead
 * of a parallel loop above the line. */
static void drop_early(const early *ctx, const uint8_t *is_early)
{
    const js_function *function = ctx->truth->function;
    for (size_t i = 0; function->starts_region && i < function->lines.nall; i++) {
        js_row *row = &function->statements.rows[i];
        uint32_t insn =
            row->is_stmt ? js_code_find(&ctx->truth->machine.code, row->address) : JS_CODE_NOWHERE;
        bool has_other = false;
        for (size_t k = 0; insn != JS_CODE_NOWHERE && is_early[insn] && k < function->lines.nall; k++) {
            const js_row *other = &function->statements.rows[k];
            uint32_t there = other->is_stmt && other->line == row->line
                                 ? js_code_find(&ctx->truth->machine.code, other->address)
                                 : insn;
            has_other |= there != JS_CODE_NOWHERE && !is_early[there];
        }
        row->is_stmt = row->is_stmt && (!has_other || row->prologue_end);
        if (insn != JS_CODE_NOWHERE) {
            ctx->begins[insn] = row->is_stmt;
        }
    }
}

int js_order_find_early(js_order *order, js_truth *truth)
{
    const js_flow *flow = truth->flow;
    early ctx = {.truth = truth, .first = flow->first_line + 1};
    if (!tells(flow) || flow->last_line < ctx.first || flow->last_line - ctx.first >= EARLY_LINES ||
        truth->machine.code.nblocks > EARLY_BLOCKS) {
        return JS_OK;
    }
    ctx.nlines = flow->last_line - ctx.first + 1;
    ctx.words = ctx.nlines / 64 + 1;
    size_t size = (truth->machine.code.norder + 1) * ctx.words * sizeof(uint64_t);
    ctx.ahead = js_arena_alloc(&truth->scratch, size);
    ctx.begun = js_arena_alloc(&truth->scratch, size);
    ctx.around = js_arena_alloc(&truth->scratch, size);
    ctx.begins = js_arena_alloc(&truth->scratch, truth->machine.code.ninsns + 1);
    order->is_early = js_arena_alloc(&truth->scratch, truth->machine.code.ninsns + 1);
    if (!ctx.ahead || !ctx.begun || !ctx.around || !ctx.begins || !order->is_early) {
        return JS_ENOMEM;
    }
    size_t count = truth->function->statements.rows ? truth->function->lines.nall : 0;
    for (size_t i = 0; i < count; i++) {
        const js_row *row = &truth->function->statements.rows[i];
        uint32_t insn = row->is_stmt ? js_code_find(&truth->machine.code, row->address) : JS_CODE_NOWHERE;
        if (insn != JS_CODE_NOWHERE) {
            ctx.begins[insn] = 1;
        }
    }
    find_begun(&ctx);
    find_around(&ctx);
    for (size_t o = truth->machine.code.norder; count && o-- > 0;) {
        mark(&ctx, o, order->is_early);
    }
    if (count) {
        drop_early(&ctx, order->is_early);
    }
    return count && truth->function->starts_region ? js_order_find_overtaken(order, truth, ctx.begins)
                                                   : JS_OK;
}
