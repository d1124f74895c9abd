/* Finds code after the body of a `finally`. Python's compiler repeats that body on each path through it. The
 * code that then raises the exception again has the body's last line, and a `continue` or `break` that runs
 * the body first has its code after the body. Neither code is about to do what its line says. */
#include <stdlib.h>
#include <string.h>

#include "program/machine/relocated_calls.h"
#include "program/names/numba/variable_names.h"
#include "program/source/definitions.h"
#include "program/validity/locations/home.h"
#include "program/validity/statements/rows.h"

enum { GENERAL_RSI = 4 }; /* the second argument: where the caller asks for exceptions */
enum { NO_VARIABLE = UINT32_MAX };

typedef struct reader {
    js_truth *truth;
    js_extent *homes; /* for each variable: its home; empty: none */
    uint32_t *sites;  /* for each variable: number of stores of another value than new zeros */
    uint32_t *zeroed; /* for each variable: the first instruction, + 1, that stores zeros at its line */
    uint32_t *stored; /* for each instruction: the variable that it stores, or NO_VARIABLE */
    uint8_t *is_zero; /* for each instruction: it stores zeros */
    uint32_t *tests;  /* values that are true if there is an exception */
    size_t ntests;
    uint8_t *works;
    uint8_t tested; /* 1 + the register in which such a value is being made; 0: none */
} reader;

static bool is_excinfo(const reader *ctx, const js_place *place)
{
    const js_held *held = place->reg < JS_CODE_VECTOR ? &ctx->truth->machine.track.now[place->reg] : NULL;
    return place->kind == JS_PLACE_MEMORY && place->value == 0 && place->index == JS_CODE_REGISTERS && held &&
           held->value == JS_VALUE_ENTRY + GENERAL_RSI && held->width >= 8;
}

static bool is_near(const js_place *place)
{
    return place->kind != JS_PLACE_MEMORY && place->kind != JS_PLACE_INDEXED;
}

static int64_t frame_offset(const reader *ctx, uint32_t insn, const js_place *place)
{
    return place->kind == JS_PLACE_FRAME
               ? js_track_offset(&ctx->truth->machine.track, insn, place->reg, place->value)
               : JS_TRACK_NOWHERE;
}

/* True if the instruction only tests whether there is an exception. */
static bool is_test(const reader *ctx, uint32_t index, const js_insn *insn)
{
    int64_t offset = frame_offset(ctx, index, &insn->from);
    uint32_t place =
        offset == JS_TRACK_NOWHERE ? JS_PLACE_ABSENT : js_track_place(&ctx->truth->machine.track, offset);
    if (insn->from.kind == JS_PLACE_NONE && insn->read && (insn->read & (insn->read - 1)) == 0) {
        place = (uint32_t)__builtin_ctzll(insn->read);
    }
    bool found = false;
    for (size_t i = 0; i < ctx->ntests && !found && place != JS_PLACE_ABSENT; i++) {
        found = ctx->tests[i] == ctx->truth->machine.track.now[place].value;
    }
    return found;
}

/* True for an instruction of the test whether there is an exception, which follows all code that may raise:
 * the exception is compared, the result is negated, stored in a word of the frame, and tested there. */
static bool asks(reader *ctx, uint32_t index, const js_insn *insn)
{
    if (insn->to.kind == JS_PLACE_NONE && is_excinfo(ctx, &insn->from)) {
        ctx->tested = JS_CODE_REGISTERS + 1; /* the next instruction shows which register it is */
        return true;
    }
    if (insn->to.kind == JS_PLACE_NONE) {
        return is_test(ctx, index, insn);
    }
    bool goes_on = ctx->tested && insn->to.kind == JS_PLACE_REGISTER && insn->from.kind == JS_PLACE_NONE &&
                   insn->to.size == 1 && insn->extra_to == JS_PLACE_NONE &&
                   (ctx->tested > JS_CODE_REGISTERS || ctx->tested == insn->to.reg + 1);
    ctx->tested = goes_on ? insn->to.reg + 1 : 0;
    return goes_on;
}

