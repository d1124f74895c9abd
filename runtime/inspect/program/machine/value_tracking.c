/* Runs the machine code on numbers of values, to a fixed point over all paths. */
#include "program/machine/value_tracking.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/status.h"

enum { TRACK_PASSES = 64, TRACK_CELLS = 8 << 20 };

static const js_held nothing = {JS_VALUE_ANY, 0};
static const js_held unvisited = {UINT32_MAX, 0};

/* ---- slots ---- */

static int order_slots(const void *left, const void *right)
{
    int64_t l = ((const js_slot *)left)->offset, r = ((const js_slot *)right)->offset;
    return l < r ? -1 : l > r;
}

static int64_t place_offset(const js_track *track, size_t insn, const js_place *place)
{
    return place->kind == JS_PLACE_FRAME ? js_track_offset(track, insn, place->reg, place->value)
                                         : JS_TRACK_NOWHERE;
}

static void add_slot(js_track *track, int64_t offset, unsigned size, bool is_store)
{
    if (offset != JS_TRACK_NOWHERE) {
        track->slots[track->nslots++] =
            (js_slot){.offset = offset, .size = size ? size : 1, .stores = is_store, .is_loaded = !is_store};
    }
}

static void merge_slots(js_track *track)
{
    qsort(track->slots, track->nslots, sizeof(*track->slots), order_slots);
    size_t count = 0;
    for (size_t i = 0; i < track->nslots; i++) {
        js_slot *slot = &track->slots[i], *last = count ? &track->slots[count - 1] : NULL;
        if (!last || last->offset != slot->offset) {
            track->slots[count++] = *slot;
            continue;
        }
        last->size = last->size > slot->size ? last->size : slot->size;
        last->stores += slot->stores;
        last->is_loaded = last->is_loaded || slot->is_loaded;
    }
    track->nslots = count;
}

/* True if a pointer may reach the slot: an address at or below it was taken, in the same part of the frame.
 * The code does not show how far an object extends, but it does not extend over the begin of a variable's
 * home. */
static bool may_be_reached(const js_track *track, const js_slot *slot, const js_extent *homes, size_t nhomes)
{
    int64_t floor = slot->offset >= 0 && slot->offset < JS_TRACK_ALIGNED / 2 ? 0
                    : slot->offset < 0                                       ? INT64_MIN
                                                                             : JS_TRACK_ALIGNED / 2;
    for (size_t h = 0; h < nhomes; h++) { /* no object extends into another */
        floor = homes[h].lo <= slot->offset && homes[h].lo > floor ? homes[h].lo : floor;
    }
    for (size_t i = 0; i < track->nescapes && track->escapes[i] < slot->offset + slot->size; i++) {
        if (track->escapes[i] >= floor) {
            return true;
        }
    }
    return false;
}

static void judge_slots(js_track *track, const js_extent *homes, size_t nhomes)
{
    for (size_t i = 0; i < track->nslots; i++) {
        js_slot *slot = &track->slots[i];
        bool is_reached = may_be_reached(track, slot, homes, nhomes);
        slot->is_owned = slot->offset >= 0 && slot->offset < JS_TRACK_ALIGNED / 2;
        for (size_t h = 0; h < nhomes; h++) {
            if (slot->offset >= homes[h].lo && slot->offset < homes[h].hi) {
                slot->is_owned = true;
                is_reached = js_track_escapes(track, homes[h].lo, homes[h].hi);
            }
        }
        bool is_kept = slot->stores == 1 && slot->is_loaded &&
                       !js_track_escapes(track, slot->offset, slot->offset + slot->size);
        slot->survives_stores = !is_reached || is_kept;
        /* a slot that is only written may be an argument of the call, which the callee may overwrite; a slot
         * that is written once and read back is where the compiler keeps the value of a register (is_kept) */
        slot->survives_calls = slot->survives_stores && (slot->is_owned || slot->is_loaded);
    }
}

