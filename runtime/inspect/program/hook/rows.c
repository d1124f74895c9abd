/* Finds the rows of a function compiled with the hook that begin a statement. Each marker begins one. In
 * loops without markers, and in code inlined there, a line begins where the line changes, but only where all
 * stores that come before it in the source have run: the compiler moves other instructions past them. */
#include <stdlib.h>

#include "program/hook/hook.h"
#include "program/model/lookup.h"
#include "program/model/object.h"

typedef struct rows {
    const js_function *function;
    js_hook_paths ways;
    uint32_t *marked; /* lines that have a marker, in order */
    size_t nmarked;
} rows;

static int line_order(const void *left, const void *right)
{
    uint32_t l = *(const uint32_t *)left, r = *(const uint32_t *)right;
    return l < r ? -1 : l > r;
}

/* Return the last line with a marker that is not after `line`; 0: none. */
static uint32_t marked_before(const rows *ctx, uint32_t line)
{
    uint32_t found = 0;
    for (size_t i = 0; i < ctx->nmarked && ctx->marked[i] <= line; i++) {
        found = ctx->marked[i];
    }
    return found;
}

static bool is_in_place(const rows *ctx, const js_row *row)
{
    uint32_t insn = ctx->ways.code ? js_code_find(ctx->ways.code, row->address) : JS_CODE_NOWHERE;
    if (insn == JS_CODE_NOWHERE) {
        return !ctx->ways.code; /* the code is not followed */
    }
    uint32_t call = js_function_calling_line(ctx->function, row->address);
    return ctx->ways.is_cyclic[insn] ||
           (call && ctx->ways.last[insn] && ctx->ways.last[insn] == marked_before(ctx, call));
}

/* Return the line of the last marker for code without a line that only a jump leads to, if that marker is the
 * same on all paths; else 0. Such code does not belong to the line that is laid out before it. */
static uint32_t line_jumped_from(const rows *ctx, const js_row *row)
{
    const js_code *code = ctx->ways.code;
    uint32_t insn = code ? js_code_find(code, row->address) : JS_CODE_NOWHERE;
    while (code && insn < code->ninsns && code->insns[insn].op == JS_OP_PAD) {
        insn++;
    }
    if (!code || insn >= code->ninsns || insn == 0) {
        return 0;
    }
    uint32_t before = insn;
    do {
        before--;
    } while (before > 0 && code->insns[before].op == JS_OP_PAD);
    uint8_t op = code->insns[before].op;
    bool runs_on = op != JS_OP_JUMP && op != JS_OP_INDIRECT && op != JS_OP_END;
    return runs_on || ctx->ways.last[insn] == JS_LINE_INLINED ? 0 : ctx->ways.last[insn];
}

static int find_marked(rows *ctx)
{
    ctx->marked = calloc(ctx->function->lines.nall + 1, sizeof(*ctx->marked));
    if (!ctx->marked) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < ctx->function->lines.nall; i++) {
        if (ctx->function->lines.all[i].column == JS_COLUMN_MARKER) {
            ctx->marked[ctx->nmarked++] = ctx->function->lines.all[i].line;
        }
    }
    qsort(ctx->marked, ctx->nmarked, sizeof(*ctx->marked), line_order);
    size_t kept = 0;
    for (size_t i = 0; i < ctx->nmarked; i++) {
        if (kept == 0 || ctx->marked[kept - 1] != ctx->marked[i]) {
            ctx->marked[kept++] = ctx->marked[i];
        }
    }
    ctx->nmarked = kept;
    return JS_OK;
}

/* True if the function has begun at the address. Code that runs after the first marker may be laid out before
 * it. */
static bool has_begun(const js_hook_ranges *valid, uint64_t address)
{
    size_t i = 0;
    while (i < valid->count && (address < valid->ranges[2 * i] || address >= valid->ranges[2 * i + 1])) {
        i++;
    }
    return address >= valid->first || i < valid->count;
}

/* True if a statement may begin at the row without a marker. A loop that has another form with markers runs
 * without them if it began before the debugger came. */
