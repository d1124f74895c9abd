/* Finds the words of ranges. Unoptimised code has the next number in a word of its own, which stays after the
 * loop. That word minus the step is the number that the loop gave last, even if the variable has been
 * cleared. */
#include "program/validity/recovered/range_loops.h"

#include <string.h>

#include "program/names/numba/iterators.h"
#include "program/validity/locations/home.h"
#include "program/validity/locations/scalar_kind.h"
#include "program/validity/order/order.h"
#include "program/validity/recovered/range_loop.h"
#include "program/validity/variables/versions.h"

/* True if the definition is the index of the loop that the kernel was made from. */
static bool is_kernels(const js_truth *truth, const js_flow_def *def)
{
    const js_function *function = truth->function;
    const js_region *loop = js_flow_loop(truth->flow, def->line);
    for (size_t i = 0; function->region.parent && i < truth->flow->nregions; i++) {
        const js_region *around = &truth->flow->regions[i];
        if (around->kind == JS_REGION_LOOP && around->first_test >= function->region.line && loop != around &&
            loop && loop->first_test >= around->first && loop->first_test <= around->last) {
            return false;
        }
    }
    return function->region.parent && def->is_parallel && loop && def->line >= function->region.line;
}

/* True if the line is that of the loop's header. A kernel's own loop is in the template, whose lines are
 * before all of the user's. */
static bool is_header(const js_truth *truth, const js_range_loop *range, uint32_t line)
{
    return range->is_kernels ? line <= truth->function->region.line : line == range->def->line;
}

static uint32_t word_at(const js_track *track, int64_t offset)
{
    uint32_t place = js_track_place(track, offset);
    bool is_word =
        place != JS_PLACE_ABSENT && track->slots[place - JS_CODE_REGISTERS].size == JS_NUMBA_RANGE_WORD;
    return is_word ? place : JS_PLACE_ABSENT;
}

/* Return the offset whose address this place holds; JS_TRACK_NOWHERE: not known. */
static int64_t address_at(const js_truth *truth, uint32_t place)
{
    const js_track *track = &truth->machine.track;
    uint32_t made = JS_VALUE_ENTRY + (uint32_t)track->nplaces;
    if (place == JS_PLACE_ABSENT || track->now[place].value < made ||
        track->now[place].value - made >= truth->machine.code.ninsns) {
        return JS_TRACK_NOWHERE;
    }
    size_t insn = track->now[place].value - made;
    const js_insn *instruction = &truth->machine.code.insns[insn];
    bool is_frame = instruction->op == JS_OP_ADDRESS && instruction->from.kind == JS_PLACE_FRAME;
    return is_frame ? js_track_offset(track, insn, instruction->from.reg, instruction->from.value)
                    : JS_TRACK_NOWHERE;
}

static int64_t address_in(const js_truth *truth, int64_t offset)
{
    return address_at(truth, word_at(&truth->machine.track, offset));
}

/* True if only this block writes the word, apart from code that clears the frame first. */
static bool is_written_in(const js_truth *truth, int64_t offset, uint32_t block)
{
    const js_code *code = &truth->machine.code;
    const js_basic_block *here = &code->blocks[block], *entry = &code->blocks[code->order[0]];
    for (uint32_t i = 0; i < code->ninsns; i++) {
        const js_insn *insn = &code->insns[i];
        bool is_here = i >= here->first && i < here->first + here->count;
        bool is_fill = insn->op == JS_OP_ZERO && i >= entry->first && i < entry->first + entry->count;
        int64_t to = insn->to.kind == JS_PLACE_FRAME
                         ? js_track_offset(&truth->machine.track, i, insn->to.reg, insn->to.value)
                         : JS_TRACK_NOWHERE;
        if (to != JS_TRACK_NOWHERE && to < offset + JS_NUMBA_RANGE_WORD &&
            to + (insn->to.size ? insn->to.size : 64) > offset && !is_here && !is_fill) {
            return false;
        }
    }
    return true;
}

/* Return the offset of a word that keeps the first number; JS_TRACK_NOWHERE: there is none. */
static int64_t find_start(const js_truth *truth, int64_t next, uint32_t block)
{
    const js_track *track = &truth->machine.track;
    uint32_t place = word_at(track, next);
    uint32_t value = place == JS_PLACE_ABSENT ? JS_VALUE_ANY : track->now[place].value;
    for (size_t i = 0; value > JS_VALUE_ZERO && i < track->nslots; i++) {
        int64_t offset = track->slots[i].offset;
        if (offset != next && word_at(track, offset) != JS_PLACE_ABSENT &&
            track->now[JS_CODE_REGISTERS + i].value == value &&
            !js_track_escapes(track, offset, offset + 8) && is_written_in(truth, offset, block)) {
            return offset;
        }
    }
    return JS_TRACK_NOWHERE;
}

