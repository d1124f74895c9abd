/* Finds later lines that have run before a line which comes first in the source, in unoptimised code of a
 * parallel function: Numba moves constants before the loop that it launches. */
#include <string.h>

#include "program/validity/order/order.h"

typedef struct overtaken {
    js_truth *truth;
    const uint8_t *begins; /* for each instruction: a statement of its line begins there */
    uint32_t first;        /* line of bit 0 */
    size_t nlines, words;
    uint64_t *run; /* for each block by order: lines that may have begun before it, without jumps back */
    uint64_t *now; /* lines that may have begun before the current instruction */
} overtaken;

static void add(const overtaken *ctx, uint32_t line)
{
    if (line >= ctx->first && line - ctx->first < ctx->nlines) {
        ctx->now[(line - ctx->first) / 64] |= (uint64_t)1 << ((line - ctx->first) % 64);
    }
}

static bool has_passed(const overtaken *ctx, uint32_t later, uint32_t line)
{
    return (ctx->now[(later - ctx->first) / 64] >> ((later - ctx->first) % 64) & 1) &&
           !js_order_loops_back(ctx->truth->flow, later, line);
}

/* Return the lines after `line` among those that have begun; NULL: none, or there is no memory. */
static const uint32_t *list(const overtaken *ctx, uint32_t line, int *status)
{
    size_t count = 0;
    uint32_t end = ctx->first + (uint32_t)ctx->nlines, from = line + 1 > ctx->first ? line + 1 : ctx->first;
    for (uint32_t later = from; later < end; later++) {
        count += has_passed(ctx, later, line);
    }
    uint32_t *lines = count ? js_arena_alloc(&ctx->truth->scratch, (count + 1) * sizeof(*lines)) : NULL;
    *status = count && !lines ? JS_ENOMEM : *status;
    count = 0;
    for (uint32_t later = from; lines && later < end; later++) {
        if (has_passed(ctx, later, line)) {
            lines[count++] = later;
        }
    }
    return lines;
}

int js_order_find_overtaken(js_order *order, js_truth *truth, const uint8_t *begins)
{
    const js_code *code = &truth->machine.code;
    const js_flow *flow = truth->flow;
    overtaken ctx = {.truth = truth, .begins = begins, .first = flow->first_line + 1};
    ctx.nlines = flow->last_line - ctx.first + 1;
    ctx.words = ctx.nlines / 64 + 1;
    ctx.run = js_arena_alloc(&truth->scratch, (code->norder + 1) * ctx.words * sizeof(*ctx.run));
    ctx.now = js_arena_alloc(&truth->scratch, ctx.words * sizeof(*ctx.now));
    order->overtakes = js_arena_alloc(&truth->scratch, (code->ninsns + 1) * sizeof(*order->overtakes));
    if (!ctx.run || !ctx.now || !order->overtakes) {
        return JS_ENOMEM;
    }
    int status = JS_OK;
    for (size_t o = 0; o < code->norder; o++) {
        const js_basic_block *block = &code->blocks[code->order[o]];
        memcpy(ctx.now, &ctx.run[o * ctx.words], ctx.words * sizeof(*ctx.now));
        uint32_t line = 0;
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            bool is_same = i > block->first && truth->insns.lines[i] == line && !begins[i];
            line = truth->insns.lines[i];
            order->overtakes[i] = is_same ? order->overtakes[i - 1] : line ? list(&ctx, line, &status) : NULL;
            add(&ctx, line); /* a line without statements left may have assigned by then, too */
        }
        for (unsigned s = 0; s < 2; s++) {
            uint32_t to = block->successors[s];
            bool leads = to != JS_CODE_NOWHERE && code->blocks[to].order > o;
            for (size_t w = 0; leads && w < ctx.words; w++) {
                ctx.run[code->blocks[to].order * ctx.words + w] |= ctx.now[w];
            }
        }
    }
    return status;
}
