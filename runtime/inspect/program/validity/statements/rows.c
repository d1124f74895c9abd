/* Four rules, from the source's flow and the machine's:
 *
 * 1. Order. On a straight path through the code, statements that are in no loop run from top to bottom. Of
 *    the rows on such a path the longest chain that does is kept; the others are code that was moved, and
 *    begin no statement. The code that was moved to the very start belongs to the first statement kept.
 * 2. Idleness. A row that only joins versions begins no statement where another row of its line does work, or
 *    makes what it assigns 0; nor does what a statement goes on with behind such a row.
 * 3. Behind a `finally`. What only leads on from its body begins no statement, neither of the body's lines
 *    nor of the jump that has passed through it.
 * 4. Pieces. A row to which nothing but the code of the same statement leads begins none. Of optimised code
 *    this is told of statements in no loop: iterations are not told apart. */
#include "program/validity/statements/rows.h"

#include <stdlib.h>
#include <string.h>

#include "program/model/lookup.h"

enum { ROWS_CHAIN = 1024, ROWS_LINES = 1 << 20, ROWS_DISTINCT = 2, ROWS_ONLY = 1 };

typedef struct line_fact {
    uint32_t key; /* first line of the statement; 0: unknown */
    uint32_t nrows;
    bool in_loop;
    js_row_work works; /* of its rows the one that does most */
    bool is_unclear;   /* each only joins versions */
    bool is_done;      /* one of its rows leads to work of the line */
} line_fact;

typedef struct element { /* a row on a straight path */
    size_t row;
    uint32_t weight, before; /* of the best chain that ends here; index + 1 of its element before, or 0 */
    bool is_kept;
    bool goes_on; /* only idle rows lie between the element before and it */
} element;

typedef struct cleaner {
    js_truth *truth;
    js_row *rows; /* to be */
    size_t nrows;
    uint8_t *begins;    /* of each row: a line begins */
    line_fact **judged; /* of each row: its line's facts where its place in the order is known, else NULL */
    line_fact *lines;
    uint32_t first_line, nlines;
    element *chain;
    uint32_t *npreds;
    uint8_t *is_followed; /* of each block: it continues a chain */
} cleaner;

/* ---- what the source tells of a line ---- */

static line_fact *fact_of(const cleaner *at, uint32_t line)
{
    return line >= at->first_line && line - at->first_line < at->nlines ? &at->lines[line - at->first_line]
                                                                        : NULL;
}

/* Something assigned below reaches the line, or what surely is assigned there was by a loop: after a loop of
 * no iteration it would not be. */
static bool is_in_loop(const js_flow *flow, const js_flow_at *at)
{
    bool all = at->ndefs > 0 && !at->maybe_unassigned;
    for (size_t i = 0; i < at->ndefs; i++) {
        const js_flow_def *def = js_flow_def_by_id(flow, at->defs[i]);
        if (def && def->line >= at->line && def->line != flow->first_line) {
            return true;
        }
        all = all && def && def->in_loop;
    }
    return all;
}

static void read_lines(cleaner *at)
{
    const js_flow *flow = at->truth->flow;
    for (size_t first = 0, end; first < flow->nats; first = end) {
        uint32_t line = flow->ats[first].line;
        line_fact *fact = fact_of(at, line);
        for (end = first; end < flow->nats && flow->ats[end].line == line; end++) {
            if (fact && is_in_loop(flow, &flow->ats[end]))
                fact->in_loop = true;
        }
        if (fact)
            fact->key = js_flow_statement(flow, line);
    }
}

static bool is_inlined(const js_function *function, uint64_t pc)
{
    for (size_t i = 0; i < function->ninlines; i++) {
        if (js_inline_holds(&function->inlines[i], pc))
            return true;
    }
    return false;
}

static line_fact *fact_to_judge(const cleaner *at, size_t row)
{
    const js_row *it = &at->rows[row];
    const js_function *function = at->truth->function;
    uint32_t above = function->region.parent ? function->region.line : at->truth->flow->first_line;
    line_fact *fact = it->file == function->file && it->line > above ? fact_of(at, it->line) : NULL;
    return fact && fact->key && at->begins[row] && !is_inlined(function, it->address) ? fact : NULL;
}

static uint64_t end_of(const cleaner *at, size_t row)
{
    for (size_t i = row + 1; i < at->nrows; i++) {
        if (at->begins[i]) {
            return at->rows[i].address;
        }
    }
    return at->truth->function->hi;
}

/* ---- rule 2 ---- */

