/* Rule 8. A loop's header runs before its body, and the first statement of the body before the others. Code
 * of the body that leads to the header, or to the first statement, and that neither leads to, was moved out
 * of the loop by LLVM. */
#include "program/validity/statements/rows_lines.h"

#include <string.h>

enum { HEADERS_BLOCKS = 4096 };

typedef struct headers {
    js_rows *rows;
    uint32_t *block_of; /* for each row: its block; JS_CODE_NOWHERE: none that can be reached */
    uint8_t *after;     /* for each block, as the next: code of the current beginning leads to it */
    uint8_t *ahead;
    uint32_t *waiting;
} headers;

/* The lines that run first in each iteration of a loop. */
typedef struct beginning {
    const js_region *loop;
    uint32_t first, last;
} beginning;

static bool is_beginning(const headers *ctx, size_t row, const beginning *of)
{
    uint32_t line = ctx->rows->begins[row] ? ctx->rows->rows[row].line : 0;
    return line && line >= of->first && line <= of->last && ctx->rows->judged[row] &&
           ctx->block_of[row] != JS_CODE_NOWHERE;
}

static bool is_after(const headers *ctx, size_t row, const beginning *of)
{
    uint32_t line = ctx->rows->rows[row].line;
    return js_rows_is_judged(ctx->rows, row) && ctx->block_of[row] != JS_CODE_NOWHERE &&
           !ctx->rows->rows[row].prologue_end && line >= of->loop->first && line <= of->loop->last &&
           line > of->last;
}

/* True if the row leads to code of the beginning. */
static bool leads_to(const headers *ctx, size_t row, const beginning *of)
{
    const js_code *code = &ctx->rows->truth->machine.code;
    memset(ctx->ahead, 0, code->nblocks);
    js_code_mark_after(code, ctx->block_of[row], ctx->ahead, ctx->waiting);
    bool found = false;
    for (size_t i = 0; i < ctx->rows->nrows && !found; i++) {
        found = is_beginning(ctx, i, of) &&
                (ctx->ahead[ctx->block_of[i]] || (ctx->block_of[i] == ctx->block_of[row] && i > row));
    }
    return found;
}

static void drop_ahead_of(const headers *ctx, const beginning *of)
{
    const js_code *code = &ctx->rows->truth->machine.code;
    js_rows *rows = ctx->rows;
    memset(ctx->after, 0, code->nblocks);
    for (size_t i = 0; i < rows->nrows; i++) {
        if (is_beginning(ctx, i, of)) {
            js_code_mark_after(code, ctx->block_of[i], ctx->after, ctx->waiting);
        }
    }
    for (size_t i = 0; i < rows->nrows; i++) {
        bool is_asked = is_after(ctx, i, of) && !ctx->after[ctx->block_of[i]] && !js_rows_has_effect(rows, i);
        for (size_t k = 0; k < i && is_asked; k++) {
            is_asked = !is_beginning(ctx, k, of) || ctx->block_of[k] != ctx->block_of[i];
        }
        if (is_asked && leads_to(ctx, i, of)) {
            rows->rows[i].is_stmt = false;
            js_rows_mark_moved(rows, i, js_rows_end(rows, i));
        }
    }
}

int js_rows_drop_ahead_of_headers(js_rows *rows)
{
    const js_code *code = &rows->truth->machine.code;
    const js_flow *flow = rows->truth->flow;
    js_arena *scratch = &rows->truth->scratch;
    if (code->nblocks > HEADERS_BLOCKS) {
        return JS_OK;
    }
    headers ctx = {.rows = rows,
                   .block_of = js_arena_alloc(scratch, (rows->nrows + 1) * sizeof(*ctx.block_of)),
                   .after = js_arena_alloc(scratch, code->nblocks + 1),
                   .ahead = js_arena_alloc(scratch, code->nblocks + 1),
                   .waiting = js_arena_alloc(scratch, (code->nblocks + 1) * sizeof(*ctx.waiting))};
    if (!ctx.block_of || !ctx.after || !ctx.ahead || !ctx.waiting) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < rows->nrows; i++) {
        uint32_t block = js_rows_block(rows, i);
        bool is_run = block != JS_CODE_NOWHERE && code->blocks[block].order != JS_CODE_NOWHERE;
        ctx.block_of[i] = is_run ? block : JS_CODE_NOWHERE;
    }
    for (size_t i = 0; i < flow->nregions; i++) {
        const js_region *loop = &flow->regions[i];
        if (loop->kind != JS_REGION_LOOP) {
            continue;
        }
        if (loop->first_test) {
            drop_ahead_of(&ctx, &(beginning){loop, loop->first_test, loop->last_test});
        }
        drop_ahead_of(&ctx, &(beginning){loop, loop->first, loop->first});
    }
    return JS_OK;
}
