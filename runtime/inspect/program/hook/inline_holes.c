/* Finds code between the instructions of an inlined function that the compiler has given to its caller, such
 * as checks that it has moved or made anew. A debugger would see the function end there and begin again after
 * it, so that a step over a line would leave the function. Such code is the inlined function's if its marker
 * was passed last on all paths, and if the code only leads back to the function's code. */
#include "program/hook/decoded.h"
#include "program/model/lookup.h"

typedef struct holes {
    js_hook_code *code;
    const js_function *function;
    uint32_t scope;
    uint8_t *is_outside; /* for each block: some path to it has passed another scope's marker last, or none */
    uint8_t *is_hole;    /* for each block: it is such code */
} holes;

static bool is_within(const holes *ctx, uint32_t insn)
{
    return js_function_is_within(ctx->function, ctx->code->scopes[insn], ctx->scope);
}

/* Return is_outside at the end of the block, by its value at the block's begin. */
static bool leaves_outside(const holes *ctx, const js_basic_block *block, bool is_outside)
{
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        is_outside = ctx->code->marks[i] ? !is_within(ctx, i) : is_outside;
    }
    return is_outside;
}

static void find_outside(holes *ctx)
{
    const js_code *code = &ctx->code->code;
    for (size_t b = 0; b < code->nblocks; b++) {
        ctx->is_outside[b] = b == 0;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t o = 0; o < code->norder; o++) {
            const js_basic_block *block = &code->blocks[code->order[o]];
            bool is_outside = leaves_outside(ctx, block, ctx->is_outside[code->order[o]]);
            for (unsigned s = 0; s < 2 && is_outside; s++) {
                uint32_t to = block->successors[s];
                if (to != JS_CODE_NOWHERE && !ctx->is_outside[to]) {
                    ctx->is_outside[to] = 1;
                    changed = true;
                }
            }
        }
    }
}

/* True if the block may be a hole: all of it is the caller's, and no line begins in it. */
static bool may_be_hole(const holes *ctx, uint32_t b)
{
    const js_basic_block *block = &ctx->code->code.blocks[b];
    uint32_t parent = ctx->function->inlines[ctx->scope - 1].parent;
    bool may = !ctx->is_outside[b] && block->order != JS_CODE_NOWHERE &&
               (block->successors[0] != JS_CODE_NOWHERE || block->successors[1] != JS_CODE_NOWHERE);
    for (uint32_t i = block->first; may && i < block->first + block->count; i++) {
        may = ctx->code->scopes[i] == parent && !ctx->code->marks[i];
    }
    return may;
}

static bool leads_back(const holes *ctx, uint32_t b)
{
    const js_code *code = &ctx->code->code;
    bool leads = true;
    for (unsigned s = 0; s < 2 && leads; s++) {
        uint32_t to = code->blocks[b].successors[s];
        leads = to == JS_CODE_NOWHERE || ctx->is_hole[to] || is_within(ctx, code->blocks[to].first);
    }
    return leads;
}

/* Fill is_hole; true if there is a hole. */
static bool find_holes(holes *ctx)
{
    size_t nblocks = ctx->code->code.nblocks, count = 0;
    for (uint32_t b = 0; b < nblocks; b++) {
        ctx->is_hole[b] = may_be_hole(ctx, b);
        count += ctx->is_hole[b];
    }
    for (bool changed = count > 0; changed;) {
        changed = false;
        for (uint32_t b = 0; b < nblocks; b++) {
            if (ctx->is_hole[b] && !leads_back(ctx, b)) {
                ctx->is_hole[b] = 0;
                count--;
                changed = true;
            }
        }
    }
    return count > 0;
}

int js_hook_inline_holes(js_hook_code *code, js_function *function)
{
    if (!code->is_followed || function->build.level != JS_LEVEL_STEPS || !function->ninlines) {
        return JS_OK;
    }
    size_t nblocks = code->code.nblocks;
    holes ctx = {.code = code, .function = function};
    ctx.is_outside = js_arena_alloc(&code->scratch, nblocks + 1);
    ctx.is_hole = js_arena_alloc(&code->scratch, nblocks + 1);
    int status = ctx.is_outside && ctx.is_hole ? JS_OK : JS_ENOMEM;
    for (ctx.scope = (uint32_t)function->ninlines; ctx.scope > 0 && status == JS_OK; ctx.scope--) {
        find_outside(&ctx);
        if (!find_holes(&ctx)) {
            continue;
        }
        for (size_t b = 0; b < nblocks; b++) {
            const js_basic_block *block = &code->code.blocks[b];
            for (uint32_t i = block->first; ctx.is_hole[b] && i < block->first + block->count; i++) {
                code->scopes[i] = ctx.scope;
            }
        }
        status = js_hook_set_ranges(code, function, ctx.scope);
    }
    return status;
}
