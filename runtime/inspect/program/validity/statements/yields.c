/* The lines at which a generator of stock code waits. Before it returns at a yield it stores the number of
 * that yield where its frame begins (numba/core/generators.py, LowerYield): the line of the store is the
 * yield's. */
#include "program/validity/statements/yields.h"

#include <string.h>

enum {
    GENERAL_RDX = 1
}; /* the third argument, behind those of program/names/numba/return_convention.h: the frame */

static bool may_suspend(const js_insn *insn)
{
    const js_place *to = &insn->to;
    return insn->op == JS_OP_OTHER && insn->width == 4 && to->kind == JS_PLACE_MEMORY && to->value == 0 &&
           to->reg < JS_CODE_VECTOR && to->index == JS_CODE_REGISTERS && insn->from.kind == JS_PLACE_VALUE &&
           insn->from.value > 0;
}

static bool is_frame(const js_track *track, unsigned reg)
{
    return track->now[reg].value == JS_VALUE_ENTRY + GENERAL_RDX && track->now[reg].width >= 8;
}

static uint32_t line_of(const js_function *function, uint64_t address)
{
    uint32_t line = 0;
    for (size_t i = 0; i < function->lines.nrows && function->lines.rows[i].address <= address; i++) {
        line = function->lines.rows[i].line;
    }
    return line;
}

/* Two lines of one number: neither. */
static void add(js_generator_stop *stops, size_t *count, unsigned index, uint32_t line)
{
    for (size_t i = 0; i < *count; i++) {
        if (stops[i].index == index) {
            stops[i].line = stops[i].line == line ? line : 0;
            return;
        }
    }
    if (*count < JS_GENERATOR_STOPS) {
        stops[(*count)++] = (js_generator_stop){index, line, ""};
    }
}

enum { WORDS = 8 };

/* Where the frame's address is for the whole of a function: in registers that only its first block writes,
 * and in words of the stack that only that block does. */
typedef struct kept {
    uint64_t always; /* registers */
    struct kept_word {
        uint8_t base;
        int64_t value;
        bool is_lost;
    } words[WORDS];
    size_t nwords;
} kept;

static uint64_t bit_of(unsigned reg)
{
    return (uint64_t)1 << reg;
}

static bool is_word(const js_place *place, const kept *at)
{
    bool found = false;
    for (size_t i = 0; place->kind == JS_PLACE_FRAME && i < at->nwords && !found; i++) {
        const struct kept_word *word = &at->words[i];
        found = !word->is_lost && place->reg == word->base && place->value == word->value;
    }
    return found;
}

/* The registers in `held` that hold the frame's address behind this instruction, too. */
static uint64_t step(const js_insn *insn, uint64_t held, const kept *at)
{
    bool is_copy = insn->op == JS_OP_MOVE && insn->width == 8 && insn->to.kind == JS_PLACE_REGISTER &&
                   ((insn->from.kind == JS_PLACE_REGISTER && (held & bit_of(insn->from.reg))) ||
                    is_word(&insn->from, at));
    held &= ~insn->written;
    held &= insn->op == JS_OP_CALL ? ~js_code_call_clobbers() : UINT64_MAX;
    held &= insn->to.kind == JS_PLACE_REGISTER ? ~bit_of(insn->to.reg) : UINT64_MAX;
    return is_copy ? held | bit_of(insn->to.reg) : held;
}

static bool touches(const js_place *place, const struct kept_word *word)
{
    return place->kind == JS_PLACE_INDEXED ||
           (place->kind == JS_PLACE_FRAME && place->reg == word->base && place->value < word->value + 8 &&
            place->value + (place->size ? place->size : 64) > word->value);
}

