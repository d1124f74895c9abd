/* Rule 5. On no path does a statement in no loop run after one below it, and none runs after a `return`. Code
 * of a row that leads to a statement above, and from there to the row's line again, was moved ahead. If only
 * one successor of the row's block does, the statement begins on the other path, as tests of statements above
 * have its line, too. A statement that stores or calls does not begin at a row after which no code does so,
 * and no statement begins after code of a `return` in the same block. */
#include "program/validity/statements/rows_lines.h"

#include <string.h>

#include "program/model/lookup.h"

enum { EARLY_BLOCKS = 4096 };

typedef struct reach {
    js_rows *rows;
    uint32_t *block_of;     /* for each row: its block; JS_CODE_NOWHERE: none */
    uint8_t *raises;        /* for each row: raises() */
    uint32_t *places;       /* for each row: js_rows_place() */
    uint8_t *ahead, *after; /* for each block: it can be reached; own code can be reached from its end */
    uint8_t *own;           /* for each block: it has code of the row's line, and can be reached */
    uint32_t *waiting;
} reach;

static void go_ahead(reach *ctx, uint32_t block)
{
    memset(ctx->ahead, 0, ctx->rows->truth->machine.code.nblocks);
    js_code_mark_after(&ctx->rows->truth->machine.code, block, ctx->ahead, ctx->waiting);
}

static bool leads_to_own(const reach *ctx, uint32_t block)
{
    bool found = false;
    for (unsigned s = 0; s < 2; s++) {
        uint32_t next = ctx->rows->truth->machine.code.blocks[block].successors[s];
        found = found || (next != JS_CODE_NOWHERE && (ctx->own[next] || ctx->after[next]));
    }
    return found;
}

/* Mark in `after` the blocks whose end leads to another row of the line that can be reached. */
static void go_back(reach *ctx, size_t row)
{
    const js_rows *rows = ctx->rows;
    size_t nblocks = rows->truth->machine.code.nblocks;
    memset(ctx->after, 0, nblocks);
    memset(ctx->own, 0, nblocks);
    for (size_t i = 0; i < rows->nrows; i++) {
        uint32_t block = ctx->block_of[i];
        if (i != row && block != JS_CODE_NOWHERE && js_rows_is_judged(rows, i) &&
            rows->rows[i].line == rows->rows[row].line && ctx->ahead[block] && js_rows_may_begin(rows, i)) {
            ctx->own[block] = 1;
        }
    }
    for (bool has_more = true; has_more;) {
        has_more = false;
        for (size_t b = nblocks; b > 0; b--) {
            if (!ctx->after[b - 1] && leads_to_own(ctx, (uint32_t)b - 1)) {
                ctx->after[b - 1] = 1;
                has_more = true;
            }
        }
    }
}

/* True if code of the row raises. Code that several raises share has the line of one of them; the others only
 * set what is raised, and jump there. */
static bool raises(const js_rows *rows, size_t row)
{
    const js_code *code = &rows->truth->machine.code;
    uint64_t end = js_rows_end(rows, row);
    uint32_t insn = js_code_find(code, rows->rows[row].address);
    bool is_said = true, jumps = false;
    for (; is_said && insn < code->ninsns && code->insns[insn].address < end; insn++) {
        const js_insn *it = &code->insns[insn];
        bool is_set = (it->op == JS_OP_MOVE || it->op == JS_OP_ZERO || it->op == JS_OP_ADDRESS) &&
                      it->to.kind == JS_PLACE_REGISTER && it->from.kind != JS_PLACE_MEMORY &&
                      it->from.kind != JS_PLACE_INDEXED;
        jumps = it->op == JS_OP_JUMP;
        is_said = is_set || jumps || it->op == JS_OP_PAD;
    }
    return (is_said && jumps) || js_function_raise(rows->truth->function, rows->rows[row].address, end);
}

/* True if the other row may be the rest of a statement that began above the row, and was moved to after it.
 */
static bool is_rest(const reach *ctx, size_t row, size_t other)
{
    const js_rows *rows = ctx->rows;
    bool found = false;
    for (size_t i = 0; i < row && !found && !js_rows_has_effect(rows, other); i++) {
        found = js_rows_is_judged(rows, i) && rows->rows[i].line == rows->rows[other].line;
    }
    return found;
}

