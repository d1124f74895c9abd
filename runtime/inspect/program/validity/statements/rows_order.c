/* Rule 1. On a straight path through the code, statements of one level run from top to bottom: those in no
 * loop, with each loop as one; and in each iteration those of a loop's body. Where the code of an iteration
 * begins is seen by the rows: at the loop's header, and where the first statement that was passed is passed
 * again. */
#include "program/validity/statements/rows_lines.h"

#include <string.h>

enum { ORDER_CHAIN = 1024, ORDER_DISTINCT = 2, ORDER_ONLY = 1, ORDER_EFFECT = 4 };

typedef struct element { /* a row on a straight path */
    size_t row;
    const js_region *loop;   /* of the level in hand: the loop in it that the row is in; NULL: none */
    uint32_t key;            /* of the level in hand: line of the statement, or of the loop's header */
    uint32_t weight, before; /* of the best chain that ends here; index + 1 of its element before, or 0 */
    bool is_kept, is_best;
    bool goes_on; /* only idle rows lie between the element before and it */
} element;

typedef struct path {
    js_rows *rows;
    element *chain;
    uint32_t *npreds;
    uint8_t *is_followed; /* of each block, as the next two: it continues a path */
    uint8_t *seen;
    uint32_t *waiting;
} path;

/* Elements first to end of the path, all of one level. */
typedef struct level {
    const js_region *loop; /* NULL: the function */
    size_t first, end;
    bool is_whole; /* the code of the first iteration begins here */
} level;

static const js_row_line *line_of(const path *at, size_t i)
{
    return at->rows->judged[at->chain[i].row];
}

static uint32_t block_after(const path *at, uint32_t b)
{
    const js_code *code = &at->rows->truth->machine.code;
    for (unsigned s = 0; s < 2; s++) {
        uint32_t to = code->blocks[b].successors[s];
        if (to != JS_CODE_NOWHERE && to != 0 && to != b && at->npreds[to] == 1 &&
            code->blocks[to].order > code->blocks[b].order) {
            return to;
        }
    }
    return JS_CODE_NOWHERE;
}

/* The rows of a path that starts at block b; 0 when they are too many. */
static size_t read_chain(path *at, uint32_t b)
{
    const js_rows *rows = at->rows;
    const js_code *code = &rows->truth->machine.code;
    size_t count = 0;
    bool is_idle = false;
    for (; b != JS_CODE_NOWHERE; b = block_after(at, b)) {
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
            at->chain[count++] = (element){.row = row, .is_kept = true, .goes_on = is_idle};
            is_idle = true;
        }
    }
    return count;
}

/* ---- one level ---- */

static bool is_in_loop(const path *at, size_t i)
{
    return at->chain[i].loop != NULL || line_of(at, i)->in_loop;
}

/* What an element adds to a chain; first: if it is the first of its statement. The compiler moves what
 * computes far, and what stores or calls not. */
static uint32_t weigh(const path *at, size_t i, uint32_t *first)
{
    bool is_only = !is_in_loop(at, i) && line_of(at, i)->nrows == 1;
    *first = ORDER_DISTINCT + (is_only ? (uint32_t)ORDER_ONLY : 0);
    return js_rows_has_effect(at->rows, at->chain[i].row) ? ORDER_EFFECT : 0;
}

/* The heaviest chain that runs from top to bottom: is_best of its elements. */
static void find_best(path *at, size_t end)
{
    size_t best = end;
    for (size_t j = 0; j < end; j++) {
        element *it = &at->chain[j];
        it->is_best = false;
        if (!it->is_kept) {
            continue;
        }
        uint32_t first = 0, own = weigh(at, j, &first);
        it->weight = own + first;
        it->before = 0;
        for (size_t i = 0; i < j; i++) {
            const element *other = &at->chain[i];
            uint32_t weight = other->weight + own + (other->key == it->key ? 0 : first);
            if (other->is_kept && other->key <= it->key && weight >= it->weight) {
                it->weight = weight;
                it->before = (uint32_t)i + 1;
            }
        }
        best = best == end || it->weight >= at->chain[best].weight ? j : best;
    }
    for (uint32_t i = best < end ? (uint32_t)best + 1 : 0; i; i = at->chain[i - 1].before) {
        at->chain[i - 1].is_best = true;
    }
}

