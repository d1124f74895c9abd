/* Unoptimised code keeps the source's order, but for what gives variables up: that may have a later line. */
#include "program/order.h"

enum { EARLY_LINES = 4096, EARLY_BLOCKS = 1 << 16 };

typedef struct early {
    const js_truth *truth;
    uint32_t first; /* line of bit 0 */
    size_t nlines, words;
    uint64_t *ahead; /* of each block by order: lines whose statements begin in it, or ahead of it */
    uint8_t *begins; /* of each instruction: a statement of its line does */
} early;

static bool add_line(const early *at, uint64_t *set, uint32_t line)
{
    if (line < at->first || line - at->first >= at->nlines) {
        return false;
    }
    uint64_t bit = (uint64_t)1 << ((line - at->first) % 64), *word = &set[(line - at->first) / 64];
    bool is_new = !(*word & bit);
    *word |= bit;
    return is_new;
}

static bool is_ahead_of(const early *at, const uint64_t *set, uint32_t line)
{
    for (uint32_t other = at->first; other < line && other - at->first < at->nlines; other++) {
        bool is_there = set[(other - at->first) / 64] >> ((other - at->first) % 64) & 1;
        if (is_there && !js_order_turns_back(at->truth->flow, line, other)) {
            return true;
        }
    }
    return false;
}

static void mark(const early *at, size_t order, uint8_t *is_early)
{
    const js_code *code = &at->truth->code;
    const js_block *block = &code->blocks[code->order[order]];
    uint64_t *set = &at->ahead[order * at->words];
    for (unsigned s = 0; s < 2; s++) {
        uint32_t to = block->successors[s];
        for (size_t i = 0; to != JS_CODE_NOWHERE && code->blocks[to].order > order && i < at->words; i++) {
            set[i] |= at->ahead[code->blocks[to].order * at->words + i];
        }
    }
    uint32_t line = 0;
    bool known = false;
    for (uint32_t i = block->first + block->count; i-- > block->first;) {
        bool is_new = at->begins[i] && add_line(at, set, at->truth->lines[i]);
        if (is_new || at->truth->lines[i] != line || i + 1 == block->first + block->count) {
            line = at->truth->lines[i];
            known = is_ahead_of(at, set, line);
        }
        is_early[i] = known;
    }
}

int js_order_find_early(js_order *order, js_truth *truth)
{
    const js_flow *flow = truth->flow;
    early at = {.truth = truth, .first = flow->first_line + 1};
    bool is_told = false;
    for (size_t i = 0; i < flow->nats && !is_told; i++) {
        is_told = flow->ats[i].computed != NULL;
    }
    if (!is_told || flow->last_line < at.first || flow->last_line - at.first >= EARLY_LINES ||
        truth->code.nblocks > EARLY_BLOCKS) {
        return JS_OK;
    }
    at.nlines = flow->last_line - at.first + 1;
    at.words = at.nlines / 64 + 1;
    at.ahead = js_arena_alloc(&truth->scratch, (truth->code.norder + 1) * at.words * sizeof(*at.ahead));
    at.begins = js_arena_alloc(&truth->scratch, truth->code.ninsns + 1);
    order->is_early = js_arena_alloc(&truth->scratch, truth->code.ninsns + 1);
    if (!at.ahead || !at.begins || !order->is_early) {
        return JS_ENOMEM;
    }
    size_t count = truth->function->statements ? truth->function->nall_rows : 0;
    for (size_t i = 0; i < count; i++) {
        const js_row *row = &truth->function->statements[i];
        uint32_t insn = row->is_stmt ? js_code_find(&truth->code, row->address) : JS_CODE_NOWHERE;
        if (insn != JS_CODE_NOWHERE) {
            at.begins[insn] = 1;
        }
    }
    for (size_t o = truth->code.norder; count && o-- > 0;) {
        mark(&at, o, order->is_early);
    }
    return JS_OK;
}
