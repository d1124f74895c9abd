/* Compares what the source stores in loops with the instructions that store in them, and keeps the results by
 * pc. */
#include "program/elements/stores_of_code.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"
#include "program/elements/fresh_arrays.h"
#include "program/elements/running_code.h"
#include "program/elements/source_flow.h"
#include "program/elements/stores_moved.h"
#include "program/elements/stores_of_calls.h"
#include "program/elements/stores_of_kernels.h"
#include "program/model/lookup.h"

enum { CALLS_MAX = 8 };

/* ---- where the frame is ---- */

static const js_region *innermost_loop(const js_flow *flow, uint32_t line)
{
    const js_region *found = NULL;
    for (size_t i = 0; i < flow->nregions; i++) {
        const js_region *loop = &flow->regions[i];
        if (loop->kind == JS_REGION_LOOP && line >= loop->first_test && line <= loop->last &&
            (!found || loop->first_test >= found->first_test)) {
            found = loop;
        }
    }
    return found;
}

static bool is_outermost(const js_flow *flow, uint32_t header)
{
    for (size_t i = 0; i < flow->nregions; i++) {
        const js_region *loop = &flow->regions[i];
        if (loop->kind == JS_REGION_LOOP && loop->first_test < header && header <= loop->last) {
            return false;
        }
    }
    return true;
}

static bool is_in_loop(const js_running *running, uint64_t address)
{
    uint32_t insn = js_line_insn(&running->code, address),
             loop = js_line_loop_at(&running->code, running->insn);
    return insn != JS_CODE_NOWHERE && js_line_loop_at(&running->code, insn) == loop;
}

/* True if the hook's code of the innermost loop that runs has no markers. At a marker everything is in
 * memory. */
static bool is_plain(const js_running *running)
{
    const js_function *function = running->function;
    const js_row *here = js_function_row(function->lines.all, function->lines.nall, running->pc);
    if (here && (here->column == JS_COLUMN_LOOP || here->column == JS_COLUMN_PLAIN)) {
        return true;
    }
    if (!running->code.is_known || js_line_loop_at(&running->code, running->insn) == JS_CODE_NOWHERE) {
        return running->item && running->function->build.level == JS_LEVEL_EXACT && !running->item->first;
    }
    bool found = false;
    for (size_t i = 0; i < function->lines.nall; i++) {
        const js_row *row = &function->lines.all[i];
        if (is_in_loop(running, row->address)) {
            if (row->column == JS_COLUMN_MARKER || row->column == JS_COLUMN_ENTRY) {
                return false;
            }
            found |= row->column == JS_COLUMN_LOOP || row->column == JS_COLUMN_PLAIN;
        }
    }
    return found || (running->item && !running->item->first);
}

/* True if code of the loop's body may have run before the pc; false if it can only run after it. */
static bool has_begun(const js_running *running, const js_store *store)
{
    const js_code *code = &running->code.code;
    uint8_t *seen = calloc(code->nblocks + 1, 1);
    uint32_t *waiting = malloc((code->nblocks + 1) * sizeof *waiting);
    uint32_t own = running->code.block_of[running->insn];
    bool found = !seen || !waiting;
    for (uint32_t i = 0; i < code->ninsns && !found; i++) {
        uint32_t line = running->lines[i], block = running->code.block_of[i];
        if (line > store->loop_first && line <= store->loop_last) {
            found = block == own && i < running->insn;
            js_code_mark_after(code, block, seen, waiting);
        }
    }
    found = found || seen[own];
    free(seen);
    free(waiting);
    return found;
}

/* ---- what the loop's code does ---- */

/* True if one pass through the innermost loop's code may be several iterations. */
static bool is_several(js_running *running)
{
    const js_function *function = running->function;
    if (js_line_loop_is_packed(&running->code, running->insn) ||
        js_line_loop_is_strided(&running->code, running->insn)) {
        return true;
    }
    uint32_t last = 0, runs[64], nruns = 0;
    for (size_t i = 0; i < function->lines.nall; i++) {
        const js_row *row = &function->lines.all[i];
        if (row->end_sequence || !is_in_loop(running, row->address)) {
            continue;
        }
        if (row->iterations > 1) {
            return true;
        }
        if (row->line == last || row->line == 0) {
            continue;
        }
        last = row->line;
        for (uint32_t r = 0; r < nruns; r++) {
            if (runs[r] == last) { /* the line's code is there twice */
                return true;
            }
        }
        if (nruns == sizeof runs / sizeof *runs) {
            return true;
        }
        runs[nruns++] = last;
    }
    return false;
}

/* Count the statements of the source that store on the lines of this one, in the same loop; the number of
 * storing instructions is compared with it. */
static uint32_t count_statements(const js_flow *flow, const js_store *store)
{
    uint32_t count = 0;
    for (size_t i = 0; i < flow->nstores; i++) {
        const js_store *other = &flow->stores[i];
        count += other->loop_first == store->loop_first && other->kind != JS_STORE_CALL &&
                 other->first <= store->last && store->first <= other->last;
    }
    return count;
}

