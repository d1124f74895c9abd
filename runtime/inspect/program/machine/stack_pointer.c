/* Finds where rsp and rbp point at each instruction, and which addresses of the frame are taken. */
#include <stdlib.h>
#include <string.h>

#include "bytes/status.h"
#include "program/machine/value_tracking.h"

enum { TRACK_ROUNDS = 16, TRACK_OFFSET_LIMIT = 1 << 30 };

typedef struct pointers {
    int64_t stack, frame;
} pointers;

static int64_t moved(int64_t base, int64_t value)
{
    if (base == JS_TRACK_NOWHERE || value > TRACK_OFFSET_LIMIT || value < -TRACK_OFFSET_LIMIT) {
        return JS_TRACK_NOWHERE;
    }
    int64_t from = base >= JS_TRACK_ALIGNED / 2 ? base - JS_TRACK_ALIGNED : base;
    int64_t to = from + value;
    return to > TRACK_OFFSET_LIMIT || to < -TRACK_OFFSET_LIMIT ? JS_TRACK_NOWHERE : base + value;
}

static int64_t *pointer_of(pointers *now, const js_place *place)
{
    if (place->kind != JS_PLACE_REGISTER || place->size != 8) {
        return NULL;
    }
    return place->reg == JS_CODE_RSP ? &now->stack : place->reg == JS_CODE_RBP ? &now->frame : NULL;
}

static int64_t based(const pointers *now, const js_place *place)
{
    return moved(place->reg == JS_CODE_RSP ? now->stack : now->frame, place->value);
}

static void step_pointers(pointers *now, const js_insn *insn)
{
    pointers before = *now;
    if (insn->written >> JS_CODE_RBP & 1) {
        now->frame = JS_TRACK_NOWHERE;
    }
    int64_t *to = pointer_of(now, &insn->to), *from = pointer_of(&before, &insn->from);
    switch (insn->op) {
    case JS_OP_PUSH:
        now->stack = moved(now->stack, -8);
        return;
    case JS_OP_POP:
        now->stack = moved(now->stack, 8);
        return;
    case JS_OP_STACK:
        now->stack = moved(now->stack, insn->to.value);
        return;
    case JS_OP_ALIGN:
        now->stack = before.stack == JS_TRACK_NOWHERE ? JS_TRACK_NOWHERE : JS_TRACK_ALIGNED;
        return;
    case JS_OP_LEAVE:
        now->stack = moved(before.frame, 8);
        now->frame = JS_TRACK_NOWHERE;
        return;
    case JS_OP_MOVE:
        if (to) {
            *to = from && insn->width == 8 ? *from : JS_TRACK_NOWHERE;
        }
        return;
    case JS_OP_ADDRESS:
        if (to) {
            *to = insn->from.kind == JS_PLACE_FRAME ? based(&before, &insn->from) : JS_TRACK_NOWHERE;
        }
        return;
    default:
        if (insn->op != JS_OP_CALL && insn->written >> JS_CODE_RSP & 1) {
            now->stack = JS_TRACK_NOWHERE;
        }
    }
}

static bool meet(int64_t *known, int64_t other, bool is_first)
{
    if (is_first) {
        *known = other;
        return true;
    }
    if (*known == other || *known == JS_TRACK_NOWHERE) {
        return false;
    }
    *known = JS_TRACK_NOWHERE;
    return true;
}

