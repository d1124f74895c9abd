/* Finds where stock code raises. All code that raises stores to where its caller has asked for the exception
 * (program/names/numba/return_convention.h). LLVM may merge the stores of several raises into one. */
#include "program/validity/statements/raises.h"

#include "program/model/object.h"

enum { GENERAL_RSI = 4 }; /* the second argument */

/* True if the instruction stores a pointer to where a register points. */
static bool may_raise(const js_insn *insn)
{
    const js_place *to = &insn->to;
    return insn->op == JS_OP_MOVE && insn->width == 8 && to->kind == JS_PLACE_MEMORY && to->value == 0 &&
           to->reg < JS_CODE_VECTOR && to->index == JS_CODE_REGISTERS &&
           insn->from.kind == JS_PLACE_REGISTER && insn->from.reg < JS_CODE_VECTOR;
}

static bool is_raise(const js_truth *truth, const js_insn *insn)
{
    const js_held *held = &truth->machine.track.now[insn->to.reg];
    return held->value == JS_VALUE_ENTRY + GENERAL_RSI && held->width >= 8;
}

static bool has_line(const js_function *function, uint64_t address)
{
    uint32_t line = 0;
    for (size_t i = 0; i < function->lines.nall && function->lines.all[i].address <= address; i++) {
        line = function->lines.all[i].line;
    }
    return line != 0;
}

static js_raise describe(const js_truth *truth, const js_insn *insn)
{
    uint32_t made = js_track_maker(&truth->machine.track, insn->from.reg);
    const js_insn *from = made == JS_CODE_NOWHERE ? NULL : &truth->machine.code.insns[made];
    /* an address that the loader has not filled in yet is 0 */
    bool is_filled = truth->machine.track.now[insn->from.reg].value == JS_VALUE_ZERO;
    bool is_constant = from && (from->op == JS_OP_ADDRESS || from->from.kind == JS_PLACE_VALUE);
    return (js_raise){.address = insn->address,
                      .reg = js_code_to_dwarf(insn->from.reg),
                      .is_made = is_filled || is_constant,
                      .is_called = from && from->op == JS_OP_MOVE && from->from.kind == JS_PLACE_FRAME,
                      .has_line = has_line(truth->function, insn->address)};
}

static size_t count_stores(const js_code *code, const js_basic_block *block)
{
    size_t count = 0;
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        count += may_raise(&code->insns[i]);
    }
    return count;
}

int js_truth_find_raises(js_truth *truth)
{
    js_function *function = truth->function;
    const js_code *code = &truth->machine.code;
    if (!truth->object->returns_status) {
        return JS_OK;
    }
    size_t count = 0;
    for (size_t b = 0; b < code->nblocks; b++) {
        count += count_stores(code, &code->blocks[b]);
    }
    function->statements.nraises = 0;
    function->statements.raises =
        js_arena_alloc(truth->arena, (count + 1) * sizeof(*function->statements.raises));
    if (!function->statements.raises) {
        return JS_ENOMEM;
    }
    for (size_t b = 0; b < code->nblocks; b++) {
        const js_basic_block *block = &code->blocks[b];
        if (block->order == JS_CODE_NOWHERE || !count_stores(code, block)) {
            continue;
        }
        js_track_enter(&truth->machine.track, (uint32_t)b);
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            if (may_raise(&code->insns[i]) && is_raise(truth, &code->insns[i])) {
                function->statements.raises[function->statements.nraises++] =
                    describe(truth, &code->insns[i]);
            }
            js_track_step(&truth->machine.track, i);
        }
    }
    function->statements.hides_raises = false;
    return JS_OK;
}
