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
    uint32_t *block_of;      /* for each row: its block; JS_CODE_NOWHERE: none */
    uint8_t *raises;         /* for each row: raises() */
    uint32_t *places;        /* for each row: js_rows_place() */
    uint8_t *ahead, *behind; /* for each block: it can be reached; own code can be reached from its end */
    uint8_t *own;            /* for each block: it has code of the row's line, and can be reached */
    uint32_t *waiting;
} reach;

static void go_ahead(reach *at, uint32_t block)
{
    memset(at->ahead, 0, at->rows->truth->machine.code.nblocks);
    js_code_mark_behind(&at->rows->truth->machine.code, block, at->ahead, at->waiting);
}

static bool leads_to_own(const reach *at, uint32_t block)
{
    bool found = false;
    for (unsigned s = 0; s < 2; s++) {
        uint32_t next = at->rows->truth->machine.code.blocks[block].successors[s];
        found = found || (next != JS_CODE_NOWHERE && (at->own[next] || at->behind[next]));
    }
    return found;
}

/* Mark in `behind` the blocks whose end leads to another row of the line that can be reached. */
static void go_back(reach *at, size_t row)
{
    const js_rows *rows = at->rows;
    size_t nblocks = rows->truth->machine.code.nblocks;
    memset(at->behind, 0, nblocks);
    memset(at->own, 0, nblocks);
    for (size_t i = 0; i < rows->nrows; i++) {
        uint32_t block = at->block_of[i];
        if (i != row && block != JS_CODE_NOWHERE && js_rows_is_judged(rows, i) &&
            rows->rows[i].line == rows->rows[row].line && at->ahead[block] && js_rows_may_begin(rows, i)) {
            at->own[block] = 1;
        }
    }
    for (bool has_more = true; has_more;) {
        has_more = false;
        for (size_t b = nblocks; b > 0; b--) {
            if (!at->behind[b - 1] && leads_to_own(at, (uint32_t)b - 1)) {
                at->behind[b - 1] = 1;
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
static bool is_rest(const reach *at, size_t row, size_t other)
{
    const js_rows *rows = at->rows;
    bool found = false;
    for (size_t i = 0; i < row && !found && !js_rows_has_effect(rows, other); i++) {
        found = js_rows_is_judged(rows, i) && rows->rows[i].line == rows->rows[other].line;
    }
    return found;
}

/* True if the statement of the other row cannot run after that of the row. */
static bool is_past(const reach *at, size_t row, size_t other)
{
    const js_rows *rows = at->rows;
    const js_flow *flow = rows->truth->flow;
    if (!js_rows_is_judged(rows, other) || at->block_of[other] == JS_CODE_NOWHERE ||
        rows->judged[other]->key == rows->judged[row]->key || at->raises[other]) {
        return false;
    }
    uint32_t place = at->places[row], above = at->places[other];
    bool leaves = flow->nfinals == 0 && js_flow_leaves(flow, rows->rows[row].line) &&
                  !js_flow_leaves(flow, rows->rows[other].line);
    return (leaves || (above && above < place)) && !is_rest(at, row, other);
}

/* True if the other row is reached between the row and another row of its line. */
static bool is_between(const reach *at, size_t row, size_t other)
{
    const js_rows *rows = at->rows;
    bool is_behind = at->behind[at->block_of[other]];
    for (size_t i = other + 1; i < rows->nrows && at->block_of[i] == at->block_of[other] && !is_behind; i++) {
        is_behind = js_rows_is_judged(rows, i) && rows->rows[i].line == rows->rows[row].line &&
                    js_rows_may_begin(rows, i);
    }
    return is_behind;
}

typedef enum timing { IN_TIME, EARLY, EARLY_AND_AGAIN } timing;

/* Find what the code from the row on leads to. */
static timing look_ahead(reach *at, size_t row)
{
    timing found = IN_TIME;
    bool is_gone = false;
    for (size_t i = 0; i < at->rows->nrows && found != EARLY_AND_AGAIN; i++) {
        if (i == row || !is_past(at, row, i)) {
            continue;
        }
        if (!is_gone) {
            go_ahead(at, at->block_of[row]);
            go_back(at, row);
            is_gone = true;
        }
        bool is_ahead = at->ahead[at->block_of[i]] || (at->block_of[i] == at->block_of[row] && i > row);
        if (is_ahead) {
            found = is_between(at, row, i) ? EARLY_AND_AGAIN : EARLY;
        }
    }
    return found;
}

/* True if the block, or what it leads to, has code of a statement that cannot run after the row's. */
static bool leads_past(reach *at, size_t row, uint32_t block)
{
    bool found = false;
    go_ahead(at, block);
    for (size_t i = 0; i < at->rows->nrows && !found; i++) {
        found = i != row && is_past(at, row, i) && (at->ahead[at->block_of[i]] || at->block_of[i] == block);
    }
    return found;
}

/* Return the address where the row's own code begins after a jump of statements above; 0: nowhere. Code that
 * stores or calls is the row's own. */
static uint64_t own_begin(reach *at, size_t row)
{
    const js_code *code = &at->rows->truth->machine.code;
    uint64_t start = at->rows->rows[row].address, end = js_rows_end(at->rows, row);
    uint32_t block = at->block_of[row];
    while (block != JS_CODE_NOWHERE) {
        const js_basic_block *it = &code->blocks[block];
        uint32_t next = it->successors[0], other = it->successors[1];
        bool runs_on = next != JS_CODE_NOWHERE && other != JS_CODE_NOWHERE &&
                       code->blocks[next].first == it->first + it->count;
        uint64_t begin = runs_on ? code->insns[code->blocks[next].first].address : end;
        bool is_within = begin < end;
        if (is_within && !leads_past(at, row, next)) {
            return js_rows_effect_between(at->rows, start, begin) ? 0 : begin;
        }
        block = is_within ? next : JS_CODE_NOWHERE;
    }
    return 0;
}

static void delay(reach *at, size_t row)
{
    const js_code *code = &at->rows->truth->machine.code;
    uint64_t begin = own_begin(at, row);
    if (begin) {
        js_rows_mark_moved(at->rows, row, begin);
        at->rows->rows[row].address = begin;
        at->block_of[row] = js_code_block(code, js_code_find(code, begin));
    }
}

static int reach_init(reach *at, js_rows *rows)
{
    const js_code *code = &rows->truth->machine.code;
    js_arena *scratch = &rows->truth->scratch;
    at->rows = rows;
    at->block_of = js_arena_alloc(scratch, (rows->nrows + 1) * sizeof(*at->block_of));
    at->raises = js_arena_alloc(scratch, rows->nrows + 1);
    at->places = js_arena_alloc(scratch, (rows->nrows + 1) * sizeof(*at->places));
    at->ahead = js_arena_alloc(scratch, code->nblocks + 1);
    at->behind = js_arena_alloc(scratch, code->nblocks + 1);
    at->own = js_arena_alloc(scratch, code->nblocks + 1);
    at->waiting = js_arena_alloc(scratch, (code->nblocks + 1) * sizeof(*at->waiting));
    if (!at->block_of || !at->raises || !at->places || !at->ahead || !at->behind || !at->own ||
        !at->waiting) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < rows->nrows; i++) {
        at->block_of[i] = js_rows_block(rows, i);
        at->raises[i] = raises(rows, i);
        at->places[i] = rows->judged[i] ? js_rows_place(rows, rows->rows[i].line) : 0;
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
    uint64_t behind = insn == JS_CODE_NOWHERE ? end : raise->address + code->insns[insn].length;
    return js_rows_effect_between(rows, from, raise->address) || js_rows_effect_between(rows, behind, end);
}

/* True if the row does not do what its statement does, and leads to none of the line's rows that do. */
static bool is_late(reach *at, size_t row)
{
    const js_rows *rows = at->rows;
    bool has_any = false, leads = js_rows_may_begin(rows, row);
    if (!leads) {
        go_ahead(at, at->block_of[row]);
    }
    for (size_t i = 0; i < rows->nrows && !leads; i++) {
        uint32_t block = at->block_of[i];
        if (i != row && block != JS_CODE_NOWHERE && js_rows_is_judged(rows, i) &&
            rows->rows[i].line == rows->rows[row].line && js_rows_may_begin(rows, i)) {
            has_any = has_any || does_own(rows, i);
            leads = at->ahead[block] || (block == at->block_of[row] && i > row);
        }
    }
    return has_any && !leads;
}

/* True if code of a `return` is before the row in its block, although the row's statement does not run after
 * it. LLVM merges several ends of the function into one, with the line of one of them; unoptimised code has
 * each of them. */
static bool is_behind_return(const reach *at, size_t row)
{
    const js_rows *rows = at->rows;
    const js_flow *flow = rows->truth->flow;
    bool found = false;
    size_t first = rows->truth->is_plain ? 0 : row;
    for (size_t i = first; i > 0 && !found && at->block_of[i - 1] == at->block_of[row]; i--) {
        found = js_rows_is_judged(rows, i - 1) && js_rows_may_begin(rows, i - 1) &&
                js_flow_leaves_ahead_of(flow, rows->rows[i - 1].line, rows->rows[row].line);
    }
    return found;
}

int js_rows_drop_early(js_rows *rows)
{
    reach at;
    if (rows->truth->machine.code.nblocks > EARLY_BLOCKS) {
        return JS_OK;
    }
    int status = reach_init(&at, rows);
    for (size_t i = 0; status == JS_OK && i < rows->nrows; i++) {
        bool is_asked = js_rows_is_judged(rows, i) && at.block_of[i] != JS_CODE_NOWHERE;
        timing when = is_asked ? look_ahead(&at, i) : IN_TIME;
        bool is_asked_late = is_asked && when == IN_TIME && !rows->rows[i].prologue_end;
        if ((when == EARLY_AND_AGAIN && !rows->rows[i].prologue_end) ||
            (is_asked_late && (is_late(&at, i) || is_behind_return(&at, i)))) {
            rows->rows[i].is_stmt = false;
            js_rows_mark_moved(rows, i, js_rows_end(rows, i));
        } else if (when == EARLY) {
            delay(&at, i);
        }
    }
    return status;
}
