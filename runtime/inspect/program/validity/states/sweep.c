/* Goes from each instruction to the next, and notes the state of every local there as spans of addresses. */
#include "program/validity/states/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "program/source/formula.h"
#include "program/validity/locations/address_line.h"
#include "program/validity/order/order.h"
#include "program/validity/recovered/computed.h"
#include "program/validity/recovered/copies.h"
#include "program/validity/recovered/range_loops.h"
#include "program/validity/states/current_version.h"
#include "program/validity/states/spans.h"
#include "program/validity/states/values.h"

enum { COMPUTED_PARTS = 256 };

typedef struct sweep {
    js_local *local;
    uint8_t *is_assigned; /* for each block: code of a line that assigns the local, or of a later line, may
                             have run before it; NULL: not known */
    bool may_be_assigned; /* such code may have run before the current instruction */
    uint32_t first_line;  /* the first line that assigns the local */
    js_homes *homes;      /* NULL: a version was promoted to registers */
    uint32_t agreed_line, agreed_stretch; /* where js_order_agrees() was called last */
    bool agrees;                          /* its result there */
    size_t capacity;                      /* capacity of local->spans */
} sweep;

/* Return the first line that assigns the local; UINT32_MAX: none does. */
static uint32_t first_assigning(const js_flow *flow, const js_local *local)
{
    uint32_t first = UINT32_MAX;
    for (size_t i = 0; i < flow->ndefs; i++) {
        if (flow->defs[i].line < first && strcmp(flow->defs[i].name, local->name) == 0) {
            first = flow->defs[i].line;
        }
    }
    return first;
}

static bool is_after(const js_truth *truth, const sweep *ctx, uint32_t insn)
{
    return truth->insns.lines[insn] >= ctx->first_line &&
           !(truth->insns.is_moved && truth->insns.is_moved[insn]);
}

/* Fill is_assigned, forward over all edges from blocks that have the first line that assigns, or a later one.
 */
static int find_assigned(js_truth *truth, sweep *ctx)
{
    const js_code *code = &truth->machine.code;
    if (!truth->flow) {
        return JS_OK;
    }
    ctx->first_line = first_assigning(truth->flow, ctx->local);
    uint8_t *own = js_arena_alloc(&truth->scratch, code->nblocks + 1);
    ctx->is_assigned = js_arena_alloc(&truth->scratch, code->nblocks + 1);
    if (!own || !ctx->is_assigned) {
        return JS_ENOMEM;
    }
    for (size_t b = 0; b < code->nblocks; b++) {
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].first + code->blocks[b].count; i++) {
            own[b] |= is_after(truth, ctx, i);
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t o = 0; o < code->norder; o++) {
            uint32_t b = code->order[o];
            for (unsigned s = 0; s < 2 && (own[b] || ctx->is_assigned[b]); s++) {
                uint32_t to = code->blocks[b].successors[s];
                if (to != JS_CODE_NOWHERE && !ctx->is_assigned[to]) {
                    ctx->is_assigned[to] = 1;
                    changed = true;
                }
            }
        }
    }
    return JS_OK;
}

static bool agrees(js_truth *truth, sweep *ctx, const js_point *point)
{
    uint32_t line = point->line;
    size_t insn = point->insn;
    uint32_t stretch = js_order_stretch(truth->order, insn);
    if (!js_order_matters(truth) || js_order_is_asked(truth->order, insn)) {
        return true;
    }
    if (stretch == JS_CODE_NOWHERE || ctx->agreed_stretch != stretch || ctx->agreed_line != line) {
        ctx->agrees = js_order_agrees(truth->order, truth, insn, line, ctx->local->name);
        ctx->agreed_stretch = stretch;
        ctx->agreed_line = line;
    }
    return ctx->agrees;
}

typedef struct spot { /* the point at which locals are judged */
    js_truth *truth;
    sweep *sweeps; /* one for each local */
    js_point point;
} spot;

static bool reaches(const js_flow_at *fact, uint32_t id)
{
    for (size_t i = 0; i < fact->ndefs; i++) {
        if (fact->defs[i] == id) {
            return true;
        }
    }
    return false;
}

static bool assigns_literal(const js_flow *flow, uint32_t line)
{
    for (size_t i = 0; i < flow->ndefs; i++) {
        if (flow->defs[i].line == line && flow->defs[i].literal) {
            return true;
        }
    }
    return false;
}

