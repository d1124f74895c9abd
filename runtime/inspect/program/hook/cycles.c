/* Finds blocks of code that may run again without a marker in between: loops that the compiler hook has left
 * alone. These are the strongly connected components of the blocks without markers (R. Tarjan, 1972), found
 * without recursion. */
#include <string.h>

#include "program/hook/hook.h"

typedef struct search {
    const js_code *code;
    const uint8_t *is_cut; /* blocks with markers */
    uint8_t *is_cyclic;    /* the result */
    uint32_t *index, *low; /* index: 1 + order of discovery, 0: not met */
    uint32_t *stack, *path;
    uint8_t *next, *is_open;
    uint32_t met;
    size_t nstack, npath;
} search;

static void meet(search *ctx, uint32_t b)
{
    ctx->index[b] = ctx->low[b] = ++ctx->met;
    ctx->is_open[b] = 1;
    ctx->stack[ctx->nstack++] = b;
    ctx->path[ctx->npath++] = b;
}

static bool jumps_to_itself(const js_code *code, uint32_t b)
{
    return code->blocks[b].successors[0] == b || code->blocks[b].successors[1] == b;
}

/* Take b and all blocks above it from the stack: they are one component. */
static void close_component(search *ctx, uint32_t b)
{
    bool is_cycle = ctx->stack[ctx->nstack - 1] != b || jumps_to_itself(ctx->code, b);
    uint32_t member;
    do {
        member = ctx->stack[--ctx->nstack];
        ctx->is_open[member] = 0;
        ctx->is_cyclic[member] = is_cycle;
    } while (member != b);
}

static void search_from(search *ctx, uint32_t first)
{
    meet(ctx, first);
    while (ctx->npath) {
        uint32_t b = ctx->path[ctx->npath - 1];
        if (ctx->next[b] < 2) {
            uint32_t to = ctx->code->blocks[b].successors[ctx->next[b]++];
            if (to == JS_CODE_NOWHERE || ctx->is_cut[to]) {
                continue;
            }
            if (!ctx->index[to]) {
                meet(ctx, to);
            } else if (ctx->is_open[to] && ctx->index[to] < ctx->low[b]) {
                ctx->low[b] = ctx->index[to];
            }
            continue;
        }
        ctx->npath--;
        if (ctx->low[b] == ctx->index[b]) {
            close_component(ctx, b);
        }
        if (ctx->npath) {
            uint32_t before = ctx->path[ctx->npath - 1];
            ctx->low[before] = ctx->low[b] < ctx->low[before] ? ctx->low[b] : ctx->low[before];
        }
    }
}

int js_hook_cycles(js_arena *arena, const js_code *code, const uint8_t *is_cut, uint8_t **out)
{
    size_t count = code->nblocks + 1;
    search ctx = {.code = code, .is_cut = is_cut};
    ctx.is_cyclic = js_arena_alloc(arena, count);
    ctx.next = js_arena_alloc(arena, count);
    ctx.is_open = js_arena_alloc(arena, count);
    ctx.index = js_arena_alloc(arena, count * sizeof(*ctx.index));
    ctx.low = js_arena_alloc(arena, count * sizeof(*ctx.low));
    ctx.stack = js_arena_alloc(arena, count * sizeof(*ctx.stack));
    ctx.path = js_arena_alloc(arena, count * sizeof(*ctx.path));
    if (!ctx.is_cyclic || !ctx.next || !ctx.is_open || !ctx.index || !ctx.low || !ctx.stack || !ctx.path) {
        return JS_ENOMEM;
    }
    for (uint32_t b = 0; b < code->nblocks; b++) {
        if (!is_cut[b] && !ctx.index[b]) {
            search_from(&ctx, b);
        }
    }
    *out = ctx.is_cyclic;
    return JS_OK;
}