static void drop_idle(cleaner *at)
{
    uint8_t *work = at->truth->is_plain ? js_arena_alloc(&at->truth->scratch, at->nrows + 1) : NULL;
    for (size_t i = 0; work && i < at->nlines; i++) {
        at->lines[i].is_unclear = true;
    }
    for (unsigned by_line = 0; work && by_line < 2; by_line++) {
        for (size_t i = 0; i < at->nlines; i++) {
            at->lines[i].works = at->lines[i].is_unclear ? JS_ROW_JOINS : at->lines[i].works;
        }
        for (size_t i = 0; i < at->nrows; i++) {
            line_fact *fact = at->judged[i];
            if (!fact || !fact->is_unclear) {
                continue;
            }
            js_row_work own = js_rows_work(at->truth, &at->rows[i], end_of(at, i), by_line);
            work[i] = (uint8_t)own;
            fact->works = own < fact->works ? own : fact->works;
        }
        for (size_t i = 0; i < at->nlines; i++) {
            at->lines[i].is_unclear = at->lines[i].is_unclear && at->lines[i].works == JS_ROW_JOINS;
        }
    }
    for (size_t i = 0; work && i < at->nrows; i++) {
        const line_fact *fact = at->judged[i];
        bool is_idle = work[i] != JS_ROW_WORKS && fact && fact->works < work[i];
        if (is_idle && !at->rows[i].prologue_end) {
            at->rows[i].is_stmt = false;
        }
    }
}

/* ---- rule 3 ---- */

/* Is the row about to do what a jump that passes through the body of a `finally` does first? */
static bool passes(cleaner *at, js_quiet *quiet, const js_row *row, bool *is_jump)
{
    const js_flow *flow = at->truth->flow;
    bool found = false;
    for (size_t i = 0; i < flow->nfinals && !found; i++) {
        const js_final *final = &flow->finals[i];
        if (final->jump == row->line) {
            *is_jump = true;
            found = js_quiet_leads_to(quiet, row->address, final->first, final->last);
        }
    }
    return found;
}

static int drop_behind(cleaner *at)
{
    const js_flow *flow = at->truth->flow;
    js_quiet quiet;
    if (!at->truth->is_plain || flow->nfinals == 0) {
        return JS_OK;
    }
    uint8_t *leads = js_arena_alloc(&at->truth->scratch, at->nrows + 1);
    int status = leads ? js_quiet_init(&quiet, at->truth) : JS_ENOMEM;
    for (size_t i = 0; status == JS_OK && i < at->nrows; i++) {
        const js_row *row = &at->rows[i];
        bool is_jump = false;
        if (!at->judged[i] || !row->is_stmt || row->prologue_end) {
            continue;
        }
        leads[i] = js_quiet_leads_to(&quiet, row->address, row->line, row->line) ||
                   passes(at, &quiet, row, &is_jump);
        at->judged[i]->is_done = at->judged[i]->is_done || leads[i] || is_jump;
    }
    for (size_t i = 0; status == JS_OK && i < at->nrows; i++) {
        js_row *row = &at->rows[i];
        bool is_asked = at->judged[i] && row->is_stmt && !row->prologue_end;
        row->is_stmt = row->is_stmt && !(is_asked && at->judged[i]->is_done && !leads[i]);
    }
    return status;
}

/* ---- rule 1 ---- */

static size_t row_from(const cleaner *at, uint64_t address)
{
    size_t lo = 0, hi = at->nrows;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (at->rows[middle].address < address) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo;
}

static uint32_t block_after(const cleaner *at, uint32_t b)
{
    for (unsigned s = 0; s < 2; s++) {
        uint32_t to = at->truth->machine.code.blocks[b].successors[s];
        if (to != JS_CODE_NOWHERE && to != 0 && to != b && at->npreds[to] == 1 &&
            at->truth->machine.code.blocks[to].order > at->truth->machine.code.blocks[b].order) {
            return to;
        }
    }
    return JS_CODE_NOWHERE;
}

/* The rows of a path that starts at block b; 0 when they are too many. */
static size_t read_chain(cleaner *at, uint32_t b)
{
    const js_code *code = &at->truth->machine.code;
    size_t count = 0;
    bool is_idle = false;
    for (; b != JS_CODE_NOWHERE; b = block_after(at, b)) {
        const js_basic_block *block = &code->blocks[b];
        const js_insn *last = &code->insns[block->first + block->count - 1];
        size_t row = row_from(at, code->insns[block->first].address);
        for (; row < at->nrows && at->rows[row].address <= last->address; row++) {
            if (!at->judged[row] || !at->rows[row].is_stmt) {
                is_idle = is_idle && (at->judged[row] || !at->begins[row]);
                continue;
            }
            if (count == ROWS_CHAIN) {
                return 0;
            }
            at->chain[count++] = (element){.row = row, .goes_on = is_idle};
            is_idle = true;
        }
    }
    return count;
}

