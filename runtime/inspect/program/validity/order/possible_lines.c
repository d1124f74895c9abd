/* Finds the lines at which the program may be while a stretch that is reordered runs: the lines of stretches
 * before it that begin a statement or end in a branch, back to a statement that is not reordered. */
#include <string.h>

#include "program/validity/order/order.h"

typedef struct backward { /* a walk from one stretch to those before it */
    uint32_t *lines;
    size_t nlines;
    uint8_t *is_seen; /* for each block */
    uint32_t *work;
    size_t nwork;
} backward;

static void note(backward *found, uint32_t line)
{
    for (size_t i = 0; i < found->nlines; i++) {
        if (found->lines[i] == line) {
            return;
        }
    }
    found->lines[found->nlines++] = line;
}

/* Note the lines of the block's stretches before `stretch`; true if a statement that is not reordered begins
 * in one. */
static bool walk_block(const js_order *order, const js_code *code, backward *found, uint32_t stretch,
                       uint32_t block)
{
    const js_stretch *stretches = order->stretches;
    for (size_t i = stretch; i > 0 && stretches[i - 1].block == block; i--) {
        const js_stretch *it = &stretches[i - 1];
        if (it->line && (it->is_stop || js_order_holds_branch(code, it))) {
            note(found, it->line);
            if (it->is_stop && !it->is_reordered) {
                return true;
            }
        }
    }
    return false;
}

static void walk_back(const js_order *order, const js_truth *truth, backward *found, uint32_t **preds,
                      uint32_t stretch)
{
    const js_code *code = &truth->machine.code;
    uint32_t block = order->stretches[stretch].block;
    memset(found->is_seen, 0, code->nblocks);
    found->nlines = found->nwork = 0;
    bool met = walk_block(order, code, found, stretch, block);
    for (bool more = true; more;) {
        if (!met && block == code->order[0]) {
            note(found, js_order_entry(truth));
        }
        for (const uint32_t *p = preds[block]; !met && *p != JS_CODE_NOWHERE; p++) {
            if (!found->is_seen[*p]) {
                found->is_seen[*p] = 1;
                found->work[found->nwork++] = *p;
            }
        }
        more = found->nwork > 0;
        if (more) {
            block = found->work[--found->nwork];
            const js_basic_block *it = &code->blocks[block];
            met = walk_block(order, code, found, order->of[it->first + it->count - 1] + 1, block);
        }
    }
}

static uint32_t **find_preds(js_truth *truth)
{
    const js_code *code = &truth->machine.code;
    uint32_t *counts = js_arena_alloc(&truth->scratch, code->nblocks * sizeof(*counts));
    uint32_t **preds = js_arena_alloc(&truth->scratch, code->nblocks * sizeof(*preds));
    uint32_t *all = js_arena_alloc(&truth->scratch, 3 * code->nblocks * sizeof(*all));
    if (!counts || !preds || !all) {
        return NULL;
    }
    for (size_t i = 0; i < 2 * code->norder; i++) {
        uint32_t to = code->blocks[code->order[i / 2]].successors[i % 2];
        counts[to == JS_CODE_NOWHERE ? 0 : to] += to != JS_CODE_NOWHERE;
    }
    for (size_t b = 0; b < code->nblocks; b++) {
        preds[b] = all;
        all += counts[b] + 1;
        all[-1] = JS_CODE_NOWHERE;
    }
    for (size_t i = 0; i < 2 * code->norder; i++) {
        uint32_t from = code->order[i / 2], to = code->blocks[from].successors[i % 2];
        if (to != JS_CODE_NOWHERE) {
            preds[to][--counts[to]] = from;
        }
    }
    return preds;
}

int js_order_find_possible(js_order *order, js_truth *truth)
{
    uint32_t **preds = find_preds(truth);
    backward found = {.lines = js_arena_alloc(&truth->scratch, (order->nstretches + 2) * sizeof(uint32_t)),
                      .is_seen = js_arena_alloc(&truth->scratch, truth->machine.code.nblocks),
                      .work =
                          js_arena_alloc(&truth->scratch, truth->machine.code.nblocks * sizeof(uint32_t))};
    if (!preds || !found.lines || !found.is_seen || !found.work) {
        return JS_ENOMEM;
    }
    for (uint32_t i = 0; i < order->nstretches; i++) {
        js_stretch *it = &order->stretches[i];
        if (!it->is_reordered) {
            continue;
        }
        walk_back(order, truth, &found, preds, i);
        it->possible = js_arena_alloc(&truth->scratch, (found.nlines + 1) * sizeof(*it->possible));
        if (!it->possible) {
            return JS_ENOMEM;
        }
        memcpy(it->possible, found.lines, found.nlines * sizeof(*it->possible));
    }
    return JS_OK;
}
