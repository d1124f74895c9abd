/* Rule 7. Stores and calls run in the source's order, wherever the compiler has put code that only computes.
 * Code that leads to a store or call of a statement above, or of another arm of a test, runs ahead of its
 * statement. Code that a store or call of a statement below, or of another arm, leads to, runs after its
 * statement. In a loop this rule is applied within a block only. */
#include "program/validity/statements/rows_lines.h"

#include <string.h>

#include "program/machine/relocated_calls.h"
#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/names/numba/variable_names.h"

enum { EFFECTS_BLOCKS = 4096, EFFECTS_PAIRS = 1 << 26 };

/* A row, or an instruction that stores or calls. */
typedef struct event {
    uint32_t insn, block, line, place; /* place: js_rows_place() */
    size_t row;                        /* index of the row; nrows: it is a store or call */
    bool is_out;                       /* no statement begins at the row */
} event;

typedef struct effects {
    js_rows *rows;
    event *events; /* in order of instructions */
    size_t nevents;
    bool in_loop;   /* code that another block leads to may be of another iteration */
    uint8_t *ahead; /* this and the next: for each block */
    uint32_t *waiting;
} effects;

/* Return the line of the instruction, or of the call that it was inlined by, in the source of the function or
 * of the inlined code whose rows are judged; 0: not known. */
static uint32_t line_of(const js_rows *rows, uint64_t address, const js_row *row)
{
    const js_function *function = rows->truth->function;
    uint32_t item = js_function_inline_at(function, address);
    uint32_t file = rows->item ? function->inlines[rows->item - 1].file : function->file;
    if (item == rows->item) {
        return row && row->file == file ? row->line : 0;
    }
    for (; item; item = function->inlines[item - 1].parent) {
        if (function->inlines[item - 1].parent == rows->item) {
            return function->inlines[item - 1].call_line;
        }
    }
    return 0;
}

/* True for a store or call that the compiler cannot move over another one. Stores of the result and of the
 * exception do not count, unless a statement raises there, as the compiler merges them. */
static bool is_effect(const js_rows *rows, uint32_t insn)
{
    const js_track *track = &rows->truth->machine.track;
    const js_insn *it = &track->code->insns[insn];
    const js_raise *raise = js_function_raise(rows->truth->function, it->address, it->address + 1);
    if (raise && raise->is_made) {
        return true;
    }
    if (it->op == JS_OP_CALL) {
        const char *name = js_reference_called(rows->truth->object, track, it);
        return name && js_reference_is_fixed(name);
    }
    bool is_known = it->to.reg < JS_CODE_VECTOR && track->now[it->to.reg].value >= JS_VALUE_ENTRY;
    uint32_t place = is_known ? track->now[it->to.reg].value - JS_VALUE_ENTRY : JS_CODE_REGISTERS;
    return it->stores && js_code_is_element(track->code, &it->to) && place != js_code_argument_registers[0] &&
           place != js_code_argument_registers[1];
}

static void add(effects *ctx, uint32_t insn, uint32_t block, uint32_t line, size_t row)
{
    uint32_t place = js_rows_place(ctx->rows, line);
    if (place) {
        ctx->events[ctx->nevents++] =
            (event){.insn = insn, .block = block, .line = line, .place = place, .row = row};
    }
}

static void find_events(effects *ctx)
{
    const js_rows *rows = ctx->rows;
    const js_code *code = &rows->truth->machine.code;
    js_track *track = &rows->truth->machine.track;
    for (uint32_t b = 0; b < code->nblocks; b++) {
        const js_basic_block *block = &code->blocks[b];
        if (block->order == JS_CODE_NOWHERE) {
            continue;
        }
        size_t next = js_rows_from(rows, code->insns[block->first].address);
        const js_row *row = next > 0 ? &rows->truth->function->lines.all[next - 1] : NULL;
        js_track_enter(track, b);
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            for (; next < rows->nrows && rows->rows[next].address <= code->insns[i].address; next++) {
                row = &rows->truth->function->lines.all[next];
                if (rows->judged[next]) {
                    add(ctx, i, b, rows->rows[next].line, next);
                }
            }
            if (is_effect(rows, i)) {
                add(ctx, i, b, line_of(rows, code->insns[i].address, row), rows->nrows);
            }
            js_track_step(track, i);
        }
    }
}

