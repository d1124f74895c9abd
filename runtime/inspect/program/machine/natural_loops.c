/* Finds natural loops: a jump back to a block from one that it dominates, and all blocks between the two. */
#include <string.h>

#include "bytes/status.h"
#include "program/machine/code.h"

enum { LOOPS_STEPS = 20000000 };

typedef struct search {
    const js_code *code;
    uint32_t *preds, *first; /* predecessors of block b: preds[first[b]] … preds[first[b + 1] - 1] */
    uint32_t *stack;
    uint8_t *is_in; /* for each block: it is in the loop that is looked at */
    uint64_t steps;
} search;

static void find_preds(search *ctx)
{
    const js_code *code = ctx->code;
    for (size_t o = 0; o < code->norder; o++) {
        for (unsigned s = 0; s < 2; s++) {
            uint32_t to = code->blocks[code->order[o]].successors[s];
            if (to != JS_CODE_NOWHERE) {
                ctx->first[to + 1]++;
            }
        }
    }
    for (size_t b = 0; b < code->nblocks; b++) {
        ctx->first[b + 1] += ctx->first[b];
    }
    uint32_t *next = ctx->stack;
    memcpy(next, ctx->first, code->nblocks * sizeof(*next));
    for (size_t o = 0; o < code->norder; o++) {
        for (unsigned s = 0; s < 2; s++) {
            uint32_t to = code->blocks[code->order[o]].successors[s];
            if (to != JS_CODE_NOWHERE) {
                ctx->preds[next[to]++] = code->order[o];
            }
        }
    }
}

/* Fill at->is_in. False: the loop has an entry other than its header, or the search takes too long. */
static bool fill_loop(search *ctx, uint32_t header, uint32_t latch)
{
    size_t depth = 0;
    memset(ctx->is_in, 0, ctx->code->nblocks);
    ctx->is_in[header] = 1;
    if (!ctx->is_in[latch]) {
        ctx->is_in[latch] = 1;
        ctx->stack[depth++] = latch;
    }
    while (depth > 0) {
        uint32_t b = ctx->stack[--depth];
        if (b == 0) {
            return false;
        }
        for (uint32_t p = ctx->first[b]; p < ctx->first[b + 1]; p++) {
            uint32_t before = ctx->preds[p];
            if (++ctx->steps > LOOPS_STEPS) {
                return false;
            }
            if (!ctx->is_in[before]) {
                ctx->is_in[before] = 1;
                ctx->stack[depth++] = before;
            }
        }
    }
    return true;
}

int js_code_loops(const js_code *code, js_arena *arena, uint32_t **innermost)
{
    size_t count = code->nblocks + 1;
    search ctx = {.code = code};
    uint32_t *found = js_arena_alloc(arena, count * sizeof(*found));
    ctx.preds = js_arena_alloc(arena, 2 * count * sizeof(*ctx.preds));
    ctx.first = js_arena_alloc(arena, (count + 1) * sizeof(*ctx.first));
    ctx.stack = js_arena_alloc(arena, count * sizeof(*ctx.stack));
    ctx.is_in = js_arena_alloc(arena, count);
    if (!found || !ctx.preds || !ctx.first || !ctx.stack || !ctx.is_in) {
        return JS_ENOMEM;
    }
    find_preds(&ctx);
    for (size_t b = 0; b < count; b++) {
        found[b] = JS_CODE_NOWHERE;
    }
    for (size_t o = 0; o < code->norder; o++) {
        uint32_t latch = code->order[o];
        for (unsigned s = 0; s < 2; s++) {
            uint32_t header = code->blocks[latch].successors[s];
            if (header == JS_CODE_NOWHERE || code->blocks[header].order > code->blocks[latch].order) {
                continue;
            }
            if (!fill_loop(&ctx, header, latch)) {
                return ctx.steps > LOOPS_STEPS ? JS_ELIMIT : JS_EUNSUP;
            }
            for (uint32_t b = 0; b < code->nblocks; b++) { /* an inner loop's header comes later */
                if (ctx.is_in[b] && (found[b] == JS_CODE_NOWHERE ||
                                     code->blocks[found[b]].order < code->blocks[header].order)) {
                    found[b] = header;
                }
            }
        }
    }
    *innermost = found;
    return JS_OK;
}

/* A block may run twice if it lies between the head and the end of a backward edge in reverse post-order. */
int js_code_cycles(const js_code *code, js_arena *arena, uint8_t **is_cyclic)
{
    uint32_t *reach = js_arena_alloc(arena, (code->norder + 1) * sizeof(*reach));
    *is_cyclic = js_arena_alloc(arena, code->ninsns + 1);
    if (!reach || !*is_cyclic) {
        return JS_ENOMEM;
    }
    for (size_t o = 0; o < code->norder; o++) { /* for each head the last block that jumps back to it */
        for (unsigned s = 0; s < 2; s++) {
            uint32_t to = code->blocks[code->order[o]].successors[s];
            if (to != JS_CODE_NOWHERE && code->blocks[to].order <= o) {
                reach[code->blocks[to].order] = (uint32_t)o + 1;
            }
        }
    }
    uint32_t end = 0;
    for (size_t o = 0; o < code->norder; o++) {
        end = reach[o] > end ? reach[o] : end;
        const js_basic_block *block = &code->blocks[code->order[o]];
        memset(*is_cyclic + block->first, o < end, block->count);
    }
    return JS_OK;
}
