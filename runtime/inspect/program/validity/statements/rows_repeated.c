/* Finds rows that begin a statement again. Code of one statement may lie in pieces, with another line's code
 * between them. A row that only the statement's own code leads to begins none. */
#include "program/validity/statements/rows.h"

#include <string.h>

enum { NOTHING = 0, SEVERAL = UINT32_MAX }; /* in place of the line of the statement that has begun last */

typedef struct walk {
    const js_truth *truth;
    const js_row *rows;
    size_t nrows;
    const uint8_t *begins;
    uint32_t *first; /* for each block: its first row, + 1; 0: none */
    uint32_t *last;  /* for each block: the line of the statement that has begun last where it begins */
} walk;

static bool is_begin(const walk *ctx, size_t row)
{
    return ctx->begins[row] && ctx->rows[row].is_stmt && ctx->rows[row].line != 0;
}

/* Return the line of the row. Optimised code that was moved ahead of the first statement has got that
 * statement's line, and counts as SEVERAL. */
static uint32_t line_of(const walk *ctx, size_t row)
{
    const js_row *read = &ctx->truth->function->lines.all[row];
    bool is_own = ctx->rows[row].file == ctx->truth->function->file &&
                  (ctx->truth->is_plain || ctx->rows[row].line == read->line);
    return is_own ? ctx->rows[row].line : SEVERAL;
}

static bool is_in_block(const walk *ctx, uint32_t block, size_t row)
{
    const js_basic_block *it = &ctx->truth->machine.code.blocks[block];
    return row < ctx->nrows &&
           ctx->rows[row].address <= ctx->truth->machine.code.insns[it->first + it->count - 1].address;
}

/* Return the line of the statement that has begun last at the block's end. out: receives for each row whether
 * it is of the statement that has begun last; may be NULL. */
static uint32_t pass_block(const walk *ctx, uint32_t block, uint8_t *out)
{
    uint32_t last = ctx->last[block];
    size_t row = ctx->first[block] ? ctx->first[block] - 1 : ctx->nrows;
    for (; is_in_block(ctx, block, row); row++) {
        if (is_begin(ctx, row)) {
            uint32_t line = line_of(ctx, row);
            if (out) {
                out[row] = line == last && line != SEVERAL;
            }
            last = line;
        }
    }
    return last;
}

static void find_first_rows(const walk *ctx)
{
    const js_code *code = &ctx->truth->machine.code;
    for (size_t row = ctx->nrows; row-- > 0;) {
        uint32_t insn = js_code_find(code, ctx->rows[row].address);
        if (insn != JS_CODE_NOWHERE) {
            ctx->first[js_code_block(code, insn)] = (uint32_t)row + 1;
        }
    }
}

int js_rows_repeated(js_truth *truth, const js_row *rows, size_t nrows, const uint8_t *begins, uint8_t *out)
{
    const js_code *code = &truth->machine.code;
    walk ctx = {.truth = truth, .rows = rows, .nrows = nrows, .begins = begins};
    ctx.first = js_arena_alloc(&truth->scratch, (code->nblocks + 1) * sizeof(*ctx.first));
    ctx.last = js_arena_alloc(&truth->scratch, (code->nblocks + 1) * sizeof(*ctx.last));
    if (!ctx.first || !ctx.last) {
        return JS_ENOMEM;
    }
    find_first_rows(&ctx);
    ctx.last[0] = SEVERAL; /* at the function's entry no statement has begun */
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (size_t o = 0; o < code->norder; o++) {
            uint32_t line = pass_block(&ctx, code->order[o], NULL);
            for (unsigned s = 0; s < 2; s++) {
                uint32_t to = code->blocks[code->order[o]].successors[s];
                if (to == JS_CODE_NOWHERE || ctx.last[to] == line || ctx.last[to] == SEVERAL ||
                    line == NOTHING) {
                    continue;
                }
                ctx.last[to] = ctx.last[to] == NOTHING ? line : SEVERAL;
                is_changed = true;
            }
        }
    }
    memset(out, 0, nrows);
    for (size_t o = 0; o < code->norder; o++) {
        pass_block(&ctx, code->order[o], out);
    }
    return JS_OK;
}