uint32_t js_track_place(const js_track *track, int64_t offset)
{
    size_t lo = 0, hi = track->nslots;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (track->slots[middle].offset == offset) {
            return (uint32_t)(JS_CODE_REGISTERS + middle);
        }
        if (track->slots[middle].offset < offset) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return JS_PLACE_ABSENT;
}

/* ---- one instruction ---- */

static void forget_value(js_track *track, uint32_t value)
{
    for (size_t p = 0; track->has_loops && p < track->nplaces; p++) {
        if (track->now[p].value == value) {
            track->now[p] = nothing;
        }
    }
}

/* Return the value that the instruction makes; no place holds the one of an earlier iteration any more. */
static js_held fresh(js_track *track, size_t insn, unsigned width)
{
    js_held held = {(uint32_t)(JS_VALUE_ENTRY + track->nplaces + insn), width};
    forget_value(track, held.value);
    return held;
}

static size_t first_slot_from(const js_track *track, int64_t offset)
{
    size_t lo = 0, hi = track->nslots;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (track->slots[middle].offset < offset) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo;
}

static void store(js_track *track, int64_t offset, unsigned size, js_held held)
{
    size_t at = first_slot_from(track, offset);
    for (size_t i = at; i-- > 0 && track->slots[i].offset + 64 > offset;) {
        if (track->slots[i].offset + track->slots[i].size > offset) {
            js_held *below = &track->now[JS_CODE_REGISTERS + i];
            uint32_t intact = (uint32_t)(offset - track->slots[i].offset);
            below->width = below->width < intact ? below->width : intact;
        }
    }
    for (size_t i = at; i < track->nslots && track->slots[i].offset < offset + size; i++) {
        const js_slot *slot = &track->slots[i];
        js_held *into = &track->now[JS_CODE_REGISTERS + i];
        if (slot->offset == offset) {
            *into = held;
            into->width = held.width < size ? held.width : size;
        } else if (held.value == JS_VALUE_ZERO && held.width >= size) {
            uint32_t left = (uint32_t)(offset + size - slot->offset);
            *into = (js_held){JS_VALUE_ZERO, left < slot->size ? left : slot->size};
        } else {
            *into = nothing;
        }
    }
}

static void store_somewhere(js_track *track)
{
    for (size_t i = 0; i < track->nslots; i++) {
        if (!track->slots[i].survives_stores) {
            track->now[JS_CODE_REGISTERS + i] = nothing;
        }
    }
}

static void put(js_track *track, size_t insn, const js_place *to, unsigned size, js_held held)
{
    int64_t offset = place_offset(track, insn, to);
    if (to->kind == JS_PLACE_REGISTER) {
        track->now[to->reg] = held;
    } else if (offset != JS_TRACK_NOWHERE) {
        store(track, offset, size, held);
    } else if (to->kind == JS_PLACE_FRAME || to->kind == JS_PLACE_INDEXED || to->kind == JS_PLACE_MEMORY) {
        store_somewhere(track);
    }
}

static js_held get(js_track *track, size_t insn, const js_insn *instruction)
{
    js_held held = nothing;
    if (instruction->from.kind == JS_PLACE_REGISTER && instruction->from.reg == JS_CODE_RSP) {
        return fresh(track, insn, instruction->width); /* the track does not record changes of rsp */
    }
    if (instruction->from.kind == JS_PLACE_REGISTER) {
        held = track->now[instruction->from.reg];
        if (held.value == JS_VALUE_ANY || held.width < instruction->width) {
            held = fresh(track, insn, 64);
            track->now[instruction->from.reg] = held;
        }
    } else {
        uint32_t place = js_track_place(track, place_offset(track, insn, &instruction->from));
        if (place != JS_PLACE_ABSENT) {
            held = track->now[place];
        }
        if (held.value == JS_VALUE_ANY || held.width < instruction->width) {
            held = fresh(track, insn, instruction->width);
            if (place != JS_PLACE_ABSENT) {
                track->now[place] = held;
            }
        }
    }
    held.width = held.width < instruction->width ? held.width : instruction->width;
    return held;
}