/* Is it the only code of its line, and runs once? Then there is no other iteration that it may be of. */
static bool is_single(const path *at, size_t i)
{
    const js_truth *truth = at->rows->truth;
    uint32_t insn = js_code_find(&truth->machine.code, at->rows->rows[at->chain[i].row].address);
    return line_of(at, i)->nrows == 1 && insn != JS_CODE_NOWHERE && !truth->insns.is_cyclic[insn];
}

/* Has the line of an element another row among these? in_block: in the same block. */
static bool is_again(const path *at, size_t i, size_t first, size_t end, bool in_block)
{
    const js_rows *rows = at->rows;
    const js_code *code = &rows->truth->machine.code;
    const js_row *row = &rows->rows[at->chain[i].row];
    uint32_t block = js_code_block(code, js_code_find(code, row->address));
    bool found = false;
    for (size_t j = first; j < end && !found; j++) {
        const js_row *other = &rows->rows[at->chain[j].row];
        found = at->chain[j].is_kept && other->line == row->line &&
                js_rows_may_begin(rows, at->chain[j].row) &&
                (!in_block || js_code_block(code, js_code_find(code, other->address)) == block);
    }
    return found;
}

/* Of the function's own level: keeps what is in order. A loop's code goes if its line has other code there.
 */
static void keep_best(path *at, size_t end)
{
    find_best(at, end);
    for (size_t i = 0; i < end; i++) {
        element *it = &at->chain[i];
        bool is_sure = !is_in_loop(at, i) || is_single(at, i);
        for (size_t j = 0; j < end && !is_sure; j++) {
            is_sure = at->chain[j].is_best && js_rows_may_begin(at->rows, at->chain[j].row) &&
                      at->rows->rows[at->chain[j].row].line == at->rows->rows[it->row].line;
        }
        it->is_kept = it->is_best || !is_sure;
    }
}

static void set_level(path *at, const level *of)
{
    const js_flow *flow = at->rows->truth->flow;
    for (size_t i = of->first; i < of->end; i++) {
        element *it = &at->chain[i];
        it->loop = js_rows_loop(flow, at->rows->rows[it->row].line, of->loop);
        it->key = !it->loop              ? line_of(at, i)->key
                  : it->loop->first_test ? it->loop->first_test
                                         : it->loop->first;
    }
}

/* The next element that is kept, from i on. */
static size_t next_kept(const path *at, size_t i, size_t end)
{
    while (i < end && !at->chain[i].is_kept) {
        i++;
    }
    return i;
}

/* Where what runs from top to bottom ends. */
static size_t end_of_run(const path *at, size_t first, size_t end)
{
    uint32_t most = at->chain[first].key;
    size_t i = first;
    while (i < end && at->chain[i].key >= most) {
        most = at->chain[i].key;
        i = next_kept(at, i + 1, end);
    }
    return i;
}

/* Has the statement done what it does? Else its code goes on, which is no further iteration. */
static bool is_done(const path *at, size_t begin, size_t end, uint32_t key)
{
    bool found = false;
    for (size_t i = begin; i < end && !found; i++) {
        const element *it = &at->chain[i];
        found = it->is_kept && it->key == key && (it->loop || js_rows_may_begin(at->rows, it->row));
    }
    return found;
}

/* A loop's body. Where the code goes back up it is in the next iteration, if it comes to the first statement
 * of this one; else what it has passed too soon goes, if it is passed again. */