/* True if instruction `index` counts the `try`s that the program is in, in a word of the frame. */
static bool counts(const js_code *code, uint32_t index)
{
    const js_insn *insn = &code->insns[index];
    if ((insn->step != 1 && insn->step != -1) || index == 0 || index + 1 >= code->ninsns) {
        return false;
    }
    const js_insn *load = insn - 1, *store = insn + 1;
    return load->op == JS_OP_MOVE && load->from.kind == JS_PLACE_FRAME &&
           load->to.kind == JS_PLACE_REGISTER && store->op == JS_OP_MOVE &&
           store->to.kind == JS_PLACE_FRAME && store->from.kind == JS_PLACE_REGISTER &&
           load->to.reg == insn->to.reg && store->from.reg == insn->to.reg &&
           load->from.reg == store->to.reg && load->from.value == store->to.value;
}

static bool is_quiet(reader *ctx, uint32_t first, uint32_t index)
{
    const js_truth *truth = ctx->truth;
    const js_insn *insn = &truth->machine.code.insns[index];
    bool is_constant = insn->from.kind == JS_PLACE_VALUE; /* a `mov` has set the register */
    const char *called;
    switch (insn->op == JS_OP_OTHER && is_constant ? JS_OP_MOVE : insn->op) {
    case JS_OP_MOVE:
    case JS_OP_ZERO:
        if (ctx->tested && insn->to.kind == JS_PLACE_FRAME && insn->from.kind == JS_PLACE_REGISTER &&
            insn->from.reg + 1 == ctx->tested) {
            uint32_t value = truth->machine.track.now[insn->from.reg].value;
            ctx->tests[ctx->ntests] = value;
            ctx->ntests += value > JS_VALUE_ZERO;
            ctx->tested = 0;
        }
        return insn->extra_to == JS_PLACE_NONE && is_near(&insn->from) &&
               (is_near(&insn->to) || is_excinfo(ctx, &insn->to));
    case JS_OP_CALL:
        called = js_reference_called_from(truth->object, &truth->machine.code, first, index);
        return called && js_numba_counts_references(called);
    case JS_OP_OTHER:
        return asks(ctx, index, insn) || counts(&truth->machine.code, index);
    case JS_OP_JUMP:
    case JS_OP_BRANCH:
    case JS_OP_END:
    case JS_OP_PAD:
        return true;
    default:
        return false;
    }
}

static void note_store(reader *ctx, uint32_t first, uint32_t index)
{
    const js_insn *insn = &ctx->truth->machine.code.insns[index];
    int64_t offset = frame_offset(ctx, index, &insn->to);
    uint32_t place =
        offset == JS_TRACK_NOWHERE ? JS_PLACE_ABSENT : js_track_place(&ctx->truth->machine.track, offset);
    ctx->stored[index] = NO_VARIABLE;
    for (size_t v = 0; place != JS_PLACE_ABSENT && v < ctx->truth->function->nvariables; v++) {
        if (ctx->homes[v].lo == offset && ctx->homes[v].hi > offset) {
            ctx->stored[index] = (uint32_t)v;
            ctx->is_zero[index] = ctx->truth->machine.track.now[place].value == JS_VALUE_ZERO;
            ctx->sites[v] += !ctx->is_zero[index] ||
                             js_code_copied_by(&ctx->truth->machine.code, first, index) != JS_CODE_NOWHERE;
            bool is_own = ctx->truth->function->variables[v].line == ctx->truth->insns.lines[index];
            ctx->zeroed[v] = ctx->is_zero[index] && is_own && !ctx->zeroed[v] ? index + 1 : ctx->zeroed[v];
        }
    }
}

static bool gives_zero(const js_flow *flow, const char *name, uint32_t line)
{
    bool found = false;
    for (size_t i = 0; i < flow->ndefs && !found; i++) {
        const js_flow_def *def = &flow->defs[i];
        found = def->line == line && strcmp(def->name, name) == 0 && def->literal &&
                strtod(def->literal, NULL) == 0;
    }
    return found;
}

/* True if the instruction stores what the statement of its line assigns. A version that joins others is
 * stored on each of the paths that meet. */
