/* Finds the stretches that are reordered: those that the machine runs before or after another one against the
 * source's order, and those under a test of the source that does not run before them on every path. */
#include <stdlib.h>
#include <string.h>

#include "program/validity/order/order.h"

enum { ASTRAY_REGIONS = 512 };

typedef struct relation { /* a set of pairs of blocks */
    size_t words;
    uint64_t *bits;
} relation;

typedef struct search {
    js_truth *truth;
    js_order *order;
    relation forward, any; /* forward: reached without a jump back; any: reached in any way */
    uint8_t *is_loose;     /* for each region and block: the region's test does not decide whether it runs */
} search;

static bool has(const relation *pairs, uint32_t from, uint32_t to)
{
    return pairs->bits[from * pairs->words + to / 64] >> (to % 64) & 1;
}

/* Add the pair, and all that `to` leads_forward to. True if that is new. */
static bool add_reachable(relation *pairs, uint32_t from, uint32_t to)
{
    uint64_t *row = &pairs->bits[from * pairs->words], *other = &pairs->bits[to * pairs->words];
    uint64_t changed = 0;
    for (size_t i = 0; i < pairs->words; i++) {
        uint64_t bits = other[i] | (i == to / 64 ? (uint64_t)1 << (to % 64) : 0);
        changed |= bits & ~row[i];
        row[i] |= bits;
    }
    return changed != 0;
}

static bool leads_forward(const js_code *code, uint32_t from, uint32_t to)
{
    return to != JS_CODE_NOWHERE && code->blocks[to].order > code->blocks[from].order;
}

static int relate_blocks(search *ctx)
{
    const js_code *code = &ctx->truth->machine.code;
    size_t words = code->nblocks / 64 + 1;
    ctx->forward = (relation){words, js_arena_alloc(&ctx->truth->scratch, code->nblocks * words * 8)};
    ctx->any = (relation){words, js_arena_alloc(&ctx->truth->scratch, code->nblocks * words * 8)};
    if (!ctx->forward.bits || !ctx->any.bits) {
        return JS_ENOMEM;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t o = code->norder; o-- > 0;) {
            uint32_t b = code->order[o];
            for (unsigned s = 0; s < 2; s++) {
                uint32_t to = code->blocks[b].successors[s];
                if (leads_forward(code, b, to)) {
                    add_reachable(&ctx->forward, b, to);
                }
                changed |= to != JS_CODE_NOWHERE && add_reachable(&ctx->any, b, to);
            }
        }
    }
    return JS_OK;
}

static bool is_branch(const js_code *code, uint32_t b)
{
    return code->blocks[b].successors[0] != JS_CODE_NOWHERE &&
           code->blocks[b].successors[1] != JS_CODE_NOWHERE;
}

bool js_order_holds_branch(const js_code *code, const js_stretch *it)
{
    const js_basic_block *block = &code->blocks[it->block];
    return it->first + it->count == block->first + block->count && is_branch(code, it->block);
}

/* ---- the source's order ---- */

static bool is_in(const js_region *region, uint32_t line)
{
    return line >= region->first && line <= region->last;
}

static bool is_test(const js_region *region, uint32_t line)
{
    return region->first_test && line >= region->first_test && line <= region->last_test;
}

bool js_order_share_loop(const js_flow *flow, uint32_t left, uint32_t right)
{
    for (size_t i = 0; i < flow->nregions; i++) {
        const js_region *loop = &flow->regions[i];
        if (loop->kind == JS_REGION_LOOP && (is_in(loop, left) || is_test(loop, left)) &&
            (is_in(loop, right) || is_test(loop, right))) {
            return true;
        }
    }
    return false;
}

bool js_order_loops_back(const js_flow *flow, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < flow->nregions; i++) {
        const js_region *loop = &flow->regions[i];
        if (loop->kind == JS_REGION_LOOP && is_in(loop, from) && is_test(loop, to)) {
            return true;
        }
    }
    return false;
}

/* True if the lines are in different arms of one test. */
static bool are_apart(const js_flow *flow, uint32_t left, uint32_t right)
{
    for (size_t i = 0; i < flow->nregions; i++) {
        const js_region *one = &flow->regions[i];
        for (size_t k = 0; one->kind != JS_REGION_LOOP && is_in(one, left) && k < flow->nregions; k++) {
            const js_region *other = &flow->regions[k];
            if (k != i && other->kind != JS_REGION_LOOP && other->first_test == one->first_test &&
                one->first_test && is_in(other, right) && !is_in(one, right) && !is_in(other, left)) {
                return true;
            }
        }
    }
    return false;
}

