/* Decides which rows begin a statement, by twelve rules on the source's flow and the machine's:
 *
 * 1. Order. On a straight path through the code, statements that are in no loop run from top to bottom. Of
 *    the rows on such a path the longest chain that does is kept; the others are code that was moved, and
 *    begin no statement. The code that was moved to the very start belongs to the first statement kept.
 * 2. Idleness. A row that only joins versions of variables begins no statement in three cases: another row of
 *    its line does work; another row sets what the line assigns to 0; the compiler has removed the line's
 *    assignment. A row that only continues a statement after such a row begins none, either.
 * 3. After a `finally`. Code that only leads on from its body begins no statement, neither one of the body's
 *    lines nor that of the jump that has passed through it.
 * 4. Pieces. A row to which nothing but the code of the same statement leads begins none. In optimised code
 *    this rule is used outside of loops only: iterations cannot be distinguished.
 * 5. Early code. Code that leads to code which cannot run after the row's statement was moved ahead of that
 * statement, and begins none.
 * 6. Predicated code. Code that depends on a test, and runs whichever way the test goes, begins no statement.
 * 7. Effects. A row that leads to a store or call of a statement above, or that a store or call of a
 * statement below leads to, begins no statement: rows_effects.c, when the moved code is known.
 * 8. Headers. A row of a loop's body that leads to the loop's header, and that the header does not lead to,
 * begins no statement. So does a row of the body that leads to the body's first statement, and that this does
 * not lead to.
 * 9. Conversions. In optimised code, a row that only converts a number does not begin a statement that
 * computes.
 * 10. Loops. In unoptimised code, a loop's first statement begins where the loop does: rows_entered.c.
 * 11. Once. In unoptimised code, a statement in no loop begins once.
 * 12. Kernels. The kernel runs the body of a parallel loop. In the function that starts the loop, code with a
 * line of the body, such as code that adds up the reductions of the loop's threads, begins no statement. */
#include "program/validity/statements/rows.h"

#include <string.h>

#include "program/validity/statements/rows_lines.h"

enum { ROWS_LINES = 1 << 20 };

/* ---- rule 2 ---- */

static void drop_idle(js_rows *rows)
{
    uint8_t *work = rows->truth->is_plain ? js_arena_alloc(&rows->truth->scratch, rows->nrows + 1) : NULL;
    for (size_t i = 0; work && i < rows->nlines; i++) {
        rows->lines[i].is_unclear = true;
    }
    for (unsigned by_line = 0; work && by_line < 2; by_line++) {
        for (size_t i = 0; i < rows->nlines; i++) {
            rows->lines[i].works = rows->lines[i].is_unclear ? JS_ROW_JOINS : rows->lines[i].works;
        }
        for (size_t i = 0; i < rows->nrows; i++) {
            js_row_line *fact = rows->judged[i];
            if (!fact || !fact->is_unclear) {
                continue;
            }
            js_row_work own = js_rows_work(rows->truth, &rows->rows[i], js_rows_end(rows, i), by_line);
            work[i] = (uint8_t)own;
            fact->works = own < fact->works ? own : fact->works;
        }
        for (size_t i = 0; i < rows->nlines; i++) {
            rows->lines[i].is_unclear = rows->lines[i].is_unclear && rows->lines[i].works == JS_ROW_JOINS;
        }
    }
    for (size_t i = 0; work && i < rows->nrows; i++) {
        const js_row_line *fact = rows->judged[i];
        bool is_idle = work[i] != JS_ROW_WORKS && fact &&
                       (fact->works < work[i] || js_rows_is_removed(rows->truth, rows->rows[i].line));
        if (is_idle && !rows->rows[i].prologue_end) {
            rows->rows[i].is_stmt = false;
        }
    }
}

/* ---- rule 3 ---- */

/* True if the row is on the line of a jump that runs the body of a `finally` first, and only quiet code leads
 * from the row to that body. *is_jump: the row is on the line of such a jump. */
static bool passes(js_rows *rows, js_quiet *quiet, const js_row *row, bool *is_jump)
{
    const js_flow *flow = rows->truth->flow;
    bool found = false;
    for (size_t i = 0; i < flow->nfinals && !found; i++) {
        const js_finally_body *final = &flow->finals[i];
        if (final->jump == row->line) {
            *is_jump = true;
            found = js_quiet_leads_to(quiet, row->address, final->first, final->last);
        }
    }
    return found;
}