/* Judge a store that runs once in each iteration: memory is right if the current iteration has made it
 * exactly when its line is above the current one. */
static js_freshness look_at_order(js_running *running, const js_store *store, uint32_t insn)
{
    bool is_ahead = insn == running->insn || js_line_follows(&running->code, running->insn, insn);
    bool is_on_line = running->line >= store->first && running->line <= store->last;
    return is_on_line || is_ahead == (store->first > running->line) ? JS_IN_MEMORY : JS_AT_ITERATION;
}

/* Judge a statement of a loop within the innermost loop around the pc. */
static js_freshness look_inside(js_running *running, const js_store *store)
{
    uint32_t loop = js_line_loop_at(&running->code, running->insn), here = 0, within = 0, the_one = 0;
    for (uint32_t i = 0; i < running->code.code.ninsns; i++) {
        if (js_running_stores(running, i) && js_running_is_on_lines_of(running, store, i)) {
            if (js_line_loop_at(&running->code, i) == JS_CODE_NOWHERE) {
                return JS_IN_REGISTER;
            }
            bool is_here = js_line_loop_at(&running->code, i) == loop;
            here += is_here;
            within += !is_here;
            the_one = is_here ? i : the_one;
        }
    }
    if (count_statements(running->flow, store) != 1 || here + within == 0) {
        return JS_IN_REGISTER;
    }
    if (here == 0) {
        return JS_IN_MEMORY;
    }
    return here > 1 || within > 0 || is_several(running) ? JS_IN_REGISTER
                                                         : look_at_order(running, store, the_one);
}

/* Judge a statement of a loop around the innermost loop. */
static js_freshness look_outside(const js_running *running, const js_store *store)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < running->code.code.ninsns; i++) {
        if (js_running_stores(running, i) && js_running_is_on_lines_of(running, store, i)) {
            if (js_line_loop_at(&running->code, i) == JS_CODE_NOWHERE) {
                return JS_IN_REGISTER; /* the store may be after the loop */
            }
            count++;
        }
    }
    bool is_each = count > 0 && count == count_statements(running->flow, store);
    return is_each && is_outermost(running->flow, store->loop_first) ? JS_IN_MEMORY : JS_IN_REGISTER;
}

/* True if the code inlined for the statement's call shows that it stores to no elements. */
static bool only_reads(const js_running *running, const js_store *store)
{
    const js_function *function = running->function;
    uint32_t scope = running->item ? (uint32_t)(running->item - function->inlines) + 1 : 0;
    return store->kind == JS_STORE_CALL && running->code.is_known &&
           !js_pending_call_may_store(running->program, function, scope, store, CALLS_MAX);
}

static js_freshness look_at(js_running *running, const js_store *store)
{
    if (only_reads(running, store)) {
        return JS_IN_MEMORY;
    }
    const js_code *code = &running->code.code;
    uint32_t loop = running->code.is_known ? js_line_loop_at(&running->code, running->insn) : JS_CODE_NOWHERE;
    const js_region *innermost = innermost_loop(running->flow, running->line);
    bool is_innermost = innermost && innermost->first_test == store->loop_first;
    if (!running->code.is_known || running->insn == JS_CODE_NOWHERE) {
        return JS_IN_REGISTER;
    }
    if (!is_innermost) {
        return look_outside(running, store);
    }
    if (loop == JS_CODE_NOWHERE) {
        return running->line > store->loop_first || has_begun(running, store) ? JS_IN_REGISTER : JS_IN_MEMORY;
    }
    const js_region *own = innermost_loop(running->flow, store->first);
    if (store->kind != JS_STORE_CALL && own && own->first_test != store->loop_first) {
        return look_inside(running, store);
    }
    bool calls = false;
    uint32_t count = 0, the_one = 0;
    for (uint32_t i = 0; i < code->ninsns; i++) {
        if (js_line_loop_at(&running->code, i) != loop) {
            continue;
        }
        if (js_running_stores(running, i) && js_running_is_on_lines_of(running, store, i)) {
            count++;
            the_one = i;
        }
        calls |= code->insns[i].op == JS_OP_CALL && js_running_is_on_lines_of(running, store, i);
    }
    if (store->kind == JS_STORE_CALL) {
        return calls ? JS_IN_MEMORY : JS_IN_REGISTER;
    }
    if (count == 0 || count_statements(running->flow, store) != 1) {
        return JS_IN_REGISTER;
    }
    if (count > 1 || is_several(running)) {
        return JS_AT_ITERATION;
    }
    return look_at_order(running, store, the_one);
}

/* ---- results by pc ---- */

typedef struct js_pending_places {
    uint64_t pc; /* 0: none */
    js_pending *all;
    size_t count, capacity;
} js_pending_places;

enum { PLACES = 64 };

struct js_pending_kept {
    js_pending_places at[PLACES]; /* the result for pc is at pc % PLACES */
};

