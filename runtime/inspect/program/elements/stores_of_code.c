#include "program/elements/stores_of_code.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"
#include "program/elements/source_flow.h"
#include "program/elements/stores_of_calls.h"
#include "program/machine/line_loops.h"
#include "program/model/lookup.h"
#include "program/queries/scope.h"

enum {
    CALLS_MAX = 8,
    LOOKS_MAX = 50000000
}; /* at code that is inlined, for all instructions of a function */

/* One function, or code of one that is inlined, at a frame's pc. */
typedef struct running {
    const js_program *program;
    js_scope scope;
    const js_flow *flow; /* of the source of the scope's function */
    uint32_t line;       /* of that source */
    uint64_t pc;
    js_line_loops code;
    uint32_t insn;
    uint32_t *lines; /* of each instruction; NULL: not looked at yet */
} running;

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

/* The line of the scope's own source that an instruction is of; 0: none. */
static uint32_t line_at(const running *at, uint64_t pc)
{
    const js_function *function = at->scope.function;
    uint32_t item = js_function_inline_at(function, pc), inner = 0;
    uint32_t own = at->scope.item ? (uint32_t)(at->scope.item - function->inlines) + 1 : 0;
    for (; item && item != own; item = function->inlines[item - 1].parent) {
        inner = item;
    }
    if (item != own) {
        return 0;
    }
    if (inner) {
        return function->inlines[inner - 1].call_line;
    }
    const js_row *row = own ? js_function_row(function->all_rows, function->nall_rows, pc)
                            : js_function_line_row(function, pc);
    return !row ? 0 : own ? row->line : js_function_user_line(function, row->line);
}

static bool is_in_loop(const running *at, uint64_t address)
{
    uint32_t insn = js_line_insn(&at->code, address), loop = js_line_loop_at(&at->code, at->insn);
    return insn != JS_CODE_NOWHERE && js_line_loop_at(&at->code, insn) == loop;
}

/* Does the hook's code of the innermost loop that runs have no markers? At a marker all is in memory. */
static bool is_plain(const running *at)
{
    const js_function *function = at->scope.function;
    const js_row *here = js_function_row(function->all_rows, function->nall_rows, at->pc);
    if (here && (here->column == JS_COLUMN_LOOP || here->column == JS_COLUMN_PLAIN)) {
        return true;
    }
    if (!at->code.is_known || js_line_loop_at(&at->code, at->insn) == JS_CODE_NOWHERE) {
        return at->scope.item && at->scope.function->level == JS_LEVEL_EXACT && !at->scope.item->first;
    }
    bool found = false;
    for (size_t i = 0; i < function->nall_rows; i++) {
        const js_row *row = &function->all_rows[i];
        if (is_in_loop(at, row->address)) {
            if (row->column == JS_COLUMN_MARKER || row->column == JS_COLUMN_ENTRY) {
                return false;
            }
            found |= row->column == JS_COLUMN_LOOP || row->column == JS_COLUMN_PLAIN;
        }
    }
    return found || (at->scope.item && !at->scope.item->first);
}

/* May code of the loop's body have run before the place, or is it only ahead? */
static bool has_begun(const running *at, const js_store *store)
{
    const js_code *code = &at->code.code;
    uint8_t *seen = calloc(code->nblocks + 1, 1);
    uint32_t *stack = malloc((code->nblocks + 1) * sizeof *stack);
    uint32_t own = at->code.block_of[at->insn];
    size_t depth = 0;
    bool found = !seen || !stack;
    for (uint32_t i = 0; i < code->ninsns && !found; i++) {
        uint32_t line = at->lines[i], block = at->code.block_of[i];
        if (line > store->loop_first && line <= store->loop_last) {
            found = block == own && i < at->insn;
            for (unsigned s = 0; s < 2; s++) {
                uint32_t next = code->blocks[block].successors[s];
                if (next != JS_CODE_NOWHERE && !seen[next]) {
                    seen[next] = 1;
                    stack[depth++] = next;
                }
            }
        }
    }
    while (depth > 0 && !found && !seen[own]) {
        const js_basic_block *block = &code->blocks[stack[--depth]];
        for (unsigned s = 0; s < 2; s++) {
            uint32_t next = block->successors[s];
            if (next != JS_CODE_NOWHERE && !seen[next]) {
                seen[next] = 1;
                stack[depth++] = next;
            }
        }
    }
    found = found || seen[own];
    free(seen);
    free(stack);
    return found;
}

