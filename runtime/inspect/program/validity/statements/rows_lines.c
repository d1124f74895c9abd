/* Collects facts about the rows of a function and about their lines. */
#include "program/validity/statements/rows_lines.h"

#include <string.h>

#include "program/machine/relocated_calls.h"
#include "program/model/lookup.h"
#include "program/names/numba/variable_names.h"

enum { EFFECT_UNKNOWN, EFFECT_NONE, EFFECT_SOME };

static js_row_line *fact_of(const js_rows *at, uint32_t line)
{
    return line >= at->first_line && line - at->first_line < at->nlines ? &at->lines[line - at->first_line]
                                                                        : NULL;
}

/* True if the line is in a loop, by one name: a definition at the line or below reaches it, or the line is in
 * a loop and definitions in loops certainly assign the name. */
static bool is_in_loop(const js_flow *flow, const js_flow_at *at)
{
    bool all = at->ndefs > 0 && !at->maybe_unassigned && js_flow_outermost_loop(flow, at->line, NULL);
    for (size_t i = 0; i < at->ndefs; i++) {
        const js_flow_def *def = js_flow_def_by_id(flow, at->defs[i]);
        if (def && def->line >= at->line && def->line != flow->first_line) {
            return true;
        }
        all = all && def && def->in_loop;
    }
    return all;
}

static void read_lines(js_rows *at)
{
    const js_flow *flow = at->truth->flow;
    for (size_t first = 0, end; first < flow->nats; first = end) {
        uint32_t line = flow->ats[first].line;
        js_row_line *fact = fact_of(at, line);
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

static js_row_line *fact_to_judge(const js_rows *at, size_t row)
{
    const js_row *it = &at->rows[row];
    const js_function *function = at->truth->function;
    uint32_t above =
        function->region.parent && !at->item ? function->region.line : at->truth->flow->first_line;
    uint32_t file = at->item ? function->inlines[at->item - 1].file : function->file;
    js_row_line *fact = it->file == file && it->line > above ? fact_of(at, it->line) : NULL;
    bool is_asked = fact && fact->key && at->begins[row];
    return is_asked && js_function_inline_at(function, it->address) == at->item ? fact : NULL;
}

/* True for optimised code, of a statement in no loop, that only a jump leads to and that follows other code
 * of its line: the code before it may be a jump past the statement. */
static bool is_jumped_to(const js_rows *at, const js_row *row)
{
    const js_code *code = &at->truth->machine.code;
    const js_row_line *fact = fact_of(at, row->line);
    uint32_t insn = js_code_find(code, row->address);
    return !at->truth->is_plain && fact && !fact->in_loop && insn != JS_CODE_NOWHERE && insn > 0 &&
           code->insns[insn - 1].op == JS_OP_JUMP;
}

static void read_rows(js_rows *at)
{
    const js_row *last = NULL;
    for (size_t i = 0; i < at->nrows; i++) {
        const js_row *row = &at->rows[i];
        at->begins[i] = row->line != 0 && (!last || last->line != row->line || last->file != row->file ||
                                           row->prologue_end || is_jumped_to(at, row));
        at->rows[i].is_stmt = row->is_stmt && at->begins[i];
        last = row->line ? row : last;
        at->judged[i] = fact_to_judge(at, i);
        if (at->judged[i]) {
            at->judged[i]->nrows++;
        }
    }
}

int js_rows_init(js_rows *at, js_truth *truth, uint32_t item)
{
    const js_function *function = truth->function;
    js_arena *scratch = &truth->scratch;
    memset(at, 0, sizeof(*at));
    at->truth = truth;
    at->item = item;
    at->nrows = function->lines.nall;
    at->first_line = truth->flow->first_line;
    at->nlines = truth->flow->last_line - truth->flow->first_line + 1;
    at->rows = js_arena_alloc(truth->arena, (at->nrows + 1) * sizeof(*at->rows));
    at->begins = js_arena_alloc(scratch, at->nrows + 1);
    at->effects = js_arena_alloc(scratch, at->nrows + 1);
    at->judged = js_arena_alloc(scratch, (at->nrows + 1) * sizeof(*at->judged));
    at->lines = js_arena_alloc(scratch, at->nlines * sizeof(*at->lines));
    if (!truth->insns.is_moved) {
        truth->insns.is_moved = js_arena_alloc(scratch, truth->machine.code.ninsns + 1);
    }
    if (!at->rows || !at->begins || !at->effects || !at->judged || !at->lines || !truth->insns.is_moved) {
        return JS_ENOMEM;
    }
    memcpy(at->rows, function->lines.all, at->nrows * sizeof(*at->rows));
    read_lines(at);
    read_rows(at);
    return JS_OK;
}

uint32_t js_rows_place(const js_rows *at, uint32_t line)
{
    const js_flow *flow = at->truth->flow;
    const js_region *loop = js_flow_outermost_loop(flow, line, NULL);
    const js_row_line *fact = fact_of(at, line);
    bool is_passed = js_flow_is_final(flow, line);
    for (size_t i = 0; i < flow->nfinals && !is_passed; i++) {
        is_passed = flow->finals[i].jump == line;
    }
    if (!fact || is_passed || (!loop && fact->in_loop)) {
        return 0;
    }
    return loop ? loop->first_test : fact->key;
}

uint64_t js_rows_end(const js_rows *at, size_t row)
{
    for (size_t i = row + 1; i < at->nrows; i++) {
        if (at->begins[i]) {
            return at->rows[i].address;
        }
    }
    return at->truth->function->hi;
}

uint32_t js_rows_block(const js_rows *at, size_t row)
{
    const js_code *code = &at->truth->machine.code;
    uint32_t insn = js_code_find(code, at->rows[row].address);
    return insn == JS_CODE_NOWHERE ? JS_CODE_NOWHERE : js_code_block(code, insn);
}

size_t js_rows_from(const js_rows *at, uint64_t address)
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

static bool is_effect(const js_rows *at, uint32_t insn)
{
    const js_truth *truth = at->truth;
    const js_code *code = &truth->machine.code;
    const js_insn *it = &code->insns[insn];
    if (it->op != JS_OP_CALL) {
        return it->stores && js_code_is_element(code, &it->to);
    }
    uint32_t first = code->blocks[js_code_block(code, insn)].first;
    const char *name = js_reference_called_from(truth->object, code, first, insn);
    return !name || !js_numba_counts(name);
}

bool js_rows_effect_between(const js_rows *at, uint64_t address, uint64_t end)
{
    const js_code *code = &at->truth->machine.code;
    uint32_t insn = js_code_find(code, address);
    bool found = false;
    for (; !found && insn < code->ninsns && code->insns[insn].address < end; insn++) {
        found = is_effect(at, insn);
    }
    return found;
}

bool js_rows_has_effect(const js_rows *at, size_t row)
{
    if (at->effects[row] == EFFECT_UNKNOWN) {
        bool found = js_rows_effect_between(at, at->rows[row].address, js_rows_end(at, row));
        at->effects[row] = found ? EFFECT_SOME : EFFECT_NONE;
    }
    return at->effects[row] == EFFECT_SOME;
}

bool js_rows_may_begin(const js_rows *at, size_t row)
{
    return !has_effect(at->truth->flow, at->rows[row].line) || js_rows_has_effect(at, row);
}

void js_rows_mark_moved(js_rows *at, size_t row, uint64_t end)
{
    const js_code *code = &at->truth->machine.code;
    uint32_t insn = js_code_find(code, at->rows[row].address);
    for (; insn < code->ninsns && code->insns[insn].address < end; insn++) {
        at->truth->insns.is_moved[insn] = 1;
    }
}