static int append(js_pending_places *to, const js_pending *pending)
{
    js_pending *all = js_vector_reserve(to->all, &to->capacity, to->count + 1, sizeof *all);
    if (!all) {
        return JS_ENOMEM;
    }
    to->all = all;
    to->all[to->count++] = *pending;
    return JS_OK;
}

/* True if the flow lists the statement for an inner loop, too, and the current line is in both loops. The
 * outer loop then keeps nothing of it, and the record of the inner loop covers the rest. */
static bool is_in_inner(const js_running *running, const js_store *store)
{
    for (size_t i = 0; i < running->flow->nstores; i++) {
        const js_store *other = &running->flow->stores[i];
        if (other->first == store->first && other->last == store->last && other->kind == store->kind &&
            other->loop_first > store->loop_first && running->line >= other->loop_first &&
            running->line <= other->loop_last) {
            return true;
        }
    }
    return false;
}

/* Append the statements of the loops around the pc that are not JS_IN_MEMORY. is_kept: the code of the
 * innermost loop may keep elements in registers. */
static int judge_all(js_running *running, bool is_kept, js_pending_places *out)
{
    int status = JS_OK;
    const js_region *innermost = running->line ? innermost_loop(running->flow, running->line) : NULL;
    bool is_by_hook = running->function->build.level >= JS_LEVEL_EXACT;
    for (size_t i = 0; innermost && i < running->flow->nstores && status == JS_OK; i++) {
        const js_store *store = &running->flow->stores[i];
        bool is_around = running->line >= store->loop_first && running->line <= store->loop_last;
        js_freshness how = is_around && js_kernel_may_fill(running, store) ? JS_AT_ITERATION : JS_IN_MEMORY;
        if (is_around && is_kept && !is_in_inner(running, store) &&
            (!is_by_hook || running->item || store->loop_first == innermost->first_test)) {
            status = running->lines ? JS_OK : js_running_find_lines(running);
            js_freshness kept = status ? JS_IN_MEMORY : look_at(running, store);
            how = kept > how ? kept : how;
        }
        if (how != JS_IN_MEMORY) {
            status = append(out, &(js_pending){*store, how, running->item});
        }
    }
    return status;
}

static int append_moved(void *places, const js_store *store, js_freshness how)
{
    return append(places, &(js_pending){*store, how, NULL});
}

/* Append all stores of inlined code at level lines: nothing says where its statements begin, so that a store
 * may be before or behind any of its lines. */
static int append_inlined(js_running *running, js_pending_places *out)
{
    bool is_asked = running->item && running->function->build.level == JS_LEVEL_LINES;
    int status = JS_OK;
    for (size_t i = 0; is_asked && i < running->flow->nstores && status == JS_OK; i++) {
        const js_store *store = &running->flow->stores[i];
        if (!store->loop_first) {
            status = append(out, &(js_pending){*store, JS_MAY_MOVE, running->item});
        }
    }
    return status;
}

static int judge(const js_program *program, const js_function *function, js_pending_places *out)
{
    js_running running = {.program = program, .function = function, .pc = out->pc};
    int status = js_line_loops_init(&running.code, function);
    running.insn = running.code.is_followed ? js_line_insn(&running.code, running.pc) : JS_CODE_NOWHERE;
    uint32_t item = js_function_inline_at(function, running.pc);
    for (bool is_last = false; !is_last && status == JS_OK;) {
        const js_inline *inlined = item ? &function->inlines[item - 1] : NULL;
        is_last = !inlined;
        running.item = inlined;
        running.flow = inlined ? js_pending_flow(program, function, inlined) : function->source.flow;
        running.line = js_running_line(&running, running.pc);
        running.lines = NULL;
        running.after = NULL;
        if (running.flow) {
            bool is_kept =
                function->build.level < JS_LEVEL_EXACT ? !function->build.has_homes : is_plain(&running);
            status = judge_all(&running, is_kept, out);
            status = status ? status : append_inlined(&running, out);
            status = status ? status : js_stores_moved(&running, append_moved, out);
            status = status ? status : js_fresh_moved(&running, append_moved, out);
            status = status ? status : js_kernel_find_filled(&running, append_moved, out);
        }
        item = inlined ? inlined->parent : 0;
    }
    js_line_loops_deinit(&running.code);
    return status;
}

int js_pending_find(js_program *program, const js_function *function, uint64_t pc, const js_pending **out,
                    size_t *count)
{
    if (!program->pending_kept) {
        program->pending_kept = calloc(1, sizeof *program->pending_kept);
    }
    if (!program->pending_kept) {
        return JS_ENOMEM;
    }
    js_pending_places *place = &program->pending_kept->at[pc % PLACES];
    int status = JS_OK;
    if (place->pc != pc) {
        free(place->all);
        *place = (js_pending_places){.pc = pc};
        status = judge(program, function, place);
        place->pc = status ? 0 : pc;
    }
    *out = place->all;
    *count = place->count;
    return status;
}

void js_pending_forget(js_program *program)
{
    for (size_t i = 0; program->pending_kept && i < PLACES; i++) {
        free(program->pending_kept->at[i].all);
    }
    free(program->pending_kept);
    program->pending_kept = NULL;
}