static void keep_longest(cleaner *at, size_t count)
{
    uint32_t best = 0; /* index + 1 */
    for (size_t j = 0; j < count; j++) {
        element *it = &at->chain[j];
        const line_fact *fact = at->judged[it->row];
        if (fact->in_loop) {
            it->is_kept = true;
            continue;
        }
        uint32_t own = ROWS_DISTINCT + (fact->nrows == 1 ? ROWS_ONLY : 0);
        it->weight = own;
        for (size_t i = 0; i < j; i++) {
            const line_fact *other = at->judged[at->chain[i].row];
            bool again = at->rows[at->chain[i].row].line == at->rows[it->row].line;
            uint32_t weight = at->chain[i].weight + (again ? 0 : own);
            if (!other->in_loop && other->key <= fact->key && weight >= it->weight) {
                it->weight = weight;
                it->before = (uint32_t)i + 1;
            }
        }
        best = best == 0 || it->weight >= at->chain[best - 1].weight ? (uint32_t)j + 1 : best;
    }
    for (; best; best = at->chain[best - 1].before) {
        at->chain[best - 1].is_kept = true;
    }
}

static void mark_moved(cleaner *at, size_t row)
{
    const js_code *code = &at->truth->machine.code;
    uint64_t end = end_of(at, row);
    uint32_t insn = js_code_find(code, at->rows[row].address);
    for (; insn < code->ninsns && code->insns[insn].address < end; insn++) {
        at->truth->insns.is_moved[insn] = 1;
    }
}

/* What was moved ahead of the function's first statement belongs to that one: a breakpoint at the function
 * stops there. */
static void give_to_first(cleaner *at, size_t first, size_t kept)
{
    const js_code *code = &at->truth->machine.code;
    js_row *rows = at->rows;
    for (size_t i = first; i < kept; i++) {
        rows[i].line = rows[kept].line;
        rows[i].file = rows[kept].file;
        rows[i].is_stmt = i == first;
        rows[first].prologue_end |= rows[i].prologue_end;
        rows[i].prologue_end &= i == first;
    }
    rows[first].prologue_end |= rows[kept].prologue_end;
    rows[kept].prologue_end = false;
    uint32_t insn = js_code_find(code, rows[first].address);
    for (; insn < code->ninsns && code->insns[insn].address < rows[kept].address; insn++) {
        at->truth->insns.lines[insn] = rows[kept].line;
    }
}

/* Nothing but rows that are on this path, or merged, lies between. */
static bool is_gapless(const cleaner *at, size_t first, size_t kept)
{
    for (size_t i = first; i < kept; i++) {
        if (at->begins[i] && !at->judged[i]) {
            return false;
        }
    }
    return true;
}

static void order_chain(cleaner *at, uint32_t b)
{
    size_t count = read_chain(at, b), first_kept = 0;
    keep_longest(at, count);
    while (first_kept < count && !at->chain[first_kept].is_kept) {
        first_kept++;
    }
    size_t first = count ? at->chain[0].row : 0, kept = first_kept < count ? at->chain[first_kept].row : 0;
    bool at_start = b == 0 && first_kept > 0 && first_kept < count && is_gapless(at, first, kept);
    uint32_t current = 0;
    for (size_t i = 0; i < count; i++) {
        js_row *row = &at->rows[at->chain[i].row];
        if (at->chain[i].is_kept) {
            bool dropped = i > 0 && (!at->chain[i - 1].is_kept || at->chain[i].goes_on);
            if (dropped && row->line == current && !row->prologue_end) {
                row->is_stmt = false; /* its statement has begun already */
            }
            current = row->line;
        } else if (!row->prologue_end || at_start) {
            row->is_stmt = false;
            if (!at_start || i >= first_kept) {
                mark_moved(at, at->chain[i].row);
            }
        }
    }
    if (at_start) {
        give_to_first(at, first, kept);
    }
}

