/* Collects facts about the rows of a function and about their lines. */
#include "program/validity/statements/rows_lines.h"

#include <string.h>

#include "program/machine/relocated_calls.h"
#include "program/model/lookup.h"
#include "program/names/numba/variable_names.h"

enum { EFFECT_UNKNOWN, EFFECT_NONE, EFFECT_SOME };

static js_row_line *fact_of(const js_rows *rows, uint32_t line)
{
    return line >= rows->first_line && line - rows->first_line < rows->nlines
               ? &rows->lines[line - rows->first_line]
               : NULL;
}

/* True if the line is in a loop, by one name: a definition at the line or below reaches it, or the line is in
 * a loop and definitions in loops certainly assign the name. */
static bool is_in_loop(const js_flow *flow, const js_flow_at *fact)
{
    bool all = fact->ndefs > 0 && !fact->maybe_unassigned && js_flow_outermost_loop(flow, fact->line, NULL);
    for (size_t i = 0; i < fact->ndefs; i++) {
        const js_flow_def *def = js_flow_def_by_id(flow, fact->defs[i]);
        if (def && def->line >= fact->line && def->line != flow->first_line) {
            return true;
        }
        all = all && def && def->in_loop;
    }
    return all;
}

static void read_lines(js_rows *rows)
{
    const js_flow *flow = rows->truth->flow;
    for (size_t first = 0, end; first < flow->nats; first = end) {
        uint32_t line = flow->ats[first].line;
        js_row_line *fact = fact_of(rows, line);
        for (end = first; end < flow->nats && flow->ats[end].line == line; end++) {
            if (fact && is_in_loop(flow, &flow->ats[end])) {
                fact->in_loop = true;
            }
        }
        if (fact) {
            fact->key = js_flow_statement(flow, line);
        }
    }
}

static js_row_line *fact_to_judge(const js_rows *rows, size_t row)
{
    const js_row *it = &rows->rows[row];
    const js_function *function = rows->truth->function;
    uint32_t above =
        function->region.parent && !rows->item ? function->region.line : rows->truth->flow->first_line;
    uint32_t file = rows->item ? function->inlines[rows->item - 1].file : function->file;
    js_row_line *fact = it->file == file && it->line > above ? fact_of(rows, it->line) : NULL;
    bool is_asked = fact && fact->key && rows->begins[row];
    return is_asked && js_function_inline_at(function, it->address) == rows->item ? fact : NULL;
}

/* True for optimised code, of a statement in no loop, that only a jump leads to and that follows other code
 * of its line: the code before it may be a jump past the statement. */
static bool is_jumped_to(const js_rows *rows, const js_row *row)
{
    const js_code *code = &rows->truth->machine.code;
    const js_row_line *fact = fact_of(rows, row->line);
    uint32_t insn = js_code_find(code, row->address);
    return !rows->truth->is_plain && fact && !fact->in_loop && insn != JS_CODE_NOWHERE && insn > 0 &&
           code->insns[insn - 1].op == JS_OP_JUMP;
}

static void read_rows(js_rows *rows)
{
    const js_row *last = NULL;
    for (size_t i = 0; i < rows->nrows; i++) {
        const js_row *row = &rows->rows[i];
        rows->begins[i] = row->line != 0 && (!last || last->line != row->line || last->file != row->file ||
                                             row->prologue_end || is_jumped_to(rows, row));
        rows->rows[i].is_stmt = row->is_stmt && rows->begins[i];
        last = row->line ? row : last;
        rows->judged[i] = fact_to_judge(rows, i);
        if (rows->judged[i]) {
            rows->judged[i]->nrows++;
        }
    }
}

int js_rows_init(js_rows *rows, js_truth *truth, uint32_t item)
{
    const js_function *function = truth->function;
    js_arena *scratch = &truth->scratch;
    memset(rows, 0, sizeof(*rows));
    rows->truth = truth;
    rows->item = item;
    rows->nrows = function->lines.nall;
    rows->first_line = truth->flow->first_line;
    rows->nlines = truth->flow->last_line - truth->flow->first_line + 1;
    rows->rows = js_arena_alloc(truth->arena, (rows->nrows + 1) * sizeof(*rows->rows));
    rows->begins = js_arena_alloc(scratch, rows->nrows + 1);
    rows->effects = js_arena_alloc(scratch, rows->nrows + 1);
    rows->judged = js_arena_alloc(scratch, (rows->nrows + 1) * sizeof(*rows->judged));
    rows->lines = js_arena_alloc(scratch, rows->nlines * sizeof(*rows->lines));
    if (!truth->insns.is_moved) {
        truth->insns.is_moved = js_arena_alloc(scratch, truth->machine.code.ninsns + 1);
    }
    if (!rows->rows || !rows->begins || !rows->effects || !rows->judged || !rows->lines ||
        !truth->insns.is_moved) {
        return JS_ENOMEM;
    }
    memcpy(rows->rows, function->lines.all, rows->nrows * sizeof(*rows->rows));
    read_lines(rows);
    read_rows(rows);
    return JS_OK;
}