/* Note the range if the store to this offset has completed its words. */
static void note_range(js_range_loop *range, const js_truth *truth, int64_t offset, uint32_t insn,
                       uint32_t block)
{
    int64_t next = address_in(truth, offset + JS_NUMBA_RANGE_NEXT);
    int64_t count = address_in(truth, offset + JS_NUMBA_RANGE_COUNT);
    if (next == JS_TRACK_NOWHERE || count == JS_TRACK_NOWHERE || next == count ||
        word_at(&truth->machine.track, next) == JS_PLACE_ABSENT) {
        return;
    }
    if (range->found_in != JS_CODE_NOWHERE) {
        range->is_ambiguous = range->is_ambiguous || range->next != next;
        return;
    }
    range->next = next;
    range->found_in = block;
    range->line = truth->insns.lines[insn];
    range->start = range->def->has_start ? JS_TRACK_NOWHERE : find_start(truth, next, block);
}

static int64_t stores_to(const js_truth *truth, uint32_t insn)
{
    const js_place *to = &truth->machine.code.insns[insn].to;
    return to->kind == JS_PLACE_FRAME ? js_track_offset(&truth->machine.track, insn, to->reg, to->value)
                                      : JS_TRACK_NOWHERE;
}

static void find_words(js_truth *truth, js_range_loop *range, size_t count)
{
    const js_code *code = &truth->machine.code;
    for (size_t o = 0; o < code->norder; o++) {
        const js_basic_block *block = &code->blocks[code->order[o]];
        js_track_enter(&truth->machine.track, code->order[o]);
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            js_track_step(&truth->machine.track, i);
            int64_t offset = stores_to(truth, i);
            for (size_t t = 0; t < count && offset != JS_TRACK_NOWHERE; t++) {
                if (is_header(truth, &range[t], truth->insns.lines[i]) &&
                    address_in(truth, offset) != JS_TRACK_NOWHERE) {
                    note_range(&range[t], truth, offset, i, code->order[o]);
                    note_range(&range[t], truth, offset - JS_NUMBA_RANGE_COUNT, i, code->order[o]);
                }
            }
        }
    }
}

/* ---- between the range and the variable ---- */

static bool gives(const js_truth *truth, const js_range_loop *range, uint32_t insn)
{
    int64_t offset = stores_to(truth, insn);
    for (size_t v = 0; v < range->local->nversions && offset != JS_TRACK_NOWHERE; v++) {
        js_extent home;
        if (truth->machine.code.insns[insn].op != JS_OP_ZERO &&
            js_truth_home(truth, range->local->versions[v], &home) && offset == home.lo) {
            return true;
        }
    }
    return false;
}

/* Mark the stores of the next number. Where a range begins, it stores its first number directly, and the
 * count by its address. */
static int find_takes(js_truth *truth)
{
    const js_code *code = &truth->machine.code;
    for (size_t t = 0; t < truth->nloops; t++) {
        truth->loops[t].marks = js_arena_alloc(&truth->scratch, code->ninsns + 1);
        if (!truth->loops[t].marks) {
            return JS_ENOMEM;
        }
    }
    for (size_t o = 0; o < code->norder && truth->nloops; o++) {
        const js_basic_block *block = &code->blocks[code->order[o]];
        js_track_enter(&truth->machine.track, code->order[o]);
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            const js_place *to = &code->insns[i].to;
            bool is_plain = to->kind == JS_PLACE_MEMORY && to->index == JS_CODE_REGISTERS && to->value == 0;
            int64_t address = is_plain ? address_at(truth, to->reg) : JS_TRACK_NOWHERE;
            for (size_t t = 0; t < truth->nloops && to->kind == JS_PLACE_MEMORY; t++) {
                js_range_loop *range = &truth->loops[t];
                bool takes = address == JS_TRACK_NOWHERE || address == range->next;
                range->marks[i] =
                    takes && is_header(truth, range, truth->insns.lines[i]) ? JS_RANGE_TAKES : 0;
            }
            js_track_step(&truth->machine.track, i);
        }
    }
    return JS_OK;
}

/* True if the block has code of the loop. Code that joins versions has other lines, so the block counts as a
 * whole. */