static int follow_pointers(js_track *track, js_arena *arena)
{
    const js_code *code = track->code;
    uint8_t *seen = js_arena_alloc(arena, code->nblocks);
    track->stack = js_arena_alloc(arena, code->ninsns * sizeof(*track->stack));
    track->frame = js_arena_alloc(arena, code->ninsns * sizeof(*track->frame));
    if (!seen || !track->stack || !track->frame) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < code->ninsns; i++) {
        track->stack[i] = track->frame[i] = JS_TRACK_NOWHERE;
    }
    track->stack[0] = -8; /* the return address lies between rsp and the canonical frame address */
    seen[0] = 1;
    bool changed = true;
    for (unsigned round = 0; changed; round++) {
        if (round == TRACK_ROUNDS) {
            return JS_ELIMIT;
        }
        changed = false;
        for (size_t o = 0; o < code->norder; o++) {
            const js_basic_block *block = &code->blocks[code->order[o]];
            pointers now = {track->stack[block->first], track->frame[block->first]};
            for (size_t i = block->first; i < block->first + block->count; i++) {
                track->stack[i] = now.stack;
                track->frame[i] = now.frame;
                step_pointers(&now, &code->insns[i]);
            }
            for (unsigned s = 0; s < 2; s++) {
                uint32_t to = block->successors[s];
                if (to == JS_CODE_NOWHERE) {
                    continue;
                }
                size_t first = code->blocks[to].first;
                bool fresh = !seen[to];
                seen[to] = 1;
                changed = meet(&track->stack[first], now.stack, fresh) || changed;
                changed = meet(&track->frame[first], now.frame, fresh) || changed;
                track->has_loops = track->has_loops || code->blocks[to].order <= block->order;
            }
        }
    }
    for (size_t o = 0; o < code->norder; o++) { /* rsp may be unknown where a function ends, not elsewhere */
        const js_basic_block *block = &code->blocks[code->order[o]];
        if (track->stack[block->first] == JS_TRACK_NOWHERE) {
            return JS_EUNSUP;
        }
    }
    return JS_OK;
}

int64_t js_track_offset(const js_track *track, size_t insn, unsigned base, int64_t value)
{
    if (base != JS_CODE_RSP && base != JS_CODE_RBP) {
        return JS_TRACK_NOWHERE;
    }
    return moved(base == JS_CODE_RSP ? track->stack[insn] : track->frame[insn], value);
}

static void add_escape(js_track *track, int64_t offset)
{
    if (offset != JS_TRACK_NOWHERE) {
        track->escapes[track->nescapes++] = offset;
    }
}

static void note_escapes(js_track *track)
{
    const js_code *code = track->code;
    for (size_t i = 0; i < code->ninsns; i++) {
        const js_insn *insn = &code->insns[i];
        pointers now = {track->stack[i], track->frame[i]};
        bool to_pointer = insn->to.kind == JS_PLACE_REGISTER &&
                          (insn->to.reg == JS_CODE_RSP || insn->to.reg == JS_CODE_RBP);
        if (insn->from.kind == JS_PLACE_INDEXED ||
            (insn->op == JS_OP_ADDRESS && insn->from.kind == JS_PLACE_FRAME && !to_pointer)) {
            add_escape(track, based(&now, &insn->from));
        }
        if (insn->to.kind == JS_PLACE_INDEXED) {
            add_escape(track, based(&now, &insn->to));
        }
        int64_t *from = pointer_of(&now, &insn->from);
        if (insn->op == JS_OP_MOVE && from && !to_pointer) {
            add_escape(track, *from);
        }
    }
}

static int order_offsets(const void *left, const void *right)
{
    int64_t l = *(const int64_t *)left, r = *(const int64_t *)right;
    return l < r ? -1 : l > r;
}

int js_track_init(js_track *track, js_arena *arena, const js_code *code)
{
    memset(track, 0, sizeof(*track));
    track->code = code;
    if (code->ninsns == 0) {
        return JS_EUNSUP;
    }
    int status = follow_pointers(track, arena);
    if (status != JS_OK) {
        return status;
    }
    track->escapes = js_arena_alloc(arena, 3 * code->ninsns * sizeof(*track->escapes));
    if (!track->escapes) {
        return JS_ENOMEM;
    }
    note_escapes(track);
    qsort(track->escapes, track->nescapes, sizeof(*track->escapes), order_offsets);
    return JS_OK;
}

bool js_track_escapes(const js_track *track, int64_t lo, int64_t hi)
{
    for (size_t i = 0; i < track->nescapes; i++) {
        if (track->escapes[i] >= lo && track->escapes[i] < hi) {
            return true;
        }
    }
    return false;
}