/* True if the statement of the other row cannot run after that of the row. */
static bool is_past(const reach *ctx, size_t row, size_t other)
{
    const js_rows *rows = ctx->rows;
    const js_flow *flow = rows->truth->flow;
    if (!js_rows_is_judged(rows, other) || ctx->block_of[other] == JS_CODE_NOWHERE ||
        rows->judged[other]->key == rows->judged[row]->key || ctx->raises[other]) {
        return false;
    }
    uint32_t place = ctx->places[row], above = ctx->places[other];
    bool leaves = flow->nfinals == 0 && js_flow_leaves(flow, rows->rows[row].line) &&
                  !js_flow_leaves(flow, rows->rows[other].line);
    return (leaves || (above && above < place)) && !is_rest(ctx, row, other);
}

/* True if the other row is reached between the row and another row of its line. */
static bool is_between(const reach *ctx, size_t row, size_t other)
{
    const js_rows *rows = ctx->rows;
    bool is_later = ctx->after[ctx->block_of[other]];
    for (size_t i = other + 1; i < rows->nrows && ctx->block_of[i] == ctx->block_of[other] && !is_later;
         i++) {
        is_later = js_rows_is_judged(rows, i) && rows->rows[i].line == rows->rows[row].line &&
                   js_rows_may_begin(rows, i);
    }
    return is_later;
}

typedef enum timing { IN_TIME, EARLY, EARLY_AND_AGAIN } timing;

/* Find what the code from the row on leads to. */
static timing look_ahead(reach *ctx, size_t row)
{
    timing found = IN_TIME;
    bool is_gone = false;
    for (size_t i = 0; i < ctx->rows->nrows && found != EARLY_AND_AGAIN; i++) {
        if (i == row || !is_past(ctx, row, i)) {
            continue;
        }
        if (!is_gone) {
            go_ahead(ctx, ctx->block_of[row]);
            go_back(ctx, row);
            is_gone = true;
        }
        bool is_ahead = ctx->ahead[ctx->block_of[i]] || (ctx->block_of[i] == ctx->block_of[row] && i > row);
        if (is_ahead) {
            found = is_between(ctx, row, i) ? EARLY_AND_AGAIN : EARLY;
        }
    }
    return found;
}

/* True if the block, or what it leads to, has code of a statement that cannot run after the row's. */
static bool leads_past(reach *ctx, size_t row, uint32_t block)
{
    bool found = false;
    go_ahead(ctx, block);
    for (size_t i = 0; i < ctx->rows->nrows && !found; i++) {
        found =
            i != row && is_past(ctx, row, i) && (ctx->ahead[ctx->block_of[i]] || ctx->block_of[i] == block);
    }
    return found;
}

/* Return the address where the row's own code begins after a jump of statements above; 0: nowhere. Code that
 * stores or calls is the row's own. */
static uint64_t own_begin(reach *ctx, size_t row)
{
    const js_code *code = &ctx->rows->truth->machine.code;
    uint64_t start = ctx->rows->rows[row].address, end = js_rows_end(ctx->rows, row);
    uint32_t block = ctx->block_of[row];
    while (block != JS_CODE_NOWHERE) {
        const js_basic_block *it = &code->blocks[block];
        uint32_t next = it->successors[0], other = it->successors[1];
        bool runs_on = next != JS_CODE_NOWHERE && other != JS_CODE_NOWHERE &&
                       code->blocks[next].first == it->first + it->count;
        uint64_t begin = runs_on ? code->insns[code->blocks[next].first].address : end;
        bool is_within = begin < end;
        if (is_within && !leads_past(ctx, row, next)) {
            return js_rows_effect_between(ctx->rows, start, begin) ? 0 : begin;
        }
        block = is_within ? next : JS_CODE_NOWHERE;
    }
    return 0;
}

static void delay(reach *ctx, size_t row)
{
    const js_code *code = &ctx->rows->truth->machine.code;
    uint64_t begin = own_begin(ctx, row);
    if (begin) {
        js_rows_mark_moved(ctx->rows, row, begin);
        ctx->rows->rows[row].address = begin;
        ctx->block_of[row] = js_code_block(code, js_code_find(code, begin));
    }
}