static bool is_arm(const js_region *region, uint32_t line)
{
    return region->kind == JS_REGION_ARM && region->first_test && line >= region->first &&
           line <= region->last;
}

/* True if the lines are in different arms of a test that is in no loop. */
static bool are_apart(const js_flow *flow, uint32_t line, uint32_t other)
{
    bool found = false;
    for (size_t i = 0; i < flow->nregions && !found; i++) {
        const js_region *arm = &flow->regions[i];
        if (!is_arm(arm, line) || is_arm(arm, other) || js_flow_outermost_loop(flow, arm->first_test, NULL)) {
            continue;
        }
        for (size_t k = 0; k < flow->nregions && !found; k++) {
            const js_region *against = &flow->regions[k];
            found = is_arm(against, other) && against->first_test == arm->first_test &&
                    against->last_test == arm->last_test && !is_arm(against, line);
        }
    }
    return found;
}

/* Set is_out of the row if code runs from `first` to `second`, one of them is a row, and the source has them
 * in the other order or in different arms. */
static void compare(const effects *ctx, event *first, event *second)
{
    bool is_first = first->row < ctx->rows->nrows, is_second = second->row < ctx->rows->nrows;
    event *row = is_first ? first : second;
    if (is_first == is_second || row->is_out) {
        return;
    }
    row->is_out =
        first->place > second->place || are_apart(ctx->rows->truth->flow, first->line, second->line);
}

/* True if any code of the line stores or calls. */
static bool has_effect(const effects *ctx, uint32_t line)
{
    bool found = false;
    for (size_t i = 0; i < ctx->nevents && !found; i++) {
        found = ctx->events[i].row == ctx->rows->nrows && ctx->events[i].line == line;
    }
    return found;
}

/* True in a loop if the first store or call after the row in its block is one of a statement above, although
 * the row's own statement stores or calls: it would do so before the next iteration. */
static bool is_overtaken(const effects *ctx, size_t row)
{
    const event *it = &ctx->events[row], *end = ctx->events + ctx->nevents, *first = it + 1;
    while (first < end && first->block == it->block && first->row < ctx->rows->nrows) {
        first++;
    }
    return first < end && first->block == it->block && first->place == it->place && first->line < it->line &&
           has_effect(ctx, it->line);
}

/* True in a loop if the row does not store or call as its statement does, and code of the line that does
 * follows in its block, after code of a statement above. */
static bool is_ahead_of_own(const effects *ctx, size_t row)
{
    const event *it = &ctx->events[row], *end = ctx->events + ctx->nevents;
    bool has_above = false;
    if (js_rows_may_begin(ctx->rows, it->row)) {
        return false;
    }
    for (const event *next = it + 1; next < end && next->block == it->block; next++) {
        if (next->row == ctx->rows->nrows) {
            continue;
        }
        if (has_above && next->line == it->line && js_rows_may_begin(ctx->rows, next->row)) {
            return true;
        }
        has_above = has_above || next->place < it->place || next->line < it->line;
    }
    return false;
}

/* Give the function's first row to the `def` if no statement begins there. */
static void give_to_def(js_rows *rows, size_t row, uint64_t end)
{
    js_truth *truth = rows->truth;
    const js_code *code = &truth->machine.code;
    uint32_t insn = js_code_find(code, rows->rows[row].address);
    for (size_t i = row; i < rows->nrows && rows->rows[i].address < end; i++) {
        rows->rows[i].line = truth->flow->first_line;
    }
    for (; insn < code->ninsns && code->insns[insn].address < end; insn++) {
        truth->insns.lines[insn] = truth->flow->first_line;
    }
}

