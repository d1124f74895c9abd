/* Follows the address that a call uses back to the instruction that refers to a symbol. */
#include "program/machine/relocated_calls.h"

#include <string.h>

#include "program/model/object.h"
#include "program/names/numba/array_makers.h"
#include "program/names/numba/variable_names.h"
#include "program/names/numba/wrapper.h"

const char *js_reference_named(const js_object *object, const js_insn *insn)
{
    for (size_t i = 0; i < object->nreferences; i++) {
        const js_reference *reference = &object->references[i];
        if (reference->pc >= insn->address && reference->pc < insn->address + insn->length) {
            return reference->name;
        }
    }
    return NULL;
}

const char *js_reference_called(const js_object *object, const js_track *track, const js_insn *call)
{
    if (call->from.kind != JS_PLACE_REGISTER) {
        return js_reference_named(object, call);
    }
    uint32_t from = js_track_maker(track, call->from.reg);
    return from == JS_CODE_NOWHERE ? NULL : js_reference_named(object, &track->code->insns[from]);
}

/* True if the instruction may change the word of the frame, or the register that it is addressed from. A call
 * leaves rsp unchanged. */
static bool touches(const js_insn *insn, const js_place *word)
{
    bool is_near = insn->to.kind == JS_PLACE_FRAME && insn->to.reg == word->reg &&
                   insn->to.value < word->value + word->size && word->value < insn->to.value + insn->to.size;
    return is_near || (insn->op != JS_OP_CALL && (insn->written >> word->reg & 1) != 0);
}

enum { BEFORE_BLOCKS = 32 };

typedef struct before { /* blocks that lead to the one that is looked at */
    uint32_t blocks[BEFORE_BLOCKS];
    size_t count;
} before;

/* Add the blocks that lead to this one; false: there are too many. */
static bool add_before(const js_code *code, uint32_t block, before *ctx)
{
    for (uint32_t b = 0; b < code->nblocks; b++) {
        bool is_asked = code->blocks[b].order != JS_CODE_NOWHERE &&
                        (code->blocks[b].successors[0] == block || code->blocks[b].successors[1] == block);
        for (size_t i = 0; i < ctx->count && is_asked; i++) {
            is_asked = ctx->blocks[i] != b;
        }
        if (is_asked && ctx->count == BEFORE_BLOCKS) {
            return false;
        }
        if (is_asked) {
            ctx->blocks[ctx->count++] = b;
        }
    }
    return true;
}

/* Return the symbol whose address a register holds at the begin of a block, on all paths to it; NULL:
 * unknown.
 */
static const char *named_before(const js_object *object, const js_code *code, uint32_t block, unsigned reg)
{
    before ctx = {.count = 0};
    const char *found = NULL;
    bool is_sure = block != 0 && add_before(code, block, &ctx);
    for (size_t i = 0; i < ctx.count && is_sure; i++) {
        const js_basic_block *it = &code->blocks[ctx.blocks[i]];
        const js_insn *writer = NULL;
        for (uint32_t k = it->first + it->count; k-- > it->first && !writer;) {
            writer = code->insns[k].written >> reg & 1 ? &code->insns[k] : NULL;
        }
        const char *name = writer && writer->op != JS_OP_CALL ? js_reference_named(object, writer) : NULL;
        is_sure = writer ? name && (!found || strcmp(found, name) == 0)
                         : ctx.blocks[i] != 0 && add_before(code, ctx.blocks[i], &ctx);
        found = name ? name : found;
    }
    return is_sure ? found : NULL;
}

const char *js_reference_called_from(const js_object *object, const js_code *code, uint32_t first,
                                     uint32_t call)
{
    const js_insn *insns = code->insns;
    js_place place =
        insns[call].from; /* where the address is: a register, or a word of the frame that keeps it */
    if (place.kind != JS_PLACE_REGISTER) {
        return js_reference_named(object, &insns[call]);
    }
    for (uint32_t i = call; i-- > first;) {
        const js_insn *insn = &insns[i];
        bool is_move = insn->op == JS_OP_MOVE && insn->width == 8;
        if (insn->extra_to != JS_PLACE_NONE) {
            return NULL;
        }
        if (place.kind == JS_PLACE_FRAME) {
            bool is_kept = is_move && insn->from.kind == JS_PLACE_REGISTER &&
                           insn->to.kind == JS_PLACE_FRAME && insn->to.reg == place.reg &&
                           insn->to.value == place.value;
            if (!is_kept && touches(insn, &place)) {
                return NULL;
            }
            place = is_kept ? insn->from : place;
        } else if (insn->op == JS_OP_CALL) {
            if (insn->written >> place.reg & 1) {
                return NULL;
            }
        } else if (insn->to.kind == JS_PLACE_REGISTER && insn->to.reg == place.reg) {
            if (!is_move || insn->from.kind != JS_PLACE_FRAME) {
                return js_reference_named(object, insn);
            }
            place = insn->from;
        }
    }
    uint32_t block = js_code_block(code, call);
    bool is_whole = first == code->blocks[block].first && place.kind == JS_PLACE_REGISTER;
    return is_whole ? named_before(object, code, block, place.reg) : NULL;
}

int js_reference_code(js_arena *arena, const js_object *object, js_function *function)
{
    static const uint8_t none[8] = {0};
    uint64_t size = function->hi - function->lo;
    uint8_t *copy = js_arena_alloc(arena, size);
    if (!copy) {
        return JS_ENOMEM;
    }
    memcpy(copy, function->code, size);
    for (size_t i = 0; i < object->nreferences; i++) {
        uint64_t pc = object->references[i].pc;
        if (pc > function->lo && pc < function->hi && function->hi - pc >= sizeof(none) &&
            memcmp(copy + (pc - function->lo), none, sizeof(none)) == 0) {
            memset(copy + (pc - function->lo), 1, sizeof(none));
        }
    }
    function->code = copy;
    return JS_OK;
}

bool js_reference_is_fixed(const char *symbol)
{
    return js_numba_is_kernel_name(symbol) || js_numba_filler_of(symbol) || js_numba_allocates(symbol) ||
           js_reference_is_stop(symbol);
}

bool js_reference_is_stop(const char *symbol)
{
    return js_numba_is_stop(symbol) ||
           strcmp(symbol, "jitscope_breakpoint") == 0; /* jitscope/compiler/services/stops.py */
}
