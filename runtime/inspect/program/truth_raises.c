/* Where stock code raises: the one thing that all ways to do so have in common is a store to where its caller
 * has asked for exceptions (program/numba/convention.h). LLVM may give several raises one store; each passes
 * through one. */
#include <string.h>

#include "program/numba/convention.h"
#include "program/truth_internal.h"

enum { GENERAL_RSI = 4 }; /* the second argument */

/* The instruction that made what a register holds, or NULL. */
static const js_insn *maker(const js_truth *truth, unsigned reg)
{
    uint32_t made = JS_VALUE_ENTRY + (uint32_t)truth->track.nplaces, value = truth->track.now[reg].value;
    return value >= made && value - made < truth->code.ninsns ? &truth->code.insns[value - made] : NULL;
}

static bool is_raise(const js_truth *truth, const js_insn *insn)
{
    const js_place *to = &insn->to;
    if (insn->op != JS_OP_MOVE || insn->width != 8 || to->kind != JS_PLACE_MEMORY || to->value != 0 ||
        to->reg >= JS_CODE_VECTOR || to->index != JS_CODE_REGISTERS || insn->from.kind != JS_PLACE_REGISTER ||
        insn->from.reg >= JS_CODE_VECTOR) {
        return false;
    }
    const js_held *held = &truth->track.now[to->reg];
    return held->value == JS_VALUE_ENTRY + GENERAL_RSI && held->width >= 8;
}

static bool has_line(const js_function *function, uint64_t address)
{
    uint32_t line = 0;
    for (size_t i = 0; i < function->nall_rows && function->all_rows[i].address <= address; i++) {
        line = function->all_rows[i].line;
    }
    return line != 0;
}

int js_truth_raises(js_truth *truth)
{
    js_function *function = truth->function;
    const js_code *code = &truth->code;
    if (!truth->object->returns_status) {
        return JS_OK;
    }
    size_t capacity = 0;
    function->nraises = 0;
    function->hides_raises = false;
    for (size_t b = 0; b < code->nblocks; b++) {
        const js_block *block = &code->blocks[b];
        if (block->order == JS_CODE_NOWHERE) {
            continue;
        }
        js_track_enter(&truth->track, (uint32_t)b);
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            const js_insn *insn = &code->insns[i];
            if (is_raise(truth, insn)) {
                if (function->nraises == capacity) {
                    js_raise *more = js_arena_alloc(truth->arena, (2 * capacity + 4) * sizeof(*more));
                    if (!more) {
                        return JS_ENOMEM;
                    }
                    if (capacity) {
                        memcpy(more, function->raises, capacity * sizeof(*more));
                    }
                    function->raises = more;
                    capacity = 2 * capacity + 4;
                }
                const js_insn *from = maker(truth, insn->from.reg);
                bool is_loaded = from && from->op == JS_OP_MOVE;
                /* What the loader fills in is 0 in the object. */
                bool is_filled = truth->track.now[insn->from.reg].value == JS_VALUE_ZERO;
                function->raises[function->nraises++] = (js_raise){
                    .address = insn->address,
                    .reg = js_code_to_dwarf(insn->from.reg),
                    .is_made = is_filled || (from && !is_loaded && from->from.kind != JS_PLACE_NONE),
                    .is_called = is_loaded && from->from.kind == JS_PLACE_FRAME,
                    .has_line = has_line(function, insn->address)};
            }
            js_track_step(&truth->track, i);
        }
    }
    return JS_OK;
}