static void order_rows(cleaner *at)
{
    const js_code *code = &at->truth->machine.code;
    for (size_t b = 0; b < code->nblocks; b++) {
        for (unsigned s = 0; s < 2; s++) {
            uint32_t to = code->blocks[b].successors[s];
            if (to != JS_CODE_NOWHERE && code->blocks[b].order != JS_CODE_NOWHERE) {
                at->npreds[to]++;
            }
        }
    }
    for (size_t b = 0; b < code->nblocks; b++) {
        uint32_t to =
            code->blocks[b].order == JS_CODE_NOWHERE ? JS_CODE_NOWHERE : block_after(at, (uint32_t)b);
        if (to != JS_CODE_NOWHERE)
            at->is_followed[to] = 1;
    }
    for (size_t b = 0; b < code->nblocks; b++) {
        if (code->blocks[b].order != JS_CODE_NOWHERE && !at->is_followed[b]) {
            order_chain(at, (uint32_t)b);
        }
    }
}

/* ---- rule 4 ---- */

static int drop_repeated(cleaner *at)
{
    uint8_t *again = js_arena_alloc(&at->truth->scratch, at->nrows + 1);
    int status = again ? js_rows_repeated(at->truth, at->rows, at->nrows, at->begins, again) : JS_ENOMEM;
    for (size_t i = 0; status == JS_OK && i < at->nrows; i++) {
        bool is_asked =
            at->judged[i] && !at->rows[i].prologue_end && (at->truth->is_plain || !at->judged[i]->in_loop);
        at->rows[i].is_stmt = at->rows[i].is_stmt && !(is_asked && again[i]);
    }
    return status;
}

static int cleaner_init(cleaner *at, js_truth *truth)
{
    const js_function *function = truth->function;
    js_arena *scratch = &truth->scratch;
    at->truth = truth;
    at->nrows = function->lines.nall;
    at->first_line = truth->flow->first_line;
    at->nlines = truth->flow->last_line - truth->flow->first_line + 1;
    at->rows = js_arena_alloc(truth->arena, (at->nrows + 1) * sizeof(*at->rows));
    at->begins = js_arena_alloc(scratch, at->nrows + 1);
    at->judged = js_arena_alloc(scratch, (at->nrows + 1) * sizeof(*at->judged));
    at->lines = js_arena_alloc(scratch, at->nlines * sizeof(*at->lines));
    at->chain = js_arena_alloc(scratch, ROWS_CHAIN * sizeof(*at->chain));
    at->npreds = js_arena_alloc(scratch, (truth->machine.code.nblocks + 1) * sizeof(*at->npreds));
    at->is_followed = js_arena_alloc(scratch, truth->machine.code.nblocks + 1);
    truth->insns.is_moved = js_arena_alloc(scratch, truth->machine.code.ninsns + 1);
    if (!at->rows || !at->begins || !at->judged || !at->lines || !at->chain || !at->npreds ||
        !at->is_followed || !truth->insns.is_moved) {
        return JS_ENOMEM;
    }
    memcpy(at->rows, function->lines.all, at->nrows * sizeof(*at->rows));
    return JS_OK;
}

int js_rows_clean(js_truth *truth)
{
    js_function *function = truth->function;
    const js_flow *flow = truth->flow;
    bool is_alone = !function->region.parent && function->name.kind != JS_NAME_GENERATOR_NEXT;
    if (!truth->machine.is_followed || !flow || (!is_alone && !truth->is_plain) ||
        function->lines.nall == 0 || flow->last_line < flow->first_line ||
        flow->last_line - flow->first_line >= ROWS_LINES) {
        return JS_OK;
    }
    cleaner at;
    memset(&at, 0, sizeof(at));
    int status = cleaner_init(&at, truth);
    if (status != JS_OK) {
        return status;
    }
    read_lines(&at);
    const js_row *last = NULL;
    for (size_t i = 0; i < at.nrows; i++) {
        const js_row *row = &at.rows[i];
        at.begins[i] = row->line != 0 &&
                       (!last || last->line != row->line || last->file != row->file || row->prologue_end);
        last = row->line ? row : last;
        at.judged[i] = fact_to_judge(&at, i);
        if (at.judged[i]) {
            at.judged[i]->nrows++;
        }
    }
    drop_idle(&at);
    status = drop_behind(&at);
    if (status != JS_OK) {
        return status;
    }
    if (is_alone) { /* Numba itself moves a kernel's code, and a generator goes on behind any `yield` */
        order_rows(&at);
    }
    status = drop_repeated(&at);
    if (status == JS_OK) {
        function->statements.rows = at.rows;
    }
    return status;
}