static bool begins_loop_line(const js_function *function, const js_row *row)
{
    bool is_plain = row->column == JS_COLUMN_PLAIN && function->object->was_there;
    return row->line && (row->column == JS_COLUMN_LOOP || is_plain);
}

/* True if the row's code is among code of a statement that raises, in the same block: the
 * statement's variables are being stored for the debugger there, or have been. */
static bool is_in_raise(const rows *ctx, size_t row)
{
    const js_code *code = ctx->ways.code;
    const js_row *all = ctx->function->lines.all;
    uint32_t insn = code && row > 0 ? js_code_find(code, all[row].address) : JS_CODE_NOWHERE;
    if (insn == JS_CODE_NOWHERE || all[row - 1].line == all[row].line) {
        return false;
    }
    const js_basic_block *block = &code->blocks[js_code_block(code, insn)];
    uint64_t last = code->insns[block->first + block->count - 1].address;
    bool is_raised = all[row - 1].column == JS_COLUMN_RAISE;
    size_t next = row + 1;
    while (next < ctx->function->lines.nall && all[next].address <= last &&
           all[next].column != JS_COLUMN_RAISE && !(is_raised && all[next].line == all[row - 1].line)) {
        next++;
    }
    return next < ctx->function->lines.nall && all[next].address <= last &&
           all[next].line == all[row - 1].line && all[row - 1].address >= code->insns[block->first].address;
}

/* Code before the first marker, where no variable is valid yet, is the prologue. */
int js_hook_statements(const js_hook_paths *ways, js_function *function, const js_hook_ranges *valid)
{
    rows ctx = {.function = function, .ways = *ways};
    uint64_t first = valid->first;
    bool is_first = true; /* no statement is laid out before; GDB takes lines before it for the prologue */
    js_row *statements =
        js_arena_alloc(&function->object->arena, (function->lines.nall + 1) * sizeof(*statements));
    const js_row *last = NULL;
    int status = statements ? JS_OK : JS_ENOMEM;
    if (status == JS_OK) {
        status = find_marked(&ctx);
    }
    for (size_t i = 0; i < function->lines.nall && status == JS_OK; i++) {
        js_row *row = &statements[i];
        *row = function->lines.all[i];
        bool is_marker = row->column == JS_COLUMN_MARKER, is_raise = row->column == JS_COLUMN_RAISE;
        uint64_t address = is_raise ? js_hook_raise_address(function, row) : 0;
        is_raise = address && (i + 1 == function->lines.nall || function->lines.all[i + 1].address > address);
        if (is_raise) {
            row->address = address;
        } else if (row->column == JS_COLUMN_RAISE) {
            row->column = JS_COLUMN_OTHER;
        }
        row->is_stmt =
            is_marker || (begins_loop_line(function, row) && is_in_place(&ctx, row) && !is_in_raise(&ctx, i));
        row->prologue_end = is_first && is_marker && row->address == first;
        if (!has_begun(valid, row->address)) {
            row->line = function->line;
            row->file = function->file;
            row->is_stmt = false;
        }
        is_first = is_first && !row->is_stmt;
        const js_row *next = i + 1 < function->lines.nall ? &function->lines.all[i + 1] : NULL;
        if (!row->is_stmt && next && next->line && next->address == row->address && next->address > first) {
            row->line = 0; /* the row has no code */
        }
        bool has_code = !next || next->address > row->address;
        uint32_t jumped = row->line || !has_code ? 0 : line_jumped_from(&ctx, row);
        if (jumped) {
            row->line = jumped;
            row->file = function->file;
        }
        uint32_t scope = row->line || !has_code ? 0 : js_function_inline_at(function, row->address);
        if (scope && last && js_function_inline_at(function, last->address) != scope) {
            row->line = function->inlines[scope - 1].line; /* the row before is of other code */
            row->file = function->inlines[scope - 1].file;
        }
        bool same = last && last->line == row->line && last->file == row->file;
        if (same && !is_marker && !is_raise && (last->is_stmt || !row->is_stmt)) {
            row->line = 0; /* the line before goes on */
            row->is_stmt = false;
        }
        last = row->line ? row : last;
    }
    function->statements.rows = status == JS_OK ? statements : NULL;
    free(ctx.marked);
    return status;
}