static int drop_finally(js_rows *rows)
{
    const js_flow *flow = rows->truth->flow;
    js_quiet quiet;
    if (!rows->truth->is_plain || flow->nfinals == 0) {
        return JS_OK;
    }
    uint8_t *leads = js_arena_alloc(&rows->truth->scratch, rows->nrows + 1);
    int status = leads ? js_quiet_init(&quiet, rows->truth) : JS_ENOMEM;
    for (size_t i = 0; status == JS_OK && i < rows->nrows; i++) {
        const js_row *row = &rows->rows[i];
        bool is_jump = false;
        if (!rows->judged[i] || !row->is_stmt || row->prologue_end) {
            continue;
        }
        leads[i] = js_quiet_leads_to(&quiet, row->address, row->line, row->line) ||
                   passes(rows, &quiet, row, &is_jump);
        rows->judged[i]->is_done = rows->judged[i]->is_done || leads[i] || is_jump;
    }
    for (size_t i = 0; status == JS_OK && i < rows->nrows; i++) {
        js_row *row = &rows->rows[i];
        bool is_asked = rows->judged[i] && row->is_stmt && !row->prologue_end;
        row->is_stmt = row->is_stmt && !(is_asked && rows->judged[i]->is_done && !leads[i]);
    }
    return status;
}

/* ---- rule 4 ---- */

static int drop_repeated(js_rows *rows)
{
    uint8_t *again = js_arena_alloc(&rows->truth->scratch, rows->nrows + 1);
    int status =
        again ? js_rows_repeated(rows->truth, rows->rows, rows->nrows, rows->begins, again) : JS_ENOMEM;
    for (size_t i = 0; status == JS_OK && i < rows->nrows; i++) {
        bool is_asked = rows->judged[i] && !rows->rows[i].prologue_end &&
                        (rows->truth->is_plain || !rows->judged[i]->in_loop);
        rows->rows[i].is_stmt = rows->rows[i].is_stmt && !(is_asked && again[i]);
    }
    return status;
}

/* ---- rule 12 ---- */

/* True if the line is in the body of a parallel loop that the function starts. */
static bool is_of_kernel(const js_truth *truth, uint32_t line)
{
    bool found = false;
    for (const js_started *each = truth->function->starts_region; each && !found; each = each->next) {
        const js_region *loop = js_flow_parallel_loop(truth->flow, each->line);
        found = loop && line > loop->last_test && line >= loop->first && line <= loop->last;
    }
    return found;
}

static void drop_of_kernels(js_rows *rows)
{
    for (size_t i = 0; i < rows->nrows && rows->truth->function->starts_region; i++) {
        bool is_asked =
            rows->judged[i] && !rows->rows[i].prologue_end && is_of_kernel(rows->truth, rows->rows[i].line);
        rows->rows[i].is_stmt = rows->rows[i].is_stmt && !is_asked;
    }
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
    js_rows rows;
    int status = js_rows_init(&rows, truth, 0);
    if (status == JS_OK) {
        drop_idle(&rows);
        drop_of_kernels(&rows);
        if (truth->is_plain) {
            js_rows_enter_loops(&rows);
        }
        status = drop_finally(&rows);
    }
    if (status == JS_OK &&
        is_alone) { /* Numba moves a kernel's code; a generator goes on after any `yield` */
        js_rows_drop_predicated(&rows);
        if (!truth->is_plain) {
            js_rows_drop_conversions(&rows);
        }
        status = js_rows_drop_early(&rows);
        status = status == JS_OK ? js_rows_drop_ahead_of_headers(&rows) : status;
        status = status == JS_OK ? js_rows_order(&rows) : status;
    }
    status = status == JS_OK ? drop_repeated(&rows) : status;
    if (status == JS_OK && is_alone && truth->is_plain && !function->starts_region) {
        status = js_rows_drop_begun(&rows);
    }
    if (status == JS_OK) {
        function->statements.rows = rows.rows;
    }
    return status;
}