static bool assigns(const reader *ctx, uint32_t index)
{
    const js_flow *flow = ctx->truth->flow;
    uint32_t v = ctx->stored[index], line = ctx->truth->insns.lines[index];
    if (v == NO_VARIABLE || ctx->sites[v] > 1 || ctx->truth->function->variables[v].line != line) {
        return false;
    }
    const char *name = ctx->truth->function->variables[v].base;
    /* a variable that is assigned zero is given up later */
    return ctx->is_zero[index] ? gives_zero(flow, name, line) && index < ctx->zeroed[v]
                               : js_flow_is_def(flow, name, line);
}

static void read_works(reader *ctx)
{
    js_truth *truth = ctx->truth;
    const js_code *code = &truth->machine.code;
    for (size_t o = 0; o < code->norder; o++) {
        const js_basic_block *block = &code->blocks[code->order[o]];
        js_track_enter(&truth->machine.track, code->order[o]);
        ctx->tested = 0;
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            ctx->works[i] = !is_quiet(ctx, block->first, i);
            js_track_step(&truth->machine.track, i);
            note_store(ctx, block->first, i);
        }
    }
    for (size_t o = 0; o < code->norder; o++) {
        const js_basic_block *block = &code->blocks[code->order[o]];
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            ctx->works[i] |= assigns(ctx, i);
        }
    }
}

int js_quiet_init(js_quiet *quiet, js_truth *truth)
{
    const js_function *function = truth->function;
    size_t ninsns = truth->machine.code.ninsns;
    js_arena *scratch = &truth->scratch;
    reader ctx = {.truth = truth};
    ctx.homes = js_arena_alloc(scratch, (function->nvariables + 1) * sizeof(*ctx.homes));
    ctx.sites = js_arena_alloc(scratch, (function->nvariables + 1) * sizeof(*ctx.sites));
    ctx.zeroed = js_arena_alloc(scratch, (function->nvariables + 1) * sizeof(*ctx.zeroed));
    ctx.stored = js_arena_alloc(scratch, (ninsns + 1) * sizeof(*ctx.stored));
    ctx.is_zero = js_arena_alloc(scratch, ninsns + 1);
    ctx.tests = js_arena_alloc(scratch, (ninsns + 1) * sizeof(*ctx.tests));
    ctx.works = js_arena_alloc(scratch, ninsns + 1);
    quiet->truth = truth;
    quiet->works = ctx.works;
    quiet->seen = js_arena_alloc(scratch, truth->machine.code.nblocks + 1);
    quiet->waiting = js_arena_alloc(scratch, (truth->machine.code.nblocks + 1) * sizeof(*quiet->waiting));
    if (!ctx.homes || !ctx.sites || !ctx.zeroed || !ctx.stored || !ctx.is_zero || !ctx.tests || !ctx.works ||
        !quiet->seen || !quiet->waiting) {
        return JS_ENOMEM;
    }
    for (size_t v = 0; v < function->nvariables; v++) {
        if (!js_truth_home(truth, &function->variables[v], &ctx.homes[v])) {
            ctx.homes[v] = (js_extent){0, 0};
        }
    }
    read_works(&ctx);
    return JS_OK;
}

bool js_quiet_leads_to(js_quiet *quiet, uint64_t address, uint32_t first, uint32_t last)
{
    const js_truth *truth = quiet->truth;
    const js_code *code = &truth->machine.code;
    uint32_t insn = js_code_find(code, address);
    size_t nwaiting = 0;
    if (insn == JS_CODE_NOWHERE) {
        return true;
    }
    memset(quiet->seen, 0, code->nblocks);
    for (uint32_t b = js_code_block(code, insn);;
         b = quiet->waiting[--nwaiting], insn = code->blocks[b].first) {
        const js_basic_block *block = &code->blocks[b];
        while (insn < block->first + block->count && !quiet->works[insn]) {
            insn++;
        }
        if (insn < block->first + block->count) {
            if (truth->insns.lines[insn] >= first && truth->insns.lines[insn] <= last) {
                return true;
            }
        } else {
            for (unsigned s = 0; s < 2; s++) {
                uint32_t to = block->successors[s];
                if (to != JS_CODE_NOWHERE && !quiet->seen[to]) {
                    quiet->seen[to] = 1;
                    quiet->waiting[nwaiting++] = to;
                }
            }
        }
        if (nwaiting == 0) {
            return false;
        }
    }
}
