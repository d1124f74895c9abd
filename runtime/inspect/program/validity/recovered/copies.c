/* Finds which words of the frame hold a local's value on every path. Unoptimised code copies values from word
 * to word, and clears a variable after its last use, but not all of its copies. */
#include "program/validity/recovered/copies.h"

#include <dwarf.h>
#include <string.h>

#include "program/validity/locations/home.h"

enum { COPIES_CELLS = 8 << 20, COPIES_PASSES = 64 };

struct js_copies {
    js_truth *truth;
    js_homes *const *homes; /* for each local; NULL: the local is not looked at */
    size_t nlocals, words;
    uint64_t *kept;     /* bit set of the slots that no call and no unknown store writes */
    uint64_t *in, *now; /* for each local the bit set of slots; `in`: for each reachable block, by order */
};

static bool has(const uint64_t *set, size_t bit)
{
    return set[bit / 64] >> (bit % 64) & 1;
}

static void put(uint64_t *set, size_t bit, bool value)
{
    uint64_t mask = (uint64_t)1 << (bit % 64);
    set[bit / 64] = value ? set[bit / 64] | mask : set[bit / 64] & ~mask;
}

static const js_type *type_of(const js_copies *copies, size_t local)
{
    return copies->truth->function->locals[local].versions[0]->type;
}

static const js_held *held_by(const js_copies *copies, size_t slot)
{
    return &copies->truth->machine.track.now[JS_CODE_REGISTERS + slot];
}

static bool hold_same(const js_held *left, const js_held *right, uint64_t size)
{
    return left->value != JS_VALUE_ANY && left->value == right->value && left->width >= size &&
           right->width >= size;
}

/* Update the locals' slots after a store to this slot. */
static void write_slot(js_copies *copies, size_t slot, bool is_exact)
{
    for (size_t k = 0; k < copies->nlocals; k++) {
        uint64_t *mine = copies->now + k * copies->words;
        bool found = false;
        put(mine, slot, false);
        for (size_t w = 0; is_exact && copies->homes[k] && w < copies->words && !found; w++) {
            for (uint64_t left = mine[w]; left && !found; left &= left - 1) {
                size_t other = w * 64 + (size_t)__builtin_ctzll(left);
                found = hold_same(held_by(copies, other), held_by(copies, slot), type_of(copies, k)->size);
            }
        }
        put(mine, slot, found && has(copies->kept, slot));
    }
}

static void assign(js_copies *copies, size_t local, const js_variable *version)
{
    const js_track *track = &copies->truth->machine.track;
    uint64_t *mine = copies->now + local * copies->words;
    js_extent home;
    memset(mine, 0, copies->words * sizeof(*mine));
    uint32_t place = version && js_truth_home(copies->truth, version, &home) ? js_track_place(track, home.lo)
                                                                             : JS_PLACE_ABSENT;
    if (place == JS_PLACE_ABSENT) {
        return;
    }
    for (size_t s = 0; s < track->nslots; s++) {
        bool is_home = s + JS_CODE_REGISTERS == place;
        bool is_same = is_home || hold_same(held_by(copies, s), &track->now[place], version->type->size);
        put(mine, s, is_same && has(copies->kept, s));
    }
}

void js_copies_step(js_copies *copies, size_t insn)
{
    const js_track *track = &copies->truth->machine.track;
    const js_insn *instruction = &copies->truth->machine.code.insns[insn];
    int64_t lo = JS_TRACK_NOWHERE;
    unsigned size = instruction->to.size ? instruction->to.size : 64;
    if (instruction->extra_to != JS_PLACE_NONE) {
        memset(copies->now, 0, copies->nlocals * copies->words * sizeof(*copies->now));
        return;
    }
    if (instruction->to.kind == JS_PLACE_FRAME) {
        lo = js_track_offset(track, insn, instruction->to.reg, instruction->to.value);
    } else if (instruction->op == JS_OP_PUSH && track->stack[insn] != JS_TRACK_NOWHERE) {
        lo = track->stack[insn] - 8;
        size = 8;
    }
    for (size_t s = 0; lo != JS_TRACK_NOWHERE && s < track->nslots; s++) {
        const js_slot *slot = &track->slots[s];
        if (slot->offset < lo + size && slot->offset + slot->size > lo) {
            write_slot(copies, s, slot->offset == lo && instruction->to.kind == JS_PLACE_FRAME);
        }
    }
    for (size_t k = 0; k < copies->nlocals; k++) {
        const js_variable *version;
        if (copies->homes[k] && js_homes_assigns(copies->homes[k], insn, &version)) {
            assign(copies, k, version);
        }
    }
}

void js_copies_enter(js_copies *copies, uint32_t block)
{
    size_t cells = copies->nlocals * copies->words;
    memcpy(copies->now, copies->in + copies->truth->machine.code.blocks[block].order * cells,
           cells * sizeof(*copies->now));
}