static bool is_around(const js_truth *truth, const js_range_loop *range, const js_region *loop,
                      const js_basic_block *block)
{
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        uint32_t line = truth->insns.lines[i];
        if (line == range->def->line || (line >= loop->first && line <= loop->last)) {
            return true;
        }
    }
    return false;
}

static bool step_pending(const js_truth *truth, const js_range_loop *range, uint32_t insn, bool is_pending)
{
    return !gives(truth, range, insn) && (is_pending || range->marks[insn] & JS_RANGE_TAKES);
}

static int find_pending(js_truth *truth, js_range_loop *range)
{
    const js_code *code = &truth->machine.code;
    const js_region *loop = js_flow_loop(truth->flow, range->def->line);
    uint8_t *in = js_arena_alloc(&truth->scratch, code->nblocks + 1);
    if (!in) {
        return JS_ENOMEM;
    }
    range->is_ambiguous = range->is_ambiguous || !loop;
    for (bool changed = loop != NULL; changed;) {
        changed = false;
        for (size_t o = 0; o < code->norder; o++) {
            const js_basic_block *block = &code->blocks[code->order[o]];
            bool is_known = is_around(truth, range, loop, block);
            bool is_pending = is_known && in[code->order[o]];
            for (uint32_t i = block->first; i < block->first + block->count; i++) {
                range->marks[i] |= is_pending ? JS_RANGE_PENDING : 0;
                is_pending = is_known && step_pending(truth, range, i, is_pending);
            }
            for (unsigned s = 0; s < 2 && is_pending; s++) {
                uint32_t to = block->successors[s];
                if (to != JS_CODE_NOWHERE && !in[to]) {
                    in[to] = 1;
                    changed = true;
                }
            }
        }
    }
    return JS_OK;
}

/* ---- where the compiler describes no variable ---- */

/* Mark the blocks that lead to this one before the loop begins anew. */
static void find_ahead(const js_truth *truth, const js_range_loop *range, uint32_t block, uint8_t *is_ahead)
{
    const js_code *code = &truth->machine.code;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t o = code->norder; o-- > 0;) {
            uint32_t b = code->order[o];
            for (unsigned s = 0; s < 2 && !is_ahead[b] && b != range->found_in; s++) {
                uint32_t to = code->blocks[b].successors[s];
                is_ahead[b] = to != JS_CODE_NOWHERE && (to == block || is_ahead[to]);
                changed = changed || is_ahead[b];
            }
        }
    }
}

/* Return the one block of the loop that stores the next number; JS_CODE_NOWHERE: there is none, or there are
 * several. */
static uint32_t find_taking(const js_truth *truth, const js_range_loop *range, uint8_t *is_ahead)
{
    const js_code *code = &truth->machine.code;
    uint32_t found = JS_CODE_NOWHERE;
    for (size_t o = 0; o < code->norder; o++) {
        const js_basic_block *block = &code->blocks[code->order[o]];
        bool takes = false;
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            takes = takes || (range->marks[i] & JS_RANGE_TAKES && truth->insns.lines[i] == range->line);
        }
        if (!takes || code->order[o] == range->found_in) {
            continue;
        }
        memset(is_ahead, 0, code->nblocks);
        find_ahead(truth, range, code->order[o], is_ahead);
        if (is_ahead[code->order[o]] && found != JS_CODE_NOWHERE) {
            return JS_CODE_NOWHERE;
        }
        found = is_ahead[code->order[o]] ? code->order[o] : found;
    }
    memset(is_ahead, 0, code->nblocks);
    if (found != JS_CODE_NOWHERE) {
        find_ahead(truth, range, found, is_ahead);
    }
    return found;
}

static bool is_of_body(const js_truth *truth, const js_range_loop *range, const js_region *loop,
                       uint32_t line)
{
    return range->is_kernels ? line > truth->function->region.line
                             : line >= loop->first && line <= loop->last;
}

/* Mark the instructions of a block, and return the state at its end. Code of the body runs in an iteration,
 * so the variable has a number there; it begins where no code of the header comes before it in the block.
 * After the loop, the variable has the number that was stored last. */
