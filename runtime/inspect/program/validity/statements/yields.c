/* Finds the lines at which a generator of stock code waits. Before it returns at a yield, it stores the
 * number of the yield at the begin of its frame (numba/core/generators.py, LowerYield); the line of the store
 * is that of the yield. */
#include "program/validity/statements/yields.h"

#include <string.h>

enum {
    GENERAL_RDX = 1
}; /* the third argument, which is the frame, after those of program/names/numba/return_convention.h */

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

/* Add a yield's number with its line; a number that is seen with two lines gets line 0. */
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

/* Keep the stops with a known line, in order; returns their number. */
static size_t keep_known(js_generator_stop *stops, size_t count)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        if (stops[i].line) {
            stops[known++] = stops[i];
        }
    }
    return known;
}

int js_truth_find_yields(js_types *types, js_truth *truth)
{
    enum { ARGUMENTS = 64 };
    const js_function *function = truth->function;
    js_generator_stop stops[JS_GENERATOR_STOPS];
    const char *names[ARGUMENTS];
    if (function->name.kind != JS_NAME_GENERATOR_NEXT || !*function->name.generator) {
        return JS_OK;
    }
    js_generator_facts facts = {.stops = stops, .arguments = names};
    facts.nstops = truth->machine.is_followed ? find_stops(truth, stops) : 0;
    facts.nstops = keep_known(stops, facts.nstops);
    size_t narguments = truth->flow ? truth->flow->narguments : 0;
    for (; facts.narguments < narguments && facts.narguments < ARGUMENTS; facts.narguments++) {
        names[facts.narguments] = truth->flow->defs[facts.narguments].name;
    }
    return facts.nstops || facts.narguments ? js_types_set_stops(types, function->name.generator, &facts)
                                            : JS_OK;
}