uint32_t js_track_maker(const js_track *track, uint32_t place)
{
    uint32_t first = JS_VALUE_ENTRY + (uint32_t)track->nplaces;
    uint32_t value = place == JS_PLACE_ABSENT ? JS_VALUE_ANY : track->now[place].value;
    return value >= first && value - first < track->code->ninsns ? value - first : JS_CODE_NOWHERE;
}

void js_track_call(js_track *track)
{
    uint64_t clobbered = js_code_call_clobbers();
    for (unsigned reg = 0; reg < JS_CODE_REGISTERS; reg++) {
        if (clobbered >> reg & 1) {
            track->now[reg] = nothing;
        }
    }
    for (size_t i = 0; i < track->nslots; i++) {
        if (!track->slots[i].survives_calls) {
            track->now[JS_CODE_REGISTERS + i] = nothing;
        }
    }
}

void js_track_step(js_track *track, size_t insn)
{
    const js_insn *instruction = &track->code->insns[insn];
    js_held held;
    switch (instruction->op) {
    case JS_OP_MOVE:
        held = get(track, insn, instruction);
        put(track, insn, &instruction->to, instruction->width, held);
        return;
    case JS_OP_ZERO:
        put(track, insn, &instruction->to, instruction->width, (js_held){JS_VALUE_ZERO, instruction->width});
        return;
    case JS_OP_PUSH:
        if (track->stack[insn] != JS_TRACK_NOWHERE) {
            held = track->has_pushes && instruction->from.kind == JS_PLACE_REGISTER
                       ? track->now[instruction->from.reg]
                       : nothing;
            store(track, track->stack[insn] - 8, 8, held);
        }
        return;
    case JS_OP_CALL:
        js_track_call(track);
        return;
    default:
        break;
    }
    for (uint64_t set = instruction->written; set; set &= set - 1) {
        track->now[__builtin_ctzll(set)] = nothing;
    }
    if (instruction->to.kind == JS_PLACE_REGISTER) {
        track->now[instruction->to.reg] = instruction->op == JS_OP_OTHER || instruction->op == JS_OP_ADDRESS
                                              ? fresh(track, insn, 8)
                                              : nothing;
    } else if (instruction->op == JS_OP_OTHER || instruction->op == JS_OP_POP) {
        put(track, insn, &instruction->to, instruction->to.size ? instruction->to.size : 64, nothing);
    }
}

/* ---- the fixed point ---- */

static bool meet(js_held *known, const js_held *other, size_t count)
{
    bool changed = false;
    for (size_t i = 0; i < count; i++) {
        if (known[i].value == unvisited.value) {
            known[i] = other[i];
            changed = true;
        } else if (known[i].value != JS_VALUE_ANY && known[i].value != other[i].value) {
            known[i] = nothing;
            changed = true;
        } else if (known[i].width > other[i].width && known[i].value != JS_VALUE_ANY) {
            known[i].width = other[i].width;
            changed = true;
        }
    }
    return changed;
}

void js_track_enter(js_track *track, uint32_t block)
{
    memcpy(track->now, track->in + track->code->blocks[block].order * track->nplaces,
           track->nplaces * sizeof(*track->now));
}

static int run(js_track *track, js_arena *arena)
{
    const js_code *code = track->code;
    uint8_t *dirty = js_arena_alloc(arena, code->norder + 1);
    if (!dirty) {
        return JS_ENOMEM;
    }
    bool changed = true;
    dirty[0] = 1;
    for (unsigned pass = 0; changed; pass++) {
        if (pass == TRACK_PASSES) {
            return JS_ELIMIT;
        }
        changed = false;
        for (size_t o = 0; o < code->norder; o++) {
            const js_basic_block *block = &code->blocks[code->order[o]];
            if (!dirty[o]) {
                continue;
            }
            dirty[o] = 0;
            js_track_enter(track, code->order[o]);
            for (size_t i = block->first; i < block->first + block->count; i++) {
                js_track_step(track, i);
            }
            for (unsigned s = 0; s < 2; s++) {
                if (block->successors[s] == JS_CODE_NOWHERE) {
                    continue;
                }
                uint32_t to = code->blocks[block->successors[s]].order;
                if (meet(track->in + to * track->nplaces, track->now, track->nplaces)) {
                    dirty[to] = 1;
                    changed = changed || to <= o;
                }
            }
        }
    }
    return JS_OK;
}