/* True if one assignment reaches the line, and is in a loop with the line. Numba makes one kernel of several
 * loops, and what another loop has assigned is not complete there. */
static bool is_of_iteration(const js_flow *flow, const js_flow_at *fact, uint32_t line)
{
    const js_flow_def *def =
        fact && fact->ndefs == 1 && !fact->maybe_unassigned ? js_flow_def_by_id(flow, fact->defs[0]) : NULL;
    return def && js_order_share_loop(flow, def->line, line);
}

/* True in a parallel function that keeps its variables in memory if the local is assigned later. Numba moves
 * constants of later lines before a loop. In a kernel each iteration begins anew, and arrays that are filled
 * in it are made before their lines. */
static bool is_to_come(const spot *where, const sweep *ctx, uint32_t line)
{
    const js_truth *truth = where->truth;
    const js_function *function = truth->function;
    if (!truth->is_plain || !truth->flow || (!function->region.parent && !function->starts_region)) {
        return false;
    }
    const js_flow_at *fact = js_flow_find(truth->flow, line, ctx->local->name);
    if (ctx->local->versions[0]->is_index && js_range_loops_is_kernels(truth, fact, where->point.insn)) {
        return false;
    }
    if (!ctx->local->is_argument && where->point.insn != JS_CODE_NOWHERE &&
        (js_order_is_early(truth->order, where->point.insn) || assigns_literal(truth->flow, line))) {
        return true;
    }
    if (!function->region.parent) {
        return !js_order_is_kept(truth->order, truth, where->point.insn, line, ctx->local->name);
    }
    if (where->point.insn != JS_CODE_NOWHERE && truth->insns.is_moved &&
        truth->insns.is_moved[where->point.insn]) {
        return true; /* the program is not at the line of its code */
    }
    if (!ctx->local->is_argument && !is_of_iteration(truth->flow, fact, line)) {
        return true;
    }
    bool is_any = false;
    for (size_t i = 0; i < truth->flow->ndefs; i++) {
        const js_flow_def *def = &truth->flow->defs[i];
        if (strcmp(def->name, ctx->local->name) != 0) {
            continue;
        }
        is_any = true;
        if (def->line < line && (!fact || reaches(fact, def->id))) {
            return false;
        }
    }
    return is_any;
}

/* True if the local is certainly assigned before the line. */
static bool is_surely_assigned(const js_truth *truth, const js_local *local, uint32_t line)
{
    const js_flow_at *fact = truth->flow ? js_flow_find(truth->flow, line, local->name) : NULL;
    return fact && fact->ndefs > 0 && !fact->maybe_unassigned &&
           !js_flow_is_hidden(truth->flow, line, local->name);
}

static void judge_place(const spot *where, sweep *ctx, js_verdict *out)
{
    js_truth *truth = where->truth;
    js_point point = where->point;
    uint32_t line = point.line = js_order_line(truth, ctx->local, point.line);
    out->state = JS_STATE_UNKNOWN;
    out->version = NULL;
    out->reason = NULL;
    out->computed = NULL;
    out->needs_zero_check = false;
    out->expr.size = 0;
    js_truth_judge(truth, ctx->local, ctx->homes, &point, agrees(truth, ctx, &point), out);
    bool is_moved = where->point.insn != JS_CODE_NOWHERE && truth->insns.is_moved &&
                    truth->insns.is_moved[where->point.insn];
    if (out->state == JS_STATE_UNASSIGNED && (is_moved || is_surely_assigned(truth, ctx->local, line))) {
        out->state = JS_STATE_UNKNOWN; /* the program is not at the line of its code */
        out->reason = "moved by the compiler";
    }
    bool has_no_place = ctx->local->versions[0]->is_absent && out->state == JS_STATE_OPTIMIZED_OUT;
    if (!has_no_place && is_to_come(where, ctx, line)) {
        out->state = JS_STATE_UNKNOWN;
        out->version = NULL;
        out->reason = "assigned after this line, or code was moved here";
    }
    if (out->state == JS_STATE_UNASSIGNED && where->point.insn != JS_CODE_NOWHERE && ctx->may_be_assigned) {
        out->state = JS_STATE_UNKNOWN; /* code at the end, such as clean-up, may have an early line */
        out->version = NULL;
        out->reason = "code of its assignment may have run";
    }
}

