/* Rule 1. On a straight path through the code, statements of one level run from top to bottom; rows_levels.c
 * says which do. */
#include "program/validity/statements/rows_lines.h"

#include <string.h>

enum { ORDER_CHAIN = 1024 };

typedef struct order {
    js_path path; /* the current path */
    uint32_t *npreds;
    uint8_t *is_followed; /* for each block, as the next two: it continues a path */
    uint8_t *after;
    uint32_t *waiting;
} order;

static uint32_t block_after(const order *ctx, uint32_t b)
{
    const js_code *code = &ctx->path.rows->truth->machine.code;
    for (unsigned s = 0; s < 2; s++) {
        uint32_t to = code->blocks[b].successors[s];
        if (to != JS_CODE_NOWHERE && to != 0 && to != b && ctx->npreds[to] == 1 &&
            code->blocks[to].order > code->blocks[b].order) {
            return to;
        }
    }
    return JS_CODE_NOWHERE;
}

/* Read the rows of a path that starts at block b; returns their number, 0 where there are too many. */
static size_t read_chain(order *ctx, uint32_t b)
{
    const js_rows *rows = ctx->path.rows;
    const js_code *code = &rows->truth->machine.code;
    size_t count = 0;
    bool is_idle = false;
    for (; b != JS_CODE_NOWHERE; b = block_after(ctx, b)) {
        const js_basic_block *block = &code->blocks[b];
        const js_insn *last = &code->insns[block->first + block->count - 1];
        size_t row = js_rows_from(rows, code->insns[block->first].address);
        for (; row < rows->nrows && rows->rows[row].address <= last->address; row++) {
            if (!js_rows_is_judged(rows, row)) {
                is_idle = is_idle && (rows->judged[row] || !rows->begins[row]);
                continue;
            }
            if (count == ORDER_CHAIN) {
                return 0;
            }
            ctx->path.chain[count++] = (js_path_row){.row = row, .is_kept = true, .goes_on = is_idle};
            is_idle = true;
        }
    }
    return count;
}

/* True if the block has code of a statement, or leads to some. */
static bool leads_to_statement(const order *ctx, uint32_t block)
{
    const js_rows *rows = ctx->path.rows;
    const js_code *code = &rows->truth->machine.code;
    bool found = false;
    memset(ctx->after, 0, code->nblocks + 1);
    ctx->after[block] = 1;
    js_code_mark_after(code, block, ctx->after, ctx->waiting);
    for (size_t i = 0; i < rows->nrows && !found; i++) {
        uint32_t own = js_rows_is_judged(rows, i) ? js_rows_block(rows, i) : JS_CODE_NOWHERE;
        found = own != JS_CODE_NOWHERE && ctx->after[own];
    }
    return found;
}

/* True if the program comes to the row's statement on every path from the path's first block on, except on
 * paths without further statements. */
static bool always_comes(const order *ctx, size_t row)
{
    const js_code *code = &ctx->path.rows->truth->machine.code;
    uint32_t block = 0, to = js_code_block(code, js_code_find(code, ctx->path.rows->rows[row].address));
    bool is_sure = true;
    while (is_sure && block != to && block != JS_CODE_NOWHERE) {
        uint32_t next = block_after(ctx, block);
        for (unsigned s = 0; s < 2; s++) {
            uint32_t other = code->blocks[block].successors[s];
            is_sure =
                is_sure && (other == next || other == JS_CODE_NOWHERE || !leads_to_statement(ctx, other));
        }
        block = next;
    }
    return is_sure;
}

/* Give code that was moved ahead of the function's first statement to that statement, because a breakpoint at
 * the function stops there. If it is not known which statement will be the first, the code belongs to the
 * `def`. */
static void give_to_first(order *ctx, size_t first, size_t kept)
{
    js_truth *truth = ctx->path.rows->truth;
    const js_code *code = &truth->machine.code;
    js_row *rows = ctx->path.rows->rows;
    bool is_sure = always_comes(ctx, kept);
    uint32_t line = is_sure ? rows[kept].line : truth->flow->first_line;
    for (size_t i = first; i < kept; i++) {
        rows[i].line = line;
        rows[i].file = rows[kept].file;
        rows[i].is_stmt = i == first;
        rows[first].prologue_end |= rows[i].prologue_end;
        rows[i].prologue_end &= i == first;
    }
    if (is_sure) {
        rows[first].prologue_end |= rows[kept].prologue_end;
        rows[kept].prologue_end = false;
    }
    uint32_t insn = js_code_find(code, rows[first].address);
    for (; insn < code->ninsns && code->insns[insn].address < rows[kept].address; insn++) {
        truth->insns.lines[insn] = line;
    }
}