static uint8_t run_block(const js_truth *truth, js_range_loop *range, const js_region *loop, uint32_t b,
                         uint8_t now, bool is_inside)
{
    const js_basic_block *block = &truth->machine.code.blocks[b];
    bool has_header = false;
    if (!is_inside && now & JS_RANGE_PENDING) {
        now = (uint8_t)((now & ~JS_RANGE_PENDING) | JS_RANGE_GIVEN);
    }
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        has_header = has_header || truth->insns.lines[i] == range->line;
        if (is_inside && !has_header && is_of_body(truth, range, loop, truth->insns.lines[i]) &&
            !(now & JS_RANGE_FRESH) && now) {
            now = JS_RANGE_GIVEN;
        }
        range->marks[i] |= now;
        if (range->marks[i] & JS_RANGE_TAKES) {
            now = (uint8_t)((now & ~JS_RANGE_GIVEN) | JS_RANGE_PENDING);
        }
    }
    return now;
}

static int find_given(js_truth *truth, js_range_loop *range)
{
    const js_code *code = &truth->machine.code;
    const js_region *loop = js_flow_loop(truth->flow, range->def->line);
    uint8_t *in = js_arena_alloc(&truth->scratch, code->nblocks + 1);
    uint8_t *is_inside = js_arena_alloc(&truth->scratch, code->nblocks + 1);
    if (!in || !is_inside) {
        return JS_ENOMEM;
    }
    uint32_t taking = find_taking(truth, range, is_inside);
    range->is_ambiguous = range->is_ambiguous || !loop || taking == JS_CODE_NOWHERE;
    in[code->order[0]] = JS_RANGE_FRESH;
    for (bool changed = !range->is_ambiguous; changed;) {
        changed = false;
        for (size_t o = 0; o < code->norder; o++) {
            uint32_t b = code->order[o];
            const uint32_t *next = code->blocks[b].successors;
            uint8_t now = run_block(truth, range, loop, b, in[b], is_inside[b]);
            if (b == range->found_in) {
                now = JS_RANGE_FRESH;
            } else if (now & JS_RANGE_FRESH && (next[0] == taking || next[1] == taking)) {
                now = (uint8_t)((now & ~JS_RANGE_FRESH) | JS_RANGE_TESTED);
            }
            for (unsigned s = 0; s < 2; s++) {
                if (next[s] != JS_CODE_NOWHERE && (in[next[s]] | now) != in[next[s]]) {
                    in[next[s]] |= now;
                    changed = true;
                }
            }
        }
    }
    return JS_OK;
}

/* ---- all loops ---- */

static bool is_alone(const js_flow *flow, const js_flow_def *def)
{
    for (size_t i = 0; i < flow->ndefs; i++) {
        const js_flow_def *other = &flow->defs[i];
        if (other != def && other->line == def->line &&
            (other->step || strcmp(other->name, def->name) == 0)) {
            return false;
        }
    }
    return true;
}

static bool begin(js_truth *truth, const js_flow_def *def, js_range_loop *out)
{
    const js_function *function = truth->function;
    for (size_t k = 0; k < function->nlocals; k++) {
        const js_local *local = &function->locals[k];
        bool is_own = strcmp(local->name, def->name) == 0;
        const js_variable *version = !is_own                          ? NULL
                                     : local->versions[0]->is_index   ? local->versions[0]
                                     : truth->function->region.parent ? NULL
                                                                      : js_truth_version(truth, local, def);
        if (version && js_scalar_is_whole(version)) {
            *out = (js_range_loop){.def = def,
                                   .local = local,
                                   .version = version,
                                   .found_in = JS_CODE_NOWHERE,
                                   .is_kernels = is_kernels(truth, def)};
            return true;
        }
    }
    return false;
}

int js_range_loops_init(js_truth *truth)
{
    const js_flow *flow = truth->flow;
    if (!flow || !truth->machine.is_followed || !truth->is_plain) {
        return JS_OK;
    }
    truth->loops = js_arena_alloc(&truth->scratch, (flow->ndefs + 1) * sizeof(*truth->loops));
    if (!truth->loops) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < flow->ndefs; i++) {
        const js_flow_def *def = &flow->defs[i];
        truth->nloops += (def->step || def->is_parallel) && is_alone(flow, def) &&
                         begin(truth, def, &truth->loops[truth->nloops]);
    }
    if (truth->nloops) {
        find_words(truth, truth->loops, truth->nloops);
    }
    int status = find_takes(truth);
    for (size_t t = 0; t < truth->nloops && status == JS_OK; t++) {
        js_range_loop *range = &truth->loops[t];
        status = range->found_in == JS_CODE_NOWHERE ? JS_OK
                 : range->version->is_index         ? find_given(truth, range)
                                                    : find_pending(truth, range);
        status = status == JS_OK && range->found_in != JS_CODE_NOWHERE
                     ? js_range_loop_find_unset(truth, range)
                     : status;
    }
    return status;
}
