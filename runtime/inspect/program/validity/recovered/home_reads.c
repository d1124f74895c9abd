/* Follows the reads of homes backwards through the code. */
#include "program/validity/recovered/home_reads.h"

struct js_home_reads {
    const js_truth *truth;
    const js_extent *homes;
    size_t nhomes;
    uint64_t escaped;  /* homes whose address was taken: any instruction may read them */
    uint64_t *entered; /* for each block: homes that may be read from its first instruction on */
};

/* Return the homes that the operand touches; *whole receives those that it covers. */
static uint64_t touched(const js_home_reads *reads, size_t insn, const js_place *place, uint64_t *whole)
{
    const js_track *track = &reads->truth->machine.track;
    *whole = 0;
    if (place->kind == JS_PLACE_INDEXED) {
        return ~UINT64_C(0);
    }
    int64_t lo = place->kind == JS_PLACE_FRAME ? js_track_offset(track, insn, place->reg, place->value)
                                               : JS_TRACK_NOWHERE;
    int64_t hi = lo == JS_TRACK_NOWHERE ? lo : lo + (place->size ? place->size : 1);
    uint64_t found = 0;
    for (size_t h = 0; h < reads->nhomes && lo != JS_TRACK_NOWHERE; h++) {
        const js_extent *home = &reads->homes[h];
        found |= (uint64_t)(lo < home->hi && hi > home->lo) << h;
        *whole |= (uint64_t)(lo <= home->lo && hi >= home->hi) << h;
    }
    return found;
}

/* Return the homes that may be read from the instruction on, by those that may be read after it. */
static uint64_t pass(const js_home_reads *reads, size_t insn, uint64_t after)
{
    const js_insn *instruction = &reads->truth->machine.code.insns[insn];
    uint64_t whole, unused;
    uint64_t to = touched(reads, insn, &instruction->to, &whole),
             from = touched(reads, insn, &instruction->from, &unused);
    bool is_store = (instruction->op == JS_OP_MOVE || instruction->op == JS_OP_ZERO) && instruction->stores;
    return is_store ? (after & ~whole) | from : after | to | from;
}

static uint64_t after_block(const js_home_reads *reads, const js_basic_block *block)
{
    uint64_t found = 0;
    for (unsigned s = 0; s < 2; s++) {
        found |= block->successors[s] == JS_CODE_NOWHERE ? 0 : reads->entered[block->successors[s]];
    }
    return found;
}

/* Return the homes that may be read from an instruction of the block on. after: those from the block's end
 * on. */
static uint64_t from_within(const js_home_reads *reads, const js_basic_block *block, size_t insn,
                            uint64_t after)
{
    uint64_t found = after;
    for (size_t i = block->first + block->count; i > insn; i--) {
        found = pass(reads, i - 1, found);
    }
    return found;
}

int js_home_reads_init(js_home_reads **out, js_truth *truth, const js_extent *homes, size_t nhomes)
{
    const js_code *code = &truth->machine.code;
    js_home_reads *reads = js_arena_alloc(&truth->scratch, sizeof(*reads));
    uint64_t *entered = js_arena_alloc(&truth->scratch, (code->nblocks + 1) * sizeof(*entered));
    uint64_t *kept = js_arena_alloc(&truth->scratch, (code->nblocks + 1) * sizeof(*kept));
    if (!reads || !entered || !kept) {
        return JS_ENOMEM;
    }
    *reads = (js_home_reads){.truth = truth, .homes = homes, .nhomes = nhomes, .entered = entered};
    for (size_t h = 0; h < nhomes; h++) {
        reads->escaped |= (uint64_t)js_track_escapes(&truth->machine.track, homes[h].lo, homes[h].hi) << h;
    }
    for (size_t b = 0; b < code->nblocks; b++) {
        const js_basic_block *block = &code->blocks[b];
        bool is_reached = block->order != JS_CODE_NOWHERE;
        entered[b] = is_reached ? from_within(reads, block, block->first, 0) : 0;
        kept[b] = is_reached ? from_within(reads, block, block->first, ~UINT64_C(0)) : 0;
    }
    bool has_changed = true;
    while (has_changed) { /* bits are only set, so this ends */
        has_changed = false;
        for (size_t i = code->norder; i > 0; i--) {
            uint32_t b = code->order[i - 1];
            uint64_t now = entered[b] | (after_block(reads, &code->blocks[b]) & kept[b]);
            has_changed = has_changed || now != entered[b];
            entered[b] = now;
        }
    }
    *out = reads;
    return JS_OK;
}

uint64_t js_home_reads_from(const js_home_reads *reads, size_t insn)
{
    const js_code *code = &reads->truth->machine.code;
    const js_basic_block *block = &code->blocks[js_code_block(code, insn)];
    return from_within(reads, block, insn, after_block(reads, block)) | reads->escaped;
}