/* True if `first` may run before `then`, against the source's order. */
static bool runs_against_source(const search *ctx, const js_stretch *first, const js_stretch *then)
{
    const js_flow *flow = ctx->truth->flow;
    bool forward = first->block == then->block ? first->first < then->first
                                               : has(&ctx->forward, first->block, then->block);
    bool any = forward || has(&ctx->any, first->block, then->block);
    if (!any || first->line == then->line) {
        return false;
    }
    if (then->line < first->line) {
        return forward ? !js_order_loops_back(flow, first->line, then->line)
                       : !js_order_share_loop(flow, first->line, then->line);
    }
    return forward && are_apart(flow, first->line, then->line);
}

/* ---- the source's tests ---- */

/* Mark the blocks that a path from the entry reaches without a branch of the test. */
static void avoid(const search *ctx, const js_region *region, uint8_t *reached)
{
    const js_code *code = &ctx->truth->machine.code;
    reached[code->order[0]] = 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t o = 0; o < code->norder; o++) {
            uint32_t b = code->order[o];
            const js_basic_block *block = &code->blocks[b];
            bool decides = is_branch(code, b) &&
                           is_test(region, ctx->truth->insns.lines[block->first + block->count - 1]);
            for (unsigned s = 0; reached[b] && !decides && s < 2; s++) {
                uint32_t to = block->successors[s];
                if (to != JS_CODE_NOWHERE && !reached[to]) {
                    reached[to] = 1;
                    changed = true;
                }
            }
        }
    }
}

/* Mark the blocks that both successors of one of the test's branches reach. */
static void join(const search *ctx, const js_region *region, uint8_t *reached)
{
    const js_code *code = &ctx->truth->machine.code;
    for (uint32_t b = 0; b < code->nblocks; b++) {
        const js_basic_block *block = &code->blocks[b];
        if (block->order == JS_CODE_NOWHERE || !is_branch(code, b) ||
            !is_test(region, ctx->truth->insns.lines[block->first + block->count - 1])) {
            continue;
        }
        uint32_t left = block->successors[0], right = block->successors[1];
        for (uint32_t to = 0;
             leads_forward(code, b, left) && leads_forward(code, b, right) && to < code->nblocks; to++) {
            reached[to] |= (to == left || has(&ctx->forward, left, to)) &&
                           (to == right || has(&ctx->forward, right, to));
        }
    }
}

static int find_loose(search *ctx)
{
    const js_flow *flow = ctx->truth->flow;
    size_t nblocks = ctx->truth->machine.code.nblocks;
    ctx->is_loose = js_arena_alloc(&ctx->truth->scratch, flow->nregions * nblocks + 1);
    if (!ctx->is_loose) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < flow->nregions; i++) {
        const js_region *region = &flow->regions[i];
        if (region->kind != JS_REGION_REST) {
            avoid(ctx, region, ctx->is_loose + i * nblocks);
        }
        join(ctx, region, ctx->is_loose + i * nblocks);
    }
    return JS_OK;
}

static bool is_loose(const search *ctx, const js_stretch *it)
{
    const js_flow *flow = ctx->truth->flow;
    for (size_t i = 0; i < flow->nregions; i++) {
        if (is_in(&flow->regions[i], it->line) &&
            ctx->is_loose[i * ctx->truth->machine.code.nblocks + it->block]) {
            return true;
        }
    }
    return false;
}

/* ---- reordered stretches ---- */

/* True for code that Numba may have moved out of a parallel loop, because it is the same in each iteration.
 * Numba does so where LLVM moves nothing, too. */
static bool is_taken_out(const js_truth *truth, const js_stretch *it)
{
    return it->line > truth->function->region.line && !truth->insns.is_cyclic[it->first];
}

static void mark_stretches(search *ctx)
{
    js_order *order = ctx->order;
    const js_code *code = &ctx->truth->machine.code;
    for (size_t i = 0; i < order->nstretches; i++) {
        js_stretch *it = &order->stretches[i];
        if (ctx->truth->is_plain) {
            it->is_reordered = is_taken_out(ctx->truth, it);
            continue;
        }
        it->is_reordered = is_loose(ctx, it);
        for (size_t k = 0; !it->is_reordered && k < order->nstretches; k++) {
            const js_stretch *other = &order->stretches[k];
            bool counts = k != i && (other->is_stop || js_order_holds_branch(code, other));
            it->is_reordered =
                counts && (runs_against_source(ctx, it, other) || runs_against_source(ctx, other, it));
        }
    }
}

int js_order_find_reordered(js_order *order, js_truth *truth)
{
    search ctx = {.truth = truth, .order = order};
    int status = truth->flow->nregions > ASTRAY_REGIONS ? JS_ELIMIT : relate_blocks(&ctx);
    status = status == JS_OK ? find_loose(&ctx) : status;
    if (status == JS_OK) {
        mark_stretches(&ctx);
    }
    return status;
}
