/* Rule 11. A statement in no loop begins once. In unoptimised code, a row that runs only after another row of
 * its line begins none: Numba gives the array of a comprehension the line that its block begins on
 * (inline_closurecall.py, 0.68.1). */
#include "program/validity/statements/rows_lines.h"

#include <string.h>

enum { BEGUN_WORDS = 1 << 20 };

typedef struct begun {
    js_rows *rows;
    size_t words;
    uint64_t *lines; /* for each block: bit set of the lines that have certainly begun where it begins */
    uint64_t *now;   /* such a set at the current point of the walk */
} begun;

/* True if the statement is on several lines, whose first line Python comes back to. */
static bool is_long(const js_rows *rows, const js_row_line *fact)
{
    const js_row_line *next = fact + 1, *end = rows->lines + rows->nlines;
    while (next < end && next->key == 0) {
        next++;
    }
    return next < end && next->key == fact->key;
}

/* True if the row begins a statement on one line, in no loop. */
static bool is_asked(const begun *ctx, size_t row)
{
    const js_row_line *fact = ctx->rows->judged[row];
    return fact && ctx->rows->rows[row].is_stmt && !fact->in_loop && fact->key == ctx->rows->rows[row].line &&
           !is_long(ctx->rows, fact);
}

/* Fill `now` with the lines that have certainly begun at the block's end. is_last: rows whose line has begun
 * before them begin no statement any more. */
static void pass_block(const begun *ctx, uint32_t block, bool is_last)
{
    const js_code *code = &ctx->rows->truth->machine.code;
    const js_basic_block *it = &code->blocks[block];
    uint64_t end = code->insns[it->first + it->count - 1].address;
    memcpy(ctx->now, ctx->lines + block * ctx->words, ctx->words * sizeof *ctx->now);
    size_t row = js_rows_from(ctx->rows, code->insns[it->first].address);
    for (; row < ctx->rows->nrows && ctx->rows->rows[row].address <= end; row++) {
        if (is_asked(ctx, row)) {
            size_t line = ctx->rows->rows[row].line - ctx->rows->first_line;
            bool has_begun = ctx->now[line / 64] >> line % 64 & 1;
            if (is_last && has_begun && !ctx->rows->rows[row].prologue_end) {
                ctx->rows->rows[row].is_stmt = false;
            }
            ctx->now[line / 64] |= UINT64_C(1) << line % 64;
        }
    }
}

/* Keep in the set of block `to` only the lines that `now` has, too; true if the set has changed. */
static bool join(const begun *ctx, uint32_t to)
{
    bool is_less = false;
    for (size_t w = 0; w < ctx->words; w++) {
        uint64_t *had = &ctx->lines[to * ctx->words + w];
        is_less |= (*had & ~ctx->now[w]) != 0;
        *had &= ctx->now[w];
    }
    return is_less;
}

int js_rows_drop_begun(js_rows *rows)
{
    js_truth *truth = rows->truth;
    const js_code *code = &truth->machine.code;
    begun ctx = {.rows = rows, .words = rows->nlines / 64 + 1};
    if (code->nblocks * ctx.words > BEGUN_WORDS) {
        return JS_OK;
    }
    ctx.lines = js_arena_alloc(&truth->scratch, (code->nblocks + 1) * ctx.words * sizeof *ctx.lines);
    ctx.now = js_arena_alloc(&truth->scratch, ctx.words * sizeof *ctx.now);
    if (!ctx.lines || !ctx.now) {
        return JS_ENOMEM;
    }
    memset(ctx.lines, 0xff, (code->nblocks + 1) * ctx.words * sizeof *ctx.lines);
    memset(ctx.lines, 0, ctx.words * sizeof *ctx.lines); /* at the function's entry no line has begun */
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (size_t o = 0; o < code->norder; o++) {
            pass_block(&ctx, code->order[o], false);
            for (unsigned s = 0; s < 2; s++) {
                uint32_t to = code->blocks[code->order[o]].successors[s];
                is_changed |= to != JS_CODE_NOWHERE && join(&ctx, to);
            }
        }
    }
    for (size_t o = 0; o < code->norder; o++) {
        pass_block(&ctx, code->order[o], true);
    }
    return JS_OK;
}