/* Mark the places whose value at entry is used: a caller may pass anything for an argument that its callee
 * ignores. */
static int note_reads(js_track *track, js_arena *arena)
{
    const js_code *code = track->code;
    track->is_read = js_arena_alloc(arena, track->nplaces);
    if (!track->is_read) {
        return JS_ENOMEM;
    }
    for (size_t o = 0; o < code->norder; o++) {
        const js_basic_block *block = &code->blocks[code->order[o]];
        js_track_enter(track, code->order[o]);
        for (size_t i = block->first; i < block->first + block->count; i++) {
            const js_insn *insn = &code->insns[i];
            uint64_t read = insn->op == JS_OP_ZERO || insn->op == JS_OP_PUSH ? 0 : insn->read;
            for (uint64_t set = read; set; set &= set - 1) {
                uint32_t value = track->now[__builtin_ctzll(set)].value;
                if (value >= JS_VALUE_ENTRY && value - JS_VALUE_ENTRY < track->nplaces) {
                    track->is_read[value - JS_VALUE_ENTRY] = 1;
                }
            }
            uint32_t place = js_track_place(track, place_offset(track, i, &insn->from));
            uint32_t value = place == JS_PLACE_ABSENT ? JS_VALUE_ANY : track->now[place].value;
            if (value >= JS_VALUE_ENTRY && value - JS_VALUE_ENTRY < track->nplaces) {
                track->is_read[value - JS_VALUE_ENTRY] = 1;
            }
            js_track_step(track, i);
        }
    }
    return JS_OK;
}

int js_track_run(js_track *track, js_arena *arena, const int64_t *words, size_t nwords,
                 const js_extent *homes, size_t nhomes)
{
    const js_code *code = track->code;
    track->slots = js_arena_alloc(arena, (2 * code->ninsns + nwords + 1) * sizeof(*track->slots));
    if (!track->slots) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < nwords; i++) {
        add_slot(track, words[i], 8, false);
    }
    for (size_t i = 0; i < code->ninsns; i++) {
        const js_insn *insn = &code->insns[i];
        add_slot(track, place_offset(track, i, &insn->from), insn->from.size, false);
        if (insn->op == JS_OP_PUSH && track->has_pushes && track->stack[i] != JS_TRACK_NOWHERE) {
            add_slot(track, track->stack[i] - 8, 8, true);
        }
        add_slot(track, place_offset(track, i, &insn->to), insn->to.size, true);
    }
    merge_slots(track);
    judge_slots(track, homes, nhomes);
    track->nplaces = JS_CODE_REGISTERS + track->nslots;
    if (code->norder + 1 > TRACK_CELLS / track->nplaces) {
        return JS_ELIMIT;
    }
    size_t cells = code->norder * track->nplaces;
    track->in = js_arena_alloc(arena, cells * sizeof(*track->in));
    track->now = js_arena_alloc(arena, track->nplaces * sizeof(*track->now));
    if (!track->in || !track->now) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < cells; i++) {
        track->in[i] = unvisited;
    }
    for (size_t p = 0; p < track->nplaces; p++) {
        bool known =
            p < JS_CODE_REGISTERS || (track->slots[p - JS_CODE_REGISTERS].offset >= 0 &&
                                      track->slots[p - JS_CODE_REGISTERS].offset < JS_TRACK_ALIGNED / 2);
        track->in[p] =
            known ? (js_held){JS_VALUE_ENTRY + (uint32_t)p, p < JS_CODE_REGISTERS ? 64 : 8} : nothing;
    }
    int status = run(track, arena);
    return status == JS_OK && !track->has_pushes ? note_reads(track, arena) : status;
}