static void keep_runs(path *at, const level *of)
{
    size_t begin = next_kept(at, of->first, of->end), run = begin; /* of the iteration, of the run */
    bool is_whole = of->is_whole;
    while (run < of->end) {
        size_t next = end_of_run(at, run, of->end);
        if (next >= of->end) {
            break;
        }
        size_t end = end_of_run(at, next, of->end), left = 0;
        uint32_t back = at->chain[next].key, least = UINT32_MAX;
        for (size_t i = begin; i < next; i++) {
            least = at->chain[i].is_kept && at->chain[i].key < least ? at->chain[i].key : least;
        }
        bool is_next = back < of->loop->first || (back == least && is_done(at, begin, next, back));
        for (size_t i = begin; i < next && !is_next; i++) {
            bool is_early = at->chain[i].is_kept && at->chain[i].key > back &&
                            (is_single(at, i) || is_again(at, i, next, end, back < least && !is_whole));
            at->chain[i].is_kept &= !is_early;
            left += at->chain[i].is_kept;
        }
        if (is_next || (back < least && left > 0)) {
            begin = next;
            is_whole = true;
        }
        run = next;
    }
}

static void order_level(path *at, const level *of);

/* Each loop of the level by itself. */
static void order_loops(path *at, const level *of)
{
    level inner = {.first = of->first};
    bool is_first = true; /* of the level's elements */
    while (inner.first < of->end) {
        element *it = &at->chain[inner.first];
        inner.loop = it->is_kept ? it->loop : NULL;
        inner.end = inner.first + 1;
        if (inner.loop) {
            for (; inner.end < of->end; inner.end++) {
                const element *next = &at->chain[inner.end];
                if (next->is_kept && next->loop != inner.loop) {
                    break;
                }
            }
            inner.is_whole = of->is_whole || !is_first;
        }
        is_first = is_first && !it->is_kept;
        if (inner.loop) {
            order_level(at, &inner);
            set_level(at, of);
        }
        inner.first = inner.end;
    }
}

static void order_level(path *at, const level *of)
{
    set_level(at, of);
    if (of->loop) {
        keep_runs(at, of);
    } else {
        keep_best(at, of->end);
    }
    order_loops(at, of);
}

/* ---- a path ---- */

/* Does code of a statement follow where the block leads? */
static bool leads_to_statement(const path *at, uint32_t block)
{
    const js_rows *rows = at->rows;
    const js_code *code = &rows->truth->machine.code;
    size_t count = 0;
    bool found = false;
    memset(at->seen, 0, code->nblocks + 1);
    at->waiting[count++] = block;
    at->seen[block] = 1;
    while (count > 0 && !found) {
        const js_basic_block *it = &code->blocks[at->waiting[--count]];
        const js_insn *last = &code->insns[it->first + it->count - 1];
        size_t row = js_rows_from(rows, code->insns[it->first].address);
        for (; row < rows->nrows && rows->rows[row].address <= last->address && !found; row++) {
            found = js_rows_is_judged(rows, row);
        }
        for (unsigned s = 0; s < 2; s++) {
            uint32_t next = it->successors[s];
            if (next != JS_CODE_NOWHERE && !at->seen[next]) {
                at->seen[next] = 1;
                at->waiting[count++] = next;
            }
        }
    }
    return found;
}

/* From the path's first block on: does the program come to the row's statement wherever it goes, but for
 * where it gives up? */
static bool always_comes(const path *at, size_t row)
{
    const js_code *code = &at->rows->truth->machine.code;
    uint32_t block = 0, to = js_code_block(code, js_code_find(code, at->rows->rows[row].address));
    bool is_sure = true;
    while (is_sure && block != to && block != JS_CODE_NOWHERE) {
        uint32_t next = block_after(at, block);
        for (unsigned s = 0; s < 2; s++) {
            uint32_t other = code->blocks[block].successors[s];
            is_sure =
                is_sure && (other == next || other == JS_CODE_NOWHERE || !leads_to_statement(at, other));
        }
        block = next;
    }
    return is_sure;
}

/* What was moved ahead of the function's first statement belongs to that one: a breakpoint at the function
 * stops there. Where it is not known which will be the first, it belongs to the `def`. */
