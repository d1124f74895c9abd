/* Finds whether a step would never end: of a loop the compiler may have left a jump to itself, without a line
 * to stop at and without an exit. */
#include <stdlib.h>

#include "program/machine/code.h"
#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/queries/queries.h"
#include "program/queries/scope.h"
#include "program/validity/locations/debugger_rows.h"

enum { SCRATCH = 64 << 20, LONGEST = 1 << 18 /* bytes of code that are looked at */ };

typedef struct steps {
    js_code code;
    js_row *rows; /* rows as they are written for the debugger */
    size_t nrows;
    uint32_t line;   /* line where the step begins */
    uint8_t *marked; /* for each instruction: a statement of another line begins there */
} steps;

static int find_marked(steps *ctx, js_arena *arena)
{
    ctx->marked = js_arena_alloc(arena, ctx->code.ninsns + 1);
    for (size_t i = 0; ctx->marked && i < ctx->nrows; i++) {
        uint32_t insn = ctx->rows[i].is_stmt && ctx->rows[i].line != ctx->line
                            ? js_code_find(&ctx->code, ctx->rows[i].address)
                            : JS_CODE_NOWHERE;
        if (insn != JS_CODE_NOWHERE) {
            ctx->marked[insn] = 1;
        }
    }
    return ctx->marked ? JS_OK : JS_ENOMEM;
}

/* True if a step from instruction `first` of the block stops, or leaves the function, before the block's end.
 */
static bool ends_in(const steps *ctx, const js_basic_block *block, uint32_t first)
{
    for (uint32_t i = first; i < block->first + block->count; i++) {
        const js_insn *insn = &ctx->code.insns[i];
        bool leaves = insn->op == JS_OP_CALL || insn->op == JS_OP_END || insn->op == JS_OP_INDIRECT ||
                      (insn->op == JS_OP_JUMP && insn->target == JS_CODE_NOWHERE);
        if (leaves || (ctx->marked[i] && i != first)) {
            return true;
        }
    }
    return false;
}

static int follow(steps *ctx, js_arena *arena, uint32_t insn, int *endless)
{
    uint8_t *seen = js_arena_alloc(arena, ctx->code.nblocks + 1);
    uint32_t *waiting = js_arena_alloc(arena, (ctx->code.nblocks + 1) * sizeof(*waiting));
    if (!seen || !waiting) {
        return JS_ENOMEM;
    }
    const js_basic_block *block = &ctx->code.blocks[js_code_block(&ctx->code, insn)];
    bool ends = ends_in(ctx, block, insn);
    size_t count = 0;
    while (!ends) {
        for (unsigned s = 0; s < 2; s++) {
            uint32_t to = block->successors[s];
            if (to != JS_CODE_NOWHERE && !seen[to]) {
                seen[to] = 1;
                waiting[count++] = to;
            }
        }
        if (count == 0) {
            break;
        }
        block = &ctx->code.blocks[waiting[--count]];
        ends = ctx->marked[block->first] || ends_in(ctx, block, block->first);
    }
    *endless = !ends;
    return JS_OK;
}

int js_program_is_endless(js_program *program, const js_frame *frame, int *endless)
{
    js_scope scope;
    *endless = 0;
    if (!js_scope_init(&scope, program, frame)) {
        return JS_ENOTFOUND;
    }
    const js_function *function = scope.function;
    if (!function->has_debug_info || function->hi - function->lo > LONGEST) {
        return JS_OK;
    }
    js_arena arena;
    js_arena_init(&arena, SCRATCH);
    steps ctx = {.rows = js_debugger_rows(function, &ctx.nrows)};
    int status = ctx.rows ? js_code_init(&ctx.code, &arena, function->object->machine, function) : JS_ENOMEM;
    uint32_t insn = status == JS_OK ? js_code_find(&ctx.code, frame->pc) : JS_CODE_NOWHERE;
    if (insn != JS_CODE_NOWHERE) {
        const js_row *row = js_function_row(ctx.rows, ctx.nrows, frame->pc);
        ctx.line = row ? row->line : 0;
        status = find_marked(&ctx, &arena);
        if (status == JS_OK) {
            status = follow(&ctx, &arena, insn, endless);
        }
    }
    free(ctx.rows);
    js_arena_deinit(&arena);
    return status == JS_EUNSUP ? JS_OK : status;
}