/* True if only rows of this path, or merged ones, lie between the two. */
static bool is_gapless(const order *ctx, size_t first, size_t kept)
{
    for (size_t i = first; i < kept; i++) {
        if (ctx->path.rows->begins[i] && !ctx->path.rows->judged[i]) {
            return false;
        }
    }
    return true;
}

/* Drop the rest of a line's code after another part was moved ahead, if the rest does not do what its
 * statement does. */
static void drop_rests(order *ctx, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t line = ctx->path.rows->rows[ctx->path.chain[i].row].line;
        bool may_begin = ctx->path.chain[i].is_kept;
        for (size_t j = i + 1; j < count && !may_begin; j++) {
            size_t row = ctx->path.chain[j].row;
            may_begin = ctx->path.chain[j].is_kept && ctx->path.rows->rows[row].line == line &&
                        js_rows_may_begin(ctx->path.rows, row);
        }
        for (size_t j = i + 1; j < count && !may_begin; j++) {
            ctx->path.chain[j].is_kept &= ctx->path.rows->rows[ctx->path.chain[j].row].line != line;
        }
    }
}

static void order_chain(order *ctx, uint32_t b)
{
    size_t count = read_chain(ctx, b), first_kept = 0;
    js_path_order(&ctx->path, count, b == 0);
    drop_rests(ctx, count);
    while (first_kept < count && !ctx->path.chain[first_kept].is_kept) {
        first_kept++;
    }
    size_t first = count ? ctx->path.chain[0].row : 0,
           kept = first_kept < count ? ctx->path.chain[first_kept].row : 0;
    bool at_start = b == 0 && !ctx->path.rows->item && first_kept > 0 && first_kept < count &&
                    is_gapless(ctx, first, kept);
    uint32_t current = 0;
    for (size_t i = 0; i < count; i++) {
        js_row *row = &ctx->path.rows->rows[ctx->path.chain[i].row];
        if (ctx->path.chain[i].is_kept) {
            bool dropped = i > 0 && (!ctx->path.chain[i - 1].is_kept || ctx->path.chain[i].goes_on);
            if (dropped && row->line == current && !row->prologue_end) {
                row->is_stmt = false; /* its statement has begun already */
            }
            current = row->line;
        } else if (!row->prologue_end || at_start) {
            row->is_stmt = false;
            if (!at_start || i >= first_kept) {
                js_rows_mark_moved(ctx->path.rows, ctx->path.chain[i].row,
                                   js_rows_end(ctx->path.rows, ctx->path.chain[i].row));
            }
        }
    }
    if (at_start) {
        give_to_first(ctx, first, kept);
    }
}

static int order_init(order *ctx, js_rows *rows)
{
    js_arena *scratch = &rows->truth->scratch;
    size_t nblocks = rows->truth->machine.code.nblocks;
    ctx->path.rows = rows;
    ctx->path.chain = js_arena_alloc(scratch, ORDER_CHAIN * sizeof(*ctx->path.chain));
    ctx->is_followed = js_arena_alloc(scratch, nblocks + 1);
    ctx->after = js_arena_alloc(scratch, nblocks + 1);
    ctx->waiting = js_arena_alloc(scratch, (nblocks + 1) * sizeof(*ctx->waiting));
    int status = js_code_count_predecessors(&rows->truth->machine.code, scratch, &ctx->npreds);
    return ctx->path.chain && ctx->is_followed && ctx->after && ctx->waiting ? status : JS_ENOMEM;
}

int js_rows_order(js_rows *rows)
{
    const js_code *code = &rows->truth->machine.code;
    order ctx;
    int status = order_init(&ctx, rows);
    if (status != JS_OK) {
        return status;
    }
    for (size_t b = 0; b < code->nblocks; b++) {
        uint32_t to =
            code->blocks[b].order == JS_CODE_NOWHERE ? JS_CODE_NOWHERE : block_after(&ctx, (uint32_t)b);
        if (to != JS_CODE_NOWHERE) {
            ctx.is_followed[to] = 1;
        }
    }
    for (size_t b = 0; b < code->nblocks; b++) {
        if (code->blocks[b].order != JS_CODE_NOWHERE && !ctx.is_followed[b]) {
            order_chain(&ctx, (uint32_t)b);
        }
    }
    return JS_OK;
}