static void give_to_first(path *at, size_t first, size_t kept)
{
    js_truth *truth = at->rows->truth;
    const js_code *code = &truth->machine.code;
    js_row *rows = at->rows->rows;
    bool is_sure = always_comes(at, kept);
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

/* Nothing but rows that are on this path, or merged, lies between. */
static bool is_gapless(const path *at, size_t first, size_t kept)
{
    for (size_t i = first; i < kept; i++) {
        if (at->rows->begins[i] && !at->rows->judged[i]) {
            return false;
        }
    }
    return true;
}

/* Where code of a line was moved ahead of others' and what is left of it does not do what its statement does,
 * that is not where the statement begins. */
static void drop_rests(path *at, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t line = at->rows->rows[at->chain[i].row].line;
        bool may_begin = at->chain[i].is_kept;
        for (size_t j = i + 1; j < count && !may_begin; j++) {
            size_t row = at->chain[j].row;
            may_begin =
                at->chain[j].is_kept && at->rows->rows[row].line == line && js_rows_may_begin(at->rows, row);
        }
        for (size_t j = i + 1; j < count && !may_begin; j++) {
            at->chain[j].is_kept &= at->rows->rows[at->chain[j].row].line != line;
        }
    }
}

static void order_chain(path *at, uint32_t b)
{
    size_t count = read_chain(at, b), first_kept = 0;
    order_level(at, &(level){.first = 0, .end = count, .is_whole = b == 0});
    drop_rests(at, count);
    while (first_kept < count && !at->chain[first_kept].is_kept) {
        first_kept++;
    }
    size_t first = count ? at->chain[0].row : 0, kept = first_kept < count ? at->chain[first_kept].row : 0;
    bool at_start = b == 0 && first_kept > 0 && first_kept < count && is_gapless(at, first, kept);
    uint32_t current = 0;
    for (size_t i = 0; i < count; i++) {
        js_row *row = &at->rows->rows[at->chain[i].row];
        if (at->chain[i].is_kept) {
            bool dropped = i > 0 && (!at->chain[i - 1].is_kept || at->chain[i].goes_on);
            if (dropped && row->line == current && !row->prologue_end) {
                row->is_stmt = false; /* its statement has begun already */
            }
            current = row->line;
        } else if (!row->prologue_end || at_start) {
            row->is_stmt = false;
            if (!at_start || i >= first_kept) {
                js_rows_mark_moved(at->rows, at->chain[i].row);
            }
        }
    }
    if (at_start) {
        give_to_first(at, first, kept);
    }
}

static int path_init(path *at, js_rows *rows)
{
    js_arena *scratch = &rows->truth->scratch;
    size_t nblocks = rows->truth->machine.code.nblocks;
    at->rows = rows;
    at->chain = js_arena_alloc(scratch, ORDER_CHAIN * sizeof(*at->chain));
    at->npreds = js_arena_alloc(scratch, (nblocks + 1) * sizeof(*at->npreds));
    at->is_followed = js_arena_alloc(scratch, nblocks + 1);
    at->seen = js_arena_alloc(scratch, nblocks + 1);
    at->waiting = js_arena_alloc(scratch, (nblocks + 1) * sizeof(*at->waiting));
    return at->chain && at->npreds && at->is_followed && at->seen && at->waiting ? JS_OK : JS_ENOMEM;
}

int js_rows_order(js_rows *rows)
{
    const js_code *code = &rows->truth->machine.code;
    path at;
    int status = path_init(&at, rows);
    if (status != JS_OK) {
        return status;
    }
    for (size_t b = 0; b < code->nblocks; b++) {
        for (unsigned s = 0; s < 2; s++) {
            uint32_t to = code->blocks[b].successors[s];
            if (to != JS_CODE_NOWHERE && code->blocks[b].order != JS_CODE_NOWHERE) {
                at.npreds[to]++;
            }
        }
    }
    for (size_t b = 0; b < code->nblocks; b++) {
        uint32_t to =
            code->blocks[b].order == JS_CODE_NOWHERE ? JS_CODE_NOWHERE : block_after(&at, (uint32_t)b);
        if (to != JS_CODE_NOWHERE)
            at.is_followed[to] = 1;
    }
    for (size_t b = 0; b < code->nblocks; b++) {
        if (code->blocks[b].order != JS_CODE_NOWHERE && !at.is_followed[b]) {
            order_chain(&at, (uint32_t)b);
        }
    }
    return JS_OK;
}