uint32_t js_rows_place(const js_rows *rows, uint32_t line)
{
    const js_flow *flow = rows->truth->flow;
    const js_region *loop = js_flow_outermost_loop(flow, line, NULL);
    const js_row_line *fact = fact_of(rows, line);
    bool is_passed = js_flow_is_final(flow, line);
    for (size_t i = 0; i < flow->nfinals && !is_passed; i++) {
        is_passed = flow->finals[i].jump == line;
    }
    if (!fact || is_passed || (!loop && fact->in_loop)) {
        return 0;
    }
    return loop ? loop->first_test : fact->key;
}

uint64_t js_rows_end(const js_rows *rows, size_t row)
{
    for (size_t i = row + 1; i < rows->nrows; i++) {
        if (rows->begins[i]) {
            return rows->rows[i].address;
        }
    }
    return rows->truth->function->hi;
}

uint32_t js_rows_block(const js_rows *rows, size_t row)
{
    const js_code *code = &rows->truth->machine.code;
    uint32_t insn = js_code_find(code, rows->rows[row].address);
    return insn == JS_CODE_NOWHERE ? JS_CODE_NOWHERE : js_code_block(code, insn);
}

size_t js_rows_from(const js_rows *rows, uint64_t address)
{
    size_t lo = 0, hi = rows->nrows;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (rows->rows[middle].address < address) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo;
}

/* True if the statement may store or call, as far as the source is known. */
static bool has_effect(const js_flow *flow, uint32_t line)
{
    bool found = false;
    for (size_t i = 0; i < flow->naccesses && !found; i++) {
        const js_may_access *access = &flow->accesses[i];
        found = line >= access->first && line <= access->last &&
                (access->kind == JS_ACCESS_STORE || access->kind == JS_ACCESS_CALL);
    }
    for (size_t i = 0; i < flow->ndefs && !found; i++) {
        found = flow->defs[i].line == line && flow->defs[i].allocates;
    }
    return found;
}

static bool is_effect(const js_rows *rows, uint32_t insn)
{
    const js_truth *truth = rows->truth;
    const js_code *code = &truth->machine.code;
    const js_insn *it = &code->insns[insn];
    if (it->op != JS_OP_CALL) {
        return it->stores && js_code_is_element(code, &it->to);
    }
    uint32_t first = code->blocks[js_code_block(code, insn)].first;
    const char *name = js_reference_called_from(truth->object, code, first, insn);
    return !name || !js_numba_counts_references(name);
}

bool js_rows_effect_between(const js_rows *rows, uint64_t address, uint64_t end)
{
    const js_code *code = &rows->truth->machine.code;
    uint32_t insn = js_code_find(code, address);
    bool found = false;
    for (; !found && insn < code->ninsns && code->insns[insn].address < end; insn++) {
        found = is_effect(rows, insn);
    }
    return found;
}

bool js_rows_has_effect(const js_rows *rows, size_t row)
{
    if (rows->effects[row] == EFFECT_UNKNOWN) {
        bool found = js_rows_effect_between(rows, rows->rows[row].address, js_rows_end(rows, row));
        rows->effects[row] = found ? EFFECT_SOME : EFFECT_NONE;
    }
    return rows->effects[row] == EFFECT_SOME;
}

bool js_rows_may_begin(const js_rows *rows, size_t row)
{
    return !has_effect(rows->truth->flow, rows->rows[row].line) || js_rows_has_effect(rows, row);
}

void js_rows_mark_moved(js_rows *rows, size_t row, uint64_t end)
{
    const js_code *code = &rows->truth->machine.code;
    uint32_t insn = js_code_find(code, rows->rows[row].address);
    for (; insn < code->ninsns && code->insns[insn].address < end; insn++) {
        rows->truth->insns.is_moved[insn] = 1;
    }
}
