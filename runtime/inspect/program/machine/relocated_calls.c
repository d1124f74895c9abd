#include "program/machine/relocated_calls.h"

#include <string.h>

#include "program/model/object.h"
#include "program/names/numba/variable_names.h"

/* What an instruction names; NULL: nothing that is told. */
static const char *named(const js_object *object, const js_insn *insn)
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
        return named(object, call);
    }
    uint32_t from = js_track_maker(track, call->from.reg);
    return from == JS_CODE_NOWHERE ? NULL : named(object, &track->code->insns[from]);
}

const char *js_reference_called_from(const js_object *object, const js_code *code, uint32_t first,
                                     uint32_t call)
{
    const js_insn *insns = code->insns;
    if (insns[call].from.kind != JS_PLACE_REGISTER) {
        return named(object, &insns[call]);
    }
    for (uint32_t i = call; i-- > first;) {
        if (insns[i].extra_to != JS_PLACE_NONE || insns[i].op == JS_OP_CALL) {
            return NULL;
        }
        if (insns[i].to.kind == JS_PLACE_REGISTER && insns[i].to.reg == insns[call].from.reg) {
            return named(object, &insns[i]);
        }
    }
    return NULL;
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

bool js_reference_is_stop(const char *symbol)
{
    return js_numba_is_stop(symbol) ||
           strcmp(symbol, "jitscope_breakpoint") == 0; /* jitscope/compiler/services/stops.py */
}
