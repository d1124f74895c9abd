/* Finds which marker was passed last on the paths to each instruction, and whether the instruction may run
 * again without a marker. */
#include <string.h>

#include "program/hook/decoded.h"

enum { LINE_ANY = UINT32_MAX };

/* Fill `last`. marks: for each instruction, the line of the marker that it is; 0: it is none. */
static int find_last(js_hook_code *hook, const uint32_t *marks, uint32_t *last)
{
    const js_code *code = &hook->code;
    uint32_t *in = js_arena_alloc(&hook->scratch, (code->nblocks + 1) * sizeof(*in));
    if (!in) {
        return JS_ENOMEM;
    }
    for (size_t b = 0; b < code->nblocks; b++) {
        in[b] = LINE_ANY;
    }
    in[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t o = 0; o < code->norder; o++) {
            const js_basic_block *block = &code->blocks[code->order[o]];
            uint32_t line = in[code->order[o]];
            for (uint32_t i = block->first; i < block->first + block->count; i++) {
                line = marks[i] ? marks[i] : line;
                last[i] = line;
            }
            for (unsigned s = 0; s < 2; s++) {
                uint32_t to = block->successors[s];
                if (to == JS_CODE_NOWHERE || in[to] == line || in[to] == 0) {
                    continue;
                }
                in[to] = in[to] == LINE_ANY ? line : 0;
                changed = true;
            }
        }
    }
    return JS_OK;
}

static int find_cyclic(js_hook_code *hook, const uint32_t *marks, uint8_t *is_cyclic)
{
    const js_code *code = &hook->code;
    uint8_t *is_cut = js_arena_alloc(&hook->scratch, code->nblocks + 1), *blocks;
    if (!is_cut) {
        return JS_ENOMEM;
    }
    for (size_t b = 0; b < code->nblocks; b++) {
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].first + code->blocks[b].count; i++) {
            is_cut[b] |= marks[i] != 0;
        }
    }
    int status = js_hook_cycles(&hook->scratch, code, is_cut, &blocks);
    for (size_t b = 0; b < code->nblocks && status == JS_OK; b++) {
        memset(is_cyclic + code->blocks[b].first, blocks[b], code->blocks[b].count);
    }
    return status;
}

int js_hook_paths_find(js_hook_code *hook, js_hook_paths *out)
{
    const js_code *code = &hook->code;
    *out = (js_hook_paths){0};
    if (!hook->is_followed) {
        return JS_OK;
    }
    uint32_t *last = js_arena_alloc(&hook->scratch, (code->ninsns + 1) * sizeof(*last));
    uint32_t *marks = js_arena_alloc(&hook->scratch, (code->ninsns + 1) * sizeof(*marks));
    uint8_t *is_cyclic = js_arena_alloc(&hook->scratch, code->ninsns + 1);
    if (!last || !marks || !is_cyclic) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < hook->function->lines.nall; i++) {
        const js_row *row = &hook->function->lines.all[i];
        uint32_t insn = row->column == JS_COLUMN_MARKER ? js_code_find(code, row->address) : JS_CODE_NOWHERE;
        if (insn != JS_CODE_NOWHERE) {
            marks[insn] = hook->scopes[insn] ? JS_LINE_INLINED : row->line;
        }
    }
    int status = find_last(hook, marks, last);
    if (status == JS_OK) {
        status = find_cyclic(hook, marks, is_cyclic);
    }
    *out = (js_hook_paths){code, last, is_cyclic};
    return status;
}