/* Return the source's formula for the local at this point; NULL: it has none, or it may not hold here. */
static const js_flow_at *computation(const spot *where, const sweep *ctx)
{
    js_truth *truth = where->truth;
    uint32_t line = js_order_line(truth, ctx->local, where->point.line);
    const js_flow_at *fact = truth->flow ? js_flow_find(truth->flow, line, ctx->local->name) : NULL;
    bool has_formula = fact && fact->computed && !js_flow_is_hidden(truth->flow, line, ctx->local->name);
    return has_formula && js_order_computes(truth->order, truth, where->point.insn, fact) ? fact : NULL;
}

/* Like computation(), but NULL if the verdict is exact and certainly has a value at run time. */
static const js_flow_at *computation_for(const spot *where, const sweep *ctx, const js_verdict *verdict)
{
    bool is_exact = verdict->state == JS_STATE_EXACT;
    const js_flow_at *fact = is_exact && !verdict->needs_zero_check ? NULL : computation(where, ctx);
    return fact && is_exact && js_formula_has(fact->computed, JS_FORMULA_NONE) ? NULL : fact;
}

static bool find(void *context, const js_node *name, js_verdict *out)
{
    const spot *where = context;
    const js_function *function = where->truth->function;
    for (size_t k = 0; k < function->nlocals; k++) {
        sweep *ctx = &where->sweeps[k];
        if (strcmp(ctx->local->name, js_formula_text(name)) != 0) {
            continue;
        }
        if (js_formula_kind_of(name) == JS_FORMULA_ENTRY) {
            return js_truth_put_entry(where->truth, ctx->local, &where->point, out);
        }
        judge_place(where, ctx, out);
        const js_flow_at *fact = computation_for(where, ctx, out);
        if (fact) {
            out->version = js_truth_computed_version(where->truth, ctx->local, fact);
            out->computed = fact->computed;
            out->needs_zero_check = false;
        }
        return out->version && (fact || out->state == JS_STATE_EXACT);
    }
    return false;
}

static int judge(const spot *where, sweep *ctx, uint64_t hi)
{
    js_verdict verdict;
    judge_place(where, ctx, &verdict);
    const js_flow_at *fact = computation_for(where, ctx, &verdict);
    const js_variable *version = fact ? js_truth_computed_version(where->truth, ctx->local, fact) : NULL;
    js_finder finder = {find, (void *)where, COMPUTED_PARTS};
    js_expr made;
    if (version && js_truth_compute(where->truth, version, fact->computed, &finder, &made)) {
        verdict.expr = made;
        verdict.state = JS_STATE_EXACT;
        verdict.needs_zero_check = false;
        verdict.version = version; /* the reason stays, and is shown where the expression has no value */
        verdict.computed = fact->computed;
    }
    return js_span_add(where->truth, ctx->local, &ctx->capacity, where->point.pc, hi, &verdict);
}

/* Judge all locals at each instruction of a block, so that the machine code is run only once. */
static int sweep_block(js_truth *truth, sweep *sweeps, uint32_t b)
{
    const js_basic_block *block = &truth->machine.code.blocks[b];
    size_t nlocals = truth->function->nlocals;
    bool reached = block->order != JS_CODE_NOWHERE;
    js_held *kept = NULL;
    if (reached) {
        js_track_enter(&truth->machine.track, b);
    }
    if (reached && truth->copies) {
        js_copies_enter(truth->copies, b);
    }
    for (size_t k = 0; reached && k < nlocals; k++) {
        if (sweeps[k].homes) {
            js_homes_enter(sweeps[k].homes, b);
        }
        sweeps[k].may_be_assigned = sweeps[k].is_assigned && sweeps[k].is_assigned[b];
    }
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        const js_insn *insn = &truth->machine.code.insns[i];
        size_t known = reached ? i : JS_CODE_NOWHERE;
        bool calls = reached && insn->op == JS_OP_CALL && insn->length > 1;
        uint64_t end = insn->address + insn->length;
        spot where = {truth, sweeps, {insn->address, known, truth->insns.lines[i], false}};
        for (size_t k = 0; k < nlocals && insn->length > 0; k++) {
            int status = judge(&where, &sweeps[k], calls ? end - 1 : end);
            if (status != JS_OK) {
                return status;
            }
        }
        if (calls) { /* a waiting frame is looked up at the call's last byte; registers may be gone */
            kept =
                kept ? kept : js_arena_alloc(&truth->scratch, truth->machine.track.nplaces * sizeof(*kept));
            if (!kept) {
                return JS_ENOMEM;
            }
            memcpy(kept, truth->machine.track.now, truth->machine.track.nplaces * sizeof(*kept));
            js_track_call(&truth->machine.track);
            where.point.pc = end - 1;
            where.point.older = true;
            for (size_t k = 0; k < nlocals; k++) {
                int status = judge(&where, &sweeps[k], end);
                if (status != JS_OK) {
                    return status;
                }
            }
            memcpy(truth->machine.track.now, kept, truth->machine.track.nplaces * sizeof(*kept));
        }
        if (reached) {
            js_track_step(&truth->machine.track, i);
        }
        if (reached && truth->copies) {
            js_copies_step(truth->copies, i);
        }
        for (size_t k = 0; reached && k < nlocals; k++) {
            if (sweeps[k].homes) {
                js_homes_step(sweeps[k].homes, i);
            }
            sweeps[k].may_be_assigned |= sweeps[k].is_assigned && is_after(truth, &sweeps[k], i);
        }
    }
    return JS_OK;
}