/* ---- what the loop's code does ---- */

/* rbp is a register as any other, where no frame begins with it. */
static bool has_frame_pointer(const js_code *code)
{
    for (size_t i = 0; i < code->ninsns; i++) {
        const js_insn *insn = &code->insns[i];
        if (insn->op == JS_OP_MOVE && insn->to.kind == JS_PLACE_REGISTER && insn->to.reg == JS_CODE_RBP &&
            insn->from.kind == JS_PLACE_REGISTER && insn->from.reg == JS_CODE_RSP) {
            return true;
        }
    }
    return false;
}

static bool stores_elsewhere(const js_insn *insn, bool has_frame)
{
    return insn->stores && (insn->to.kind == JS_PLACE_MEMORY || (insn->to.reg == JS_CODE_RBP && !has_frame));
}

static bool is_of(const running *at, const js_store *store, uint32_t insn)
{
    return at->lines[insn] >= store->first && at->lines[insn] <= store->last;
}

/* Is a piece of the innermost loop's code perhaps several iterations? */
static bool is_several(running *at)
{
    const js_function *function = at->scope.function;
    if (js_line_loop_is_packed(&at->code, at->insn) || js_line_loop_is_strided(&at->code, at->insn)) {
        return true;
    }
    uint32_t last = 0, runs[64], nruns = 0;
    for (size_t i = 0; i < function->nall_rows; i++) {
        const js_row *row = &function->all_rows[i];
        if (row->end_sequence || !is_in_loop(at, row->address)) {
            continue;
        }
        if (row->turns > 1) {
            return true;
        }
        if (row->line == last || row->line == 0) {
            continue;
        }
        last = row->line;
        for (uint32_t r = 0; r < nruns; r++) {
            if (runs[r] == last) { /* its code is there twice */
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

/* How many statements of the source store on these lines, which the instructions of them are compared with.
 */
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

/* The store is made once an iteration: at this place, has the iteration at hand made those of the lines
 * above, and no other? */
static js_freshness look_at_order(running *at, const js_store *store, uint32_t insn)
{
    bool is_ahead = insn == at->insn || js_line_follows(&at->code, at->insn, insn);
    bool is_on_line = at->line >= store->first && at->line <= store->last;
    return is_on_line || is_ahead == (store->first > at->line) ? JS_IN_MEMORY : JS_AT_ITERATION;
}

/* Judges a statement of a loop within the innermost one that the place is in. */
static js_freshness look_inside(running *at, const js_store *store)
{
    uint32_t loop = js_line_loop_at(&at->code, at->insn), here = 0, within = 0, the_one = 0;
    bool has_frame = has_frame_pointer(&at->code.code);
    for (uint32_t i = 0; i < at->code.code.ninsns; i++) {
        if (stores_elsewhere(&at->code.code.insns[i], has_frame) && is_of(at, store, i)) {
            if (js_line_loop_at(&at->code, i) == JS_CODE_NOWHERE) {
                return JS_IN_REGISTER;
            }
            bool is_here = js_line_loop_at(&at->code, i) == loop;
            here += is_here;
            within += !is_here;
            the_one = is_here ? i : the_one;
        }
    }
    if (count_statements(at->flow, store) != 1 || here + within == 0) {
        return JS_IN_REGISTER;
    }
    if (here == 0) {
        return JS_IN_MEMORY;
    }
    return here > 1 || within > 0 || is_several(at) ? JS_IN_REGISTER : look_at_order(at, store, the_one);
}

/* Judges a statement of a loop around the innermost one. */
static js_freshness look_outside(const running *at, const js_store *store)
{
    bool has_frame = has_frame_pointer(&at->code.code);
    uint32_t count = 0;
    for (uint32_t i = 0; i < at->code.code.ninsns; i++) {
        if (stores_elsewhere(&at->code.code.insns[i], has_frame) && is_of(at, store, i)) {
            if (js_line_loop_at(&at->code, i) == JS_CODE_NOWHERE) {
                return JS_IN_REGISTER; /* behind the loop, maybe */
            }
            count++;
        }
    }
    bool is_each = count > 0 && count == count_statements(at->flow, store);
    return is_each && is_outermost(at->flow, store->loop_first) ? JS_IN_MEMORY : JS_IN_REGISTER;
}

/* Does the statement's call store to nothing, for all that is inlined for it? */
static bool only_reads(const running *at, const js_store *store)
{
    const js_function *function = at->scope.function;
    uint32_t scope = at->scope.item ? (uint32_t)(at->scope.item - function->inlines) + 1 : 0;
    return store->kind == JS_STORE_CALL && at->code.is_known &&
           !js_pending_call_may_store(at->program, function, scope, store, CALLS_MAX);
}

static js_freshness look_at(running *at, const js_store *store)
{
    if (only_reads(at, store)) {
        return JS_IN_MEMORY;
    }
    const js_code *code = &at->code.code;
    uint32_t loop = at->code.is_known ? js_line_loop_at(&at->code, at->insn) : JS_CODE_NOWHERE;
    const js_region *innermost = innermost_loop(at->flow, at->line);
    bool is_innermost = innermost && innermost->first_test == store->loop_first;
    if (!at->code.is_known || at->insn == JS_CODE_NOWHERE) {
        return JS_IN_REGISTER;
    }
    if (!is_innermost) {
        return look_outside(at, store);
    }
    if (loop == JS_CODE_NOWHERE) {
        return at->line > store->loop_first || has_begun(at, store) ? JS_IN_REGISTER : JS_IN_MEMORY;
    }
    const js_region *own = innermost_loop(at->flow, store->first);
    if (store->kind != JS_STORE_CALL && own && own->first_test != store->loop_first) {
        return look_inside(at, store);
    }
    bool has_frame = has_frame_pointer(code), calls = false;
    uint32_t count = 0, the_one = 0;
    for (uint32_t i = 0; i < code->ninsns; i++) {
        if (js_line_loop_at(&at->code, i) != loop) {
            continue;
        }
        if (stores_elsewhere(&code->insns[i], has_frame) && is_of(at, store, i)) {
            count++;
            the_one = i;
        }
        calls |= code->insns[i].op == JS_OP_CALL && is_of(at, store, i);
    }
    if (store->kind == JS_STORE_CALL) {
        return calls ? JS_IN_MEMORY : JS_IN_REGISTER;
    }
    if (count == 0 || count_statements(at->flow, store) != 1) {
        return JS_IN_REGISTER;
    }
    if (count > 1 || is_several(at)) {
        return JS_AT_ITERATION;
    }
    return look_at_order(at, store, the_one);
}

/* ---- what is kept of it ---- */

typedef struct js_pending_places {
    uint64_t pc; /* 0: none */
    js_pending *all;
    size_t count, capacity;
} js_pending_places;

enum { PLACES = 64 };

struct js_pending_kept {
    js_pending_places at[PLACES]; /* by pc */
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

/* Is the statement in a loop within that one, which the place is in as well? What is stored there is no
 * longer kept by the loops around it, and the other record tells of the rest. */
static bool is_in_inner(const running *at, const js_store *store)
{
    for (size_t i = 0; i < at->flow->nstores; i++) {
        const js_store *other = &at->flow->stores[i];
        if (other->first == store->first && other->last == store->last && other->kind == store->kind &&
            other->loop_first > store->loop_first && at->line >= other->loop_first &&
            at->line <= other->loop_last) {
            return true;
        }
    }
    return false;
}

/* The lines of the function's instructions, in this scope. What would take too long is not looked at. */
static int find_lines(running *at)
{
    size_t count = at->code.code.ninsns;
    if (at->code.is_known && count > LOOKS_MAX / js_function_inline_looks(at->scope.function)) {
        at->code.is_known = false;
    }
    if (!at->code.is_known) {
        return JS_OK;
    }
    at->lines = js_arena_alloc(&at->code.scratch, (count + 1) * sizeof *at->lines);
    for (size_t i = 0; at->lines && i < count; i++) {
        at->lines[i] = line_at(at, at->code.code.insns[i].address);
    }
    return at->lines ? JS_OK : JS_ENOMEM;
}

/* Does a kernel run the loop, or one in its body that Numba runs as it would a parallel one? */
static bool is_of_kernel(const running *at, uint32_t loop_first)
{
    const js_function *function = at->scope.function;
    if (!function->parent || at->scope.item || function->level == JS_LEVEL_STEPS) {
        return false;
    }
    bool found = loop_first == function->region_line;
    for (size_t i = 0; i < at->flow->ndefs && !found; i++) {
        found = at->flow->defs[i].is_parallel && at->flow->defs[i].line == loop_first;
    }
    return found;
}

/* Numba makes one loop of a parallel loop and of what directly before it fills an array: the iterations that
 * are still to come have not filled their elements either. */
static bool may_be_fused(const running *at, const js_store *store)
{
    bool is_kernels = store->name && is_of_kernel(at, store->loop_first);
    for (size_t i = 0; is_kernels && i < at->flow->ndefs; i++) {
        const js_flow_def *def = &at->flow->defs[i];
        if (def->is_fresh && def->line < store->loop_first && strcmp(def->name, store->name) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_code_of(const js_function *function, uint32_t line)
{
    bool found = false;
    for (size_t i = 0; i < function->nall_rows && !found; i++) {
        found = function->all_rows[i].line == line;
    }
    return found;
}

/* Arrays that the kernel fills itself, as it has code of the line that makes them, though its loop may only
 * read them. */
static int find_filled(const running *at, js_pending_places *out)
{
    const js_function *function = at->scope.function;
    int status = JS_OK;
    if (!is_of_kernel(at, function->region_line) || !at->line) {
        return JS_OK;
    }
    const js_region *loop = js_flow_loop(at->flow, function->region_line);
    for (size_t i = 0; i < at->flow->ndefs && status == JS_OK; i++) {
        const js_flow_def *def = &at->flow->defs[i];
        if (def->is_fresh && def->line < (loop ? loop->first_test : at->line) &&
            has_code_of(function, def->line)) {
            js_store store = {.loop_first = function->region_line,
                              .loop_last = loop ? loop->last : at->line,
                              .first = def->line,
                              .last = def->line,
                              .name = def->name,
                              .kind = JS_STORE_ELEMENT};
            status = append(out, &(js_pending){store, JS_AT_ITERATION, NULL});
        }
    }
    return status;
}

/* is_kept: may the code of the innermost loop hold back what it stores? */
static int judge_all(running *at, bool is_kept, js_pending_places *out)
{
    int status = JS_OK;
    const js_region *innermost = at->line ? innermost_loop(at->flow, at->line) : NULL;
    bool is_hooked = at->scope.function->level >= JS_LEVEL_EXACT;
    for (size_t i = 0; innermost && i < at->flow->nstores && status == JS_OK; i++) {
        const js_store *store = &at->flow->stores[i];
        bool is_around = at->line >= store->loop_first && at->line <= store->loop_last;
        js_freshness how = is_around && may_be_fused(at, store) ? JS_AT_ITERATION : JS_IN_MEMORY;
        if (is_around && is_kept && !is_in_inner(at, store) &&
            (!is_hooked || at->scope.item || store->loop_first == innermost->first_test)) {
            status = at->lines ? JS_OK : find_lines(at);
            js_freshness kept = status ? JS_IN_MEMORY : look_at(at, store);
            how = kept > how ? kept : how;
        }
        if (how != JS_IN_MEMORY) {
            status = append(out, &(js_pending){*store, how, at->scope.item});
        }
    }
    return status;
}

static bool is_in_source_loop(const js_flow *flow, const js_store *store)
{
    bool found = store->loop_first != 0;
    for (size_t i = 0; i < flow->nregions && !found; i++) {
        const js_region *loop = &flow->regions[i];
        found =
            loop->kind == JS_REGION_LOOP && store->first >= loop->first_test && store->first <= loop->last;
    }
    return found;
}

/* Has the statement no row, where code above it has some? */
static bool is_left_out(const running *at, const js_store *store)
{
    const js_function *function = at->scope.function;
    bool is_below = false;
    for (size_t i = 0; i < function->nall_rows; i++) {
        uint32_t line = js_function_user_line(function, function->all_rows[i].line);
        if (line >= store->first && line <= store->last) {
            return false;
        }
        is_below |= line > function->line && line < store->first;
    }
    return is_below;
}

/* Marks the blocks that code of this block may lead to. */
static void mark_behind(const js_code *code, uint32_t from, uint8_t *behind, uint32_t *stack)
{
    size_t depth = 0;
    stack[depth++] = from;
    while (depth > 0) {
        const js_basic_block *block = &code->blocks[stack[--depth]];
        for (unsigned s = 0; s < 2; s++) {
            uint32_t next = block->successors[s];
            if (next != JS_CODE_NOWHERE && !behind[next]) {
                behind[next] = 1;
                stack[depth++] = next;
            }
        }
    }
}

/* Whether the one runs behind the other, `behind` being what the block of `first` leads to. */
static bool runs_behind(const running *at, const uint8_t *behind, uint32_t first, uint32_t second)
{
    const uint32_t *block_of = at->code.block_of;
    return behind[block_of[second]] || (block_of[first] == block_of[second] && second >= first);
}

/* Has the code of a statement in no loop stored, or is that still to come? */
static js_freshness look_at_moved(running *at, const js_store *store, const uint8_t *behind)
{
    const js_code *code = &at->code.code;
    bool has_frame = has_frame_pointer(code), has_any = false, is_late = false, is_early = false;
    uint8_t *later = js_arena_alloc(&at->code.scratch, code->nblocks + 1);
    uint32_t *stack = js_arena_alloc(&at->code.scratch, (code->nblocks + 1) * sizeof *stack);
    for (uint32_t i = 0; i < code->ninsns && later && stack; i++) {
        if (!is_of(at, store, i) || !stores_elsewhere(&code->insns[i], has_frame)) {
            continue;
        }
        has_any = true;
        is_late |= store->last < at->line && runs_behind(at, behind, at->insn, i);
        if (store->first > at->line) {
            memset(later, 0, code->nblocks + 1);
            mark_behind(code, at->code.block_of[i], later, stack);
            is_early |= i != at->insn && runs_behind(at, later, i, at->insn);
        }
    }
    bool is_known = later && stack && has_any;
    return !is_known ? JS_IN_MEMORY : is_late ? JS_LEFT_OUT : is_early ? JS_AHEAD : JS_IN_MEMORY;
}

/* Numba removes stores to an array that nothing else reads; LLVM makes one store of several, and exchanges
 * neighbours. */
static int find_moved(running *at, js_pending_places *out)
{
    const js_function *function = at->scope.function;
    bool is_whole = !at->scope.item && !function->parent && at->line;
    uint8_t *behind = NULL;
    int status = JS_OK;
    for (size_t i = 0; is_whole && i < at->flow->nstores && status == JS_OK; i++) {
        const js_store *store = &at->flow->stores[i];
        js_freshness how = JS_IN_MEMORY;
        if (store->kind != JS_STORE_ELEMENT || is_in_source_loop(at->flow, store)) {
            continue;
        }
        if (store->last < at->line && is_left_out(at, store)) {
            how = JS_LEFT_OUT;
        } else if (function->level != JS_LEVEL_STEPS && at->insn != JS_CODE_NOWHERE) {
            status = at->lines ? JS_OK : find_lines(at);
            size_t nblocks = at->code.code.nblocks + 1;
            uint32_t *stack = behind ? NULL : js_arena_alloc(&at->code.scratch, nblocks * sizeof *stack);
            if (stack && (behind = js_arena_alloc(&at->code.scratch, nblocks)) != NULL) {
                mark_behind(&at->code.code, at->code.block_of[at->insn], behind, stack);
            }
            how = status == JS_OK && at->lines && behind ? look_at_moved(at, store, behind) : JS_IN_MEMORY;
        }
        if (status == JS_OK && how != JS_IN_MEMORY) {
            status = append(out, &(js_pending){*store, how, NULL});
        }
    }
    return status;
}

static int judge(const js_program *program, const js_function *function, js_pending_places *out)
{
    running at = {.program = program, .scope = {.function = function}, .pc = out->pc};
    int status = js_line_loops_init(&at.code, function);
    at.insn = at.code.is_known ? js_line_insn(&at.code, at.pc) : JS_CODE_NOWHERE;
    uint32_t item = js_function_inline_at(function, at.pc);
    for (bool is_last = false; !is_last && status == JS_OK;) {
        const js_inline *inlined = item ? &function->inlines[item - 1] : NULL;
        is_last = !inlined;
        at.scope = (js_scope){.function = function, .item = inlined};
        at.flow = inlined ? js_pending_flow(program, function, inlined) : function->flow;
        at.line = line_at(&at, at.pc);
        at.lines = NULL;
        if (at.flow) {
            bool is_kept = function->level < JS_LEVEL_EXACT ? !function->has_homes : is_plain(&at);
            status = judge_all(&at, is_kept, out);
            status = status ? status : find_moved(&at, out);
            status = status ? status : find_filled(&at, out);
        }
        item = inlined ? inlined->parent : 0;
    }
    js_line_loops_deinit(&at.code);
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