static bool meet(uint64_t *known, const uint64_t *other, size_t cells)
{
    bool changed = false;
    for (size_t i = 0; i < cells; i++) {
        changed = changed || (known[i] & ~other[i]);
        known[i] &= other[i];
    }
    return changed;
}

static int run(js_copies *copies)
{
    js_truth *truth = copies->truth;
    const js_code *code = &truth->machine.code;
    size_t cells = copies->nlocals * copies->words;
    memset(copies->in + cells, 0xff, (code->norder - 1) * cells * sizeof(*copies->in));
    bool changed = true;
    for (unsigned pass = 0; changed; pass++) {
        if (pass == COPIES_PASSES) {
            return JS_ELIMIT;
        }
        changed = false;
        for (size_t o = 0; o < code->norder; o++) {
            const js_basic_block *block = &code->blocks[code->order[o]];
            js_track_enter(&truth->machine.track, code->order[o]);
            js_copies_enter(copies, code->order[o]);
            for (uint32_t i = block->first; i < block->first + block->count; i++) {
                js_track_step(&truth->machine.track, i);
                js_copies_step(copies, i);
            }
            for (unsigned s = 0; s < 2; s++) {
                uint32_t to = block->successors[s];
                changed |= to != JS_CODE_NOWHERE &&
                           meet(copies->in + code->blocks[to].order * cells, copies->now, cells);
            }
        }
    }
    return JS_OK;
}

/* True for a local that is a number of one word, with one type in all versions. */
static bool fits(const js_local *local)
{
    const js_type *type = local->versions[0]->type;
    for (size_t v = 1; v < local->nversions; v++) {
        if (local->versions[v]->type != type) {
            return false;
        }
    }
    return type->kind != JS_KIND_LITERAL && /* its words may be anything */
           (type->shape == JS_SHAPE_INT || type->shape == JS_SHAPE_BOOL || type->shape == JS_SHAPE_FLOAT) &&
           (type->size == 1 || type->size == 2 || type->size == 4 || type->size == 8);
}

int js_copies_init(js_copies **out, js_truth *truth, js_homes **homes)
{
    const js_track *track = &truth->machine.track;
    const js_code *code = &truth->machine.code;
    *out = NULL;
    size_t nlocals = truth->function->nlocals, words = track->nslots / 64 + 1, wanted = 0;
    for (size_t k = 0; k < nlocals; k++) {
        homes[k] = homes[k] && fits(&truth->function->locals[k]) ? homes[k] : NULL;
        wanted += homes[k] != NULL;
    }
    if (!wanted || !truth->is_plain || truth->function->region.parent || !truth->flow || code->norder == 0 ||
        words * nlocals > COPIES_CELLS / (code->norder + 1)) {
        return JS_OK;
    }
    js_copies *copies = js_arena_alloc(&truth->scratch, sizeof(*copies));
    uint64_t *kept = js_arena_alloc(&truth->scratch, words * sizeof(*kept));
    uint64_t *in = js_arena_alloc(&truth->scratch, (code->norder + 1) * words * nlocals * sizeof(*in));
    if (!copies || !kept || !in) {
        return JS_ENOMEM;
    }
    *copies = (js_copies){truth, homes, nlocals, words, kept, in, in + code->norder * words * nlocals};
    for (size_t s = 0; s < track->nslots; s++) {
        put(kept, s, track->slots[s].survives_calls && track->slots[s].survives_stores);
    }
    int status = run(copies);
    *out = status == JS_OK ? copies : NULL;
    return status == JS_ELIMIT ? JS_OK : status;
}

bool js_copies_put(const js_copies *copies, const js_local *local, size_t insn, js_verdict *out)
{
    const js_truth *truth = copies->truth;
    const js_track *track = &truth->machine.track;
    size_t k = (size_t)(local - truth->function->locals);
    if (insn == JS_CODE_NOWHERE || !copies->homes[k] || track->stack[insn] == JS_TRACK_NOWHERE) {
        return false;
    }
    for (size_t s = 0; s < track->nslots; s++) {
        if (has(copies->now + k * copies->words, s) && track->slots[s].offset >= track->stack[insn]) {
            js_expr made = {.size = 0, .overflow = false};
            js_expr_memory(&made, JS_CODE_RSP, track->slots[s].offset - track->stack[insn]);
            js_expr_op(&made, DW_OP_deref_size);
            js_expr_op(&made, (uint8_t)local->versions[0]->type->size);
            js_expr_op(&made, DW_OP_stack_value);
            out->expr = made;
            out->state = JS_STATE_EXACT;
            out->version = local->versions[0];
            out->reason = NULL;
            out->needs_zero_check = false;
            return !made.overflow;
        }
    }
    return false;
}