static int order_addresses(const void *left, const void *right)
{
    uint64_t l = *(const uint64_t *)left, r = *(const uint64_t *)right;
    return l < r ? -1 : l > r;
}

/* Judge a local without machine code, at each begin of a row or a location. */
static int sweep_rows(js_truth *truth, sweep *sweeps, sweep *ctx)
{
    const js_function *function = truth->function;
    const js_local *local = ctx->local;
    size_t count = function->lines.nrows + 2, used = 0;
    for (size_t v = 0; v < local->nversions; v++) {
        count += 2 * local->versions[v]->nlocations;
    }
    uint64_t *borders = js_arena_alloc(&truth->scratch, count * sizeof(*borders));
    if (!borders) {
        return JS_ENOMEM;
    }
    borders[used++] = function->lo;
    borders[used++] = function->hi;
    for (size_t i = 0; i < function->lines.nrows; i++) {
        borders[used++] = function->lines.rows[i].address;
    }
    for (size_t v = 0; v < local->nversions; v++) {
        for (size_t l = 0; l < local->versions[v]->nlocations; l++) {
            borders[used++] = local->versions[v]->locations[l].lo;
            borders[used++] = local->versions[v]->locations[l].hi;
        }
    }
    qsort(borders, used, sizeof(*borders), order_addresses);
    for (size_t i = 0; i + 1 < used; i++) {
        uint64_t lo = borders[i], hi = borders[i + 1];
        if (lo < function->lo || hi > function->hi || lo >= hi) {
            continue;
        }
        /* the frame may wait for a callee, which may have changed registers, as the calls are not known */
        spot where = {truth, sweeps, {lo, JS_CODE_NOWHERE, js_truth_line(function, lo), true}};
        int status = judge(&where, ctx, hi);
        if (status != JS_OK) {
            return status;
        }
    }
    return JS_OK;
}

int js_truth_sweep(js_truth *truth)
{
    js_function *function = truth->function;
    js_order order;
    int status = js_order_init(&order, truth);
    truth->order = &order;
    status = status == JS_OK ? js_range_loops_init(truth) : status;
    sweep *sweeps = js_arena_alloc(&truth->scratch, (function->nlocals + 1) * sizeof(*sweeps));
    if (!sweeps) {
        return JS_ENOMEM;
    }
    for (size_t k = 0; k < function->nlocals && status == JS_OK; k++) {
        sweeps[k].local = &function->locals[k];
        status = js_homes_init(&sweeps[k].homes, truth, &function->locals[k]);
        if (status == JS_EUNSUP || status == JS_ELIMIT) {
            sweeps[k].homes = NULL;
            status = JS_OK;
        }
        if (status == JS_OK && truth->machine.is_followed) {
            status = find_assigned(truth, &sweeps[k]);
        }
    }
    if (!truth->machine.is_followed) {
        for (size_t k = 0; k < function->nlocals && status == JS_OK; k++) {
            status = sweep_rows(truth, sweeps, &sweeps[k]);
        }
        return status;
    }
    js_homes **homes = js_arena_alloc(&truth->scratch, (function->nlocals + 1) * sizeof(js_homes *));
    for (size_t k = 0; homes && k < function->nlocals; k++) {
        homes[k] = sweeps[k].homes;
    }
    status = !homes ? JS_ENOMEM : status == JS_OK ? js_copies_init(&truth->copies, truth, homes) : status;
    for (uint32_t b = 0; b < truth->machine.code.nblocks && status == JS_OK; b++) {
        status = sweep_block(truth, sweeps, b);
    }
    return status;
}