static kept find_kept(const js_code *code)
{
    const js_basic_block *entry = &code->blocks[0];
    kept at = {0};
    uint64_t held = bit_of(GENERAL_RDX), written = 0;
    for (uint32_t i = entry->first; i < entry->first + entry->count; i++) {
        const js_insn *insn = &code->insns[i];
        if (insn->op == JS_OP_STACK || insn->op == JS_OP_PUSH || insn->op == JS_OP_ALIGN) {
            at.nwords = 0;
        }
        if (at.nwords < WORDS && insn->op == JS_OP_MOVE && insn->width == 8 &&
            insn->to.kind == JS_PLACE_FRAME && insn->from.kind == JS_PLACE_REGISTER &&
            (held & bit_of(insn->from.reg))) {
            at.words[at.nwords++] = (struct kept_word){insn->to.reg, insn->to.value, false};
        }
        held = step(insn, held, &at);
    }
    for (size_t w = 0; w < at.nwords; w++) {
        uint32_t stores = 0;
        for (size_t i = 0; i < code->ninsns; i++) {
            const js_insn *insn = &code->insns[i];
            stores +=
                touches(&insn->to, &at.words[w]) || (insn->extra_to && touches(&insn->from, &at.words[w]));
        }
        at.words[w].is_lost = stores != 1;
    }
    for (size_t i = 0; i < code->ninsns; i++) {
        const js_insn *insn = &code->insns[i];
        bool is_entry = i >= entry->first && i < (size_t)entry->first + entry->count;
        written |= is_entry || insn->op == JS_OP_POP ? 0 : insn->written;
        written |= insn->op == JS_OP_CALL ? js_code_call_clobbers() : 0;
    }
    at.always = held & ~written;
    return at;
}

/* Like find_stops, for code that jumps through a table, which nothing follows: block by block. */
static size_t find_stops_apart(const js_truth *truth, js_generator_stop *stops)
{
    const js_code *code = &truth->machine.code;
    size_t count = 0;
    if (!code->nblocks) {
        return 0;
    }
    const kept at = find_kept(code);
    for (size_t b = 1; b < code->nblocks; b++) {
        const js_basic_block *block = &code->blocks[b];
        kept here = at;
        uint64_t held = at.always;
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            const js_insn *insn = &code->insns[i];
            if (insn->op == JS_OP_STACK || insn->op == JS_OP_PUSH || insn->op == JS_OP_POP) {
                here.nwords = 0; /* they are elsewhere by this register */
            }
            if (may_suspend(insn) && (held & bit_of(insn->to.reg))) {
                add(stops, &count, (unsigned)insn->from.value, line_of(truth->function, insn->address));
            }
            held = step(insn, held, &here) | at.always;
        }
    }
    return count;
}

static size_t find_stops(js_truth *truth, js_generator_stop *stops)
{
    const js_code *code = &truth->machine.code;
    js_track *track = &truth->machine.track;
    size_t count = 0;
    for (size_t b = 0; b < code->nblocks; b++) {
        const js_basic_block *block = &code->blocks[b];
        if (block->order == JS_CODE_NOWHERE) {
            continue;
        }
        js_track_enter(track, (uint32_t)b);
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            const js_insn *insn = &code->insns[i];
            if (may_suspend(insn) && is_frame(track, insn->to.reg)) {
                add(stops, &count, (unsigned)insn->from.value, line_of(truth->function, insn->address));
            }
            js_track_step(track, i);
        }
    }
    return count;
}

/* Those of which one line is told. */
static size_t keep_told(js_generator_stop *stops, size_t count)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        if (stops[i].line) {
            stops[known++] = stops[i];
        }
    }
    return known;
}

int js_truth_stops(js_types *types, js_truth *truth)
{
    enum { ARGUMENTS = 64 };
    const js_function *function = truth->function;
    js_generator_stop stops[JS_GENERATOR_STOPS];
    const char *names[ARGUMENTS];
    if (function->name.kind != JS_NAME_GENERATOR_NEXT || !*function->name.generator) {
        return JS_OK;
    }
    js_generator_told told = {.stops = stops, .arguments = names};
    told.nstops = truth->machine.is_followed ? find_stops(truth, stops) : find_stops_apart(truth, stops);
    told.nstops = keep_told(stops, told.nstops);
    size_t narguments = truth->flow ? truth->flow->narguments : 0;
    for (; told.narguments < narguments && told.narguments < ARGUMENTS; told.narguments++) {
        names[told.narguments] = truth->flow->defs[told.narguments].name;
    }
    return told.nstops || told.narguments ? js_types_set_stops(types, function->name.generator, &told)
                                          : JS_OK;
}
