/* Relates the instructions around a frame's pc to the lines and the stores of the source. */
#include "program/elements/running_code.h"

#include <string.h>

#include "program/model/lookup.h"

enum { LOOKS_MAX = 50000000 }; /* lookups of inlined code for all instructions of a function, at most */

uint32_t js_running_line(const js_running *running, uint64_t pc)
{
    const js_function *function = running->function;
    uint32_t item = js_function_inline_at(function, pc), inner = 0;
    uint32_t own = running->item ? (uint32_t)(running->item - function->inlines) + 1 : 0;
    for (; item && item != own; item = function->inlines[item - 1].parent) {
        inner = item;
    }
    if (item != own) {
        return 0;
    }
    if (inner) {
        return function->inlines[inner - 1].call_line;
    }
    const js_row *row = own ? js_function_row(function->lines.all, function->lines.nall, pc)
                            : js_function_line_row(function, pc);
    return !row ? 0 : own ? row->line : js_function_user_line(function, row->line);
}

int js_running_find_lines(js_running *running)
{
    size_t count = running->code.code.ninsns;
    if (running->code.is_followed && count > LOOKS_MAX / js_function_inline_lookup_cost(running->function)) {
        running->code.is_followed = running->code.is_known = false;
    }
    if (!running->code.is_followed) {
        return JS_OK;
    }
    running->lines = js_arena_alloc(&running->code.scratch, (count + 1) * sizeof *running->lines);
    for (size_t i = 0; running->lines && i < count; i++) {
        running->lines[i] = js_running_line(running, running->code.code.insns[i].address);
    }
    return running->lines ? JS_OK : JS_ENOMEM;
}

int js_running_find_later(js_running *running)
{
    size_t nblocks = running->code.code.nblocks + 1;
    if (running->after) {
        return JS_OK;
    }
    uint32_t *stack = js_arena_alloc(&running->code.scratch, nblocks * sizeof *stack);
    running->after = stack ? js_arena_alloc(&running->code.scratch, nblocks) : NULL;
    if (!running->after) {
        return JS_ENOMEM;
    }
    js_code_mark_after(&running->code.code, running->code.block_of[running->insn], running->after, stack);
    return JS_OK;
}

bool js_running_is_later(const js_running *running, uint32_t insn)
{
    const uint32_t *block_of = running->code.block_of;
    return running->after[block_of[insn]] ||
           (block_of[insn] == block_of[running->insn] && insn >= running->insn);
}

bool js_running_is_on_lines_of(const js_running *running, const js_store *store, uint32_t insn)
{
    return running->lines[insn] >= store->first && running->lines[insn] <= store->last;
}

bool js_running_stores(const js_running *running, uint32_t insn)
{
    const js_insn *it = &running->code.code.insns[insn];
    return it->stores && js_code_is_element(&running->code.code, &it->to) &&
           !js_function_raise(running->function, it->address, it->address + 1);
}

/* True if LLVM gave the instruction no line, as it does where one instruction replaces those of two branches.
 */
static bool is_lineless(const js_function *function, uint64_t address)
{
    const js_row *row = js_function_row(function->lines.all, function->lines.nall, address);
    return row && row->line == 0 && !js_function_inline_at(function, address);
}

bool js_running_is_orphan(const js_running *running, uint32_t insn)
{
    const js_insn *it = &running->code.code.insns[insn];
    uint32_t line = running->lines[insn];
    if (!js_running_stores(running, insn)) {
        return false;
    }
    if (js_flow_leaves(running->flow, line)) { /* a store of the result uses no index register */
        return it->to.kind == JS_PLACE_MEMORY && it->to.index != JS_CODE_REGISTERS &&
               is_lineless(running->function, it->address);
    }
    return it->op != JS_OP_ZERO &&
           (js_flow_is_quiet(running->flow, line) || is_lineless(running->function, it->address));
}

/* True if a variable may be a view of an array that the function makes. */
static bool may_be_view(const js_flow *flow, const char *name)
{
    bool found = false;
    for (size_t i = flow->narguments; i < flow->ndefs && !found; i++) {
        found = !flow->defs[i].is_fresh && strcmp(flow->defs[i].name, name) == 0;
    }
    return found;
}

bool js_running_stores_later(const js_running *running, const char *name, bool is_any)
{
    bool found = false;
    for (size_t i = 0; i < running->flow->nstores && !found; i++) {
        const js_store *store = &running->flow->stores[i];
        bool is_asked = (is_any || store->kind == JS_STORE_ELEMENT) && store->last >= running->line &&
                        (!store->name || strcmp(store->name, name) == 0 ||
                         (is_any && may_be_view(running->flow, store->name)));
        for (uint32_t k = 0; k < running->code.code.ninsns && is_asked && !found; k++) {
            bool is_its = (is_any && js_running_is_orphan(running, k)) ||
                          (js_running_stores(running, k) && js_running_is_on_lines_of(running, store, k));
            found = is_its && js_running_is_later(running, k);
        }
    }
    return found;
}