static int reach_init(reach *ctx, js_rows *rows)
{
    const js_code *code = &rows->truth->machine.code;
    js_arena *scratch = &rows->truth->scratch;
    ctx->rows = rows;
    ctx->block_of = js_arena_alloc(scratch, (rows->nrows + 1) * sizeof(*ctx->block_of));
    ctx->raises = js_arena_alloc(scratch, rows->nrows + 1);
    ctx->places = js_arena_alloc(scratch, (rows->nrows + 1) * sizeof(*ctx->places));
    ctx->ahead = js_arena_alloc(scratch, code->nblocks + 1);
    ctx->after = js_arena_alloc(scratch, code->nblocks + 1);
    ctx->own = js_arena_alloc(scratch, code->nblocks + 1);
    ctx->waiting = js_arena_alloc(scratch, (code->nblocks + 1) * sizeof(*ctx->waiting));
    if (!ctx->block_of || !ctx->raises || !ctx->places || !ctx->ahead || !ctx->after || !ctx->own ||
        !ctx->waiting) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < rows->nrows; i++) {
        ctx->block_of[i] = js_rows_block(rows, i);
        ctx->raises[i] = raises(rows, i);
        ctx->places[i] = rows->judged[i] ? js_rows_place(rows, rows->rows[i].line) : 0;
    }
    return JS_OK;
}

/* True if the row does what its statement does. Storing an exception does not count. */
static bool does_own(const js_rows *rows, size_t row)
{
    const js_code *code = &rows->truth->machine.code;
    uint64_t from = rows->rows[row].address, end = js_rows_end(rows, row);
    const js_raise *raise = js_function_raise(rows->truth->function, from, end);
    if (!raise || !raise->is_made || raise->is_called) {
        return js_rows_may_begin(rows, row);
    }
    uint32_t insn = js_code_find(code, raise->address);
    uint64_t after = insn == JS_CODE_NOWHERE ? end : raise->address + code->insns[insn].length;
    return js_rows_effect_between(rows, from, raise->address) || js_rows_effect_between(rows, after, end);
}

/* True if the row does not do what its statement does, and leads to none of the line's rows that do. */
static bool is_late(reach *ctx, size_t row)
{
    const js_rows *rows = ctx->rows;
    bool has_any = false, leads = js_rows_may_begin(rows, row);
    if (!leads) {
        go_ahead(ctx, ctx->block_of[row]);
    }
    for (size_t i = 0; i < rows->nrows && !leads; i++) {
        uint32_t block = ctx->block_of[i];
        if (i != row && block != JS_CODE_NOWHERE && js_rows_is_judged(rows, i) &&
            rows->rows[i].line == rows->rows[row].line && js_rows_may_begin(rows, i)) {
            has_any = has_any || does_own(rows, i);
            leads = ctx->ahead[block] || (block == ctx->block_of[row] && i > row);
        }
    }
    return has_any && !leads;
}

/* True if code of a `return` is before the row in its block, although the row's statement does not run after
 * it. LLVM merges several ends of the function into one, with the line of one of them; unoptimised code has
 * each of them. */
static bool follows_return(const reach *ctx, size_t row)
{
    const js_rows *rows = ctx->rows;
    const js_flow *flow = rows->truth->flow;
    bool found = false;
    size_t first = rows->truth->is_plain ? 0 : row;
    for (size_t i = first; i > 0 && !found && ctx->block_of[i - 1] == ctx->block_of[row]; i--) {
        found = js_rows_is_judged(rows, i - 1) && js_rows_may_begin(rows, i - 1) &&
                js_flow_leaves_ahead_of(flow, rows->rows[i - 1].line, rows->rows[row].line);
    }
    return found;
}

int js_rows_drop_early(js_rows *rows)
{
    reach ctx;
    if (rows->truth->machine.code.nblocks > EARLY_BLOCKS) {
        return JS_OK;
    }
    int status = reach_init(&ctx, rows);
    for (size_t i = 0; status == JS_OK && i < rows->nrows; i++) {
        bool is_asked = js_rows_is_judged(rows, i) && ctx.block_of[i] != JS_CODE_NOWHERE;
        timing when = is_asked ? look_ahead(&ctx, i) : IN_TIME;
        bool is_asked_late = is_asked && when == IN_TIME && !rows->rows[i].prologue_end;
        if ((when == EARLY_AND_AGAIN && !rows->rows[i].prologue_end) ||
            (is_asked_late && (is_late(&ctx, i) || follows_return(&ctx, i)))) {
            rows->rows[i].is_stmt = false;
            js_rows_mark_moved(rows, i, js_rows_end(rows, i));
        } else if (when == EARLY) {
            delay(&ctx, i);
        }
    }
    return status;
}