/* Let the row begin no statement; the statement begins at its first code in the block that is in its place,
 * if any. */
static void drop(const effects *ctx, const event *it)
{
    js_rows *rows = ctx->rows;
    js_row *row = &rows->rows[it->row];
    uint64_t end = js_rows_end(rows, it->row);
    js_rows_mark_moved(rows, it->row, end);
    for (const event *next = it + 1; next < ctx->events + ctx->nevents && next->block == it->block; next++) {
        if (next->row < rows->nrows && next->line == it->line && !next->is_out) {
            rows->rows[next->row].is_stmt = true;
            break;
        }
    }
    if (row->prologue_end && !rows->item) {
        give_to_def(rows, it->row, end);
    } else {
        row->is_stmt = false;
    }
}

static int find_out(effects *ctx)
{
    const js_code *code = &ctx->rows->truth->machine.code;
    js_arena *scratch = &ctx->rows->truth->scratch;
    ctx->events = js_arena_alloc(scratch, (ctx->rows->nrows + code->ninsns + 1) * sizeof(*ctx->events));
    ctx->ahead = js_arena_alloc(scratch, code->nblocks + 1);
    ctx->waiting = js_arena_alloc(scratch, (code->nblocks + 1) * sizeof(*ctx->waiting));
    if (!ctx->events || !ctx->ahead || !ctx->waiting) {
        return JS_ENOMEM;
    }
    find_events(ctx);
    if (ctx->nevents > EFFECTS_PAIRS / (ctx->nevents + 1)) {
        ctx->nevents = 0;
    }
    for (size_t i = 0; i < ctx->nevents; i++) {
        event *it = &ctx->events[i];
        if (!ctx->in_loop && (i == 0 || ctx->events[i - 1].block != it->block)) {
            memset(ctx->ahead, 0, code->nblocks);
            js_code_mark_after(code, it->block, ctx->ahead, ctx->waiting);
        }
        for (size_t j = 0; j < ctx->nevents; j++) {
            event *other = &ctx->events[j];
            if (ctx->ahead[other->block] || (other->block == it->block && j > i)) {
                compare(ctx, it, other);
            }
        }
        it->is_out = it->is_out || (it->row < ctx->rows->nrows &&
                                    (is_overtaken(ctx, i) || (ctx->in_loop && is_ahead_of_own(ctx, i))));
    }
    return JS_OK;
}

int js_rows_drop_moved(js_rows *rows, bool in_loop)
{
    effects ctx = {.rows = rows, .in_loop = in_loop};
    js_track *track = &rows->truth->machine.track;
    if (rows->truth->machine.code.nblocks > EFFECTS_BLOCKS) {
        return JS_OK;
    }
    int status = track->in ? JS_OK : js_track_run(track, &rows->truth->scratch, NULL, 0, NULL, 0);
    status = status == JS_OK ? find_out(&ctx) : status;
    for (size_t i = 0; i < ctx.nevents && status == JS_OK; i++) {
        const event *it = &ctx.events[i];
        if (it->is_out && js_rows_is_judged(rows, it->row)) {
            drop(&ctx, it);
        }
    }
    return status;
}

int js_rows_follow_effects(js_truth *truth)
{
    js_function *function = truth->function;
    js_rows rows;
    if (!function->statements.rows || truth->is_plain || function->region.parent ||
        function->name.kind == JS_NAME_GENERATOR_NEXT) {
        return JS_OK;
    }
    int status = js_rows_init(&rows, truth, 0);
    if (status == JS_OK) {
        memcpy(rows.rows, function->statements.rows, rows.nrows * sizeof(*rows.rows));
        status = js_rows_drop_moved(&rows, false);
    }
    if (status == JS_OK) {
        function->statements.rows = rows.rows;
    }
    return status;
}
