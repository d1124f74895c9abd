#include "program/elements/stores_moved.h"

#include <string.h>

#include "program/elements/running_code.h"
#include "program/machine/relocated_calls.h"
#include "program/model/lookup.h"
#include "program/names/numba/variable_names.h"

static bool is_in_source_loop(const js_flow *flow, const js_store *store)
{
    bool found = store->loop_first != 0;
    for (size_t i = 0; i < flow->nregions && !found; i++) {
        const js_region *loop = &flow->regions[i];
        found =
            loop->kind == JS_REGION_LOOP && store->first >= loop->first_test && store->first <= loop->last;
    }
    return found;
}

/* Has the statement no row, where code above it has some? */
static bool is_left_out(const js_running *at, const js_store *store)
{
    const js_function *function = at->function;
    bool is_below = false;
    for (size_t i = 0; i < function->nall_rows; i++) {
        uint32_t line = js_function_user_line(function, function->all_rows[i].line);
        if (line >= store->first && line <= store->last) {
            return false;
        }
        is_below |= line > function->line && line < store->first;
    }
    return is_below;
}

/* Marks the blocks that code of this block may lead to. */
static void mark_behind(const js_code *code, uint32_t from, uint8_t *behind, uint32_t *stack)
{
    size_t depth = 0;
    stack[depth++] = from;
    while (depth > 0) {
        const js_basic_block *block = &code->blocks[stack[--depth]];
        for (unsigned s = 0; s < 2; s++) {
            uint32_t next = block->successors[s];
            if (next != JS_CODE_NOWHERE && !behind[next]) {
                behind[next] = 1;
                stack[depth++] = next;
            }
        }
    }
}

/* Whether the one runs behind the other, `behind` being what the block of `first` leads to. */
static bool runs_behind(const js_running *at, const uint8_t *behind, uint32_t first, uint32_t second)
{
    const uint32_t *block_of = at->code.block_of;
    return behind[block_of[second]] || (block_of[first] == block_of[second] && second >= first);
}

/* Does the statement's code call what may store? Counting references does not. */
static bool calls(const js_running *at, const js_store *store)
{
    const js_code *code = &at->code.code;
    bool found = false;
    for (uint32_t b = 0; b < code->nblocks && !found; b++) {
        uint32_t first = code->blocks[b].first, end = first + code->blocks[b].count;
        for (uint32_t i = first; i < end && !found; i++) {
            if (code->insns[i].op == JS_OP_CALL && js_running_is_of(at, store, i)) {
                const char *name = js_reference_called_from(at->function->object, code, first, i);
                found = !name || !(js_numba_takes(name) || js_numba_gives_up(name));
            }
        }
    }
    return found;
}

/* Has the code of a statement in no loop stored, or is that still to come? */
static js_freshness look_at_moved(js_running *at, const js_store *store, const uint8_t *behind)
{
    const js_code *code = &at->code.code;
    bool has_frame = js_running_has_frame(at), has_any = false, is_late = false, is_early = false;
    uint8_t *later = js_arena_alloc(&at->code.scratch, code->nblocks + 1);
    uint32_t *stack = js_arena_alloc(&at->code.scratch, (code->nblocks + 1) * sizeof *stack);
    for (uint32_t i = 0; i < code->ninsns && later && stack; i++) {
        if (!js_running_is_of(at, store, i) || !js_running_stores(&code->insns[i], has_frame)) {
            continue;
        }
        has_any = true;
        is_late |= store->last < at->line && runs_behind(at, behind, at->insn, i);
        if (store->first > at->line) {
            memset(later, 0, code->nblocks + 1);
            mark_behind(code, at->code.block_of[i], later, stack);
            is_early |= i != at->insn && runs_behind(at, later, i, at->insn);
        }
    }
    if (!has_any) { /* its line only reads, for what is stored by none or by another's code */
        return store->last < at->line && !calls(at, store) ? JS_LEFT_OUT : JS_IN_MEMORY;
    }
    return !later || !stack ? JS_IN_MEMORY : is_late ? JS_LEFT_OUT : is_early ? JS_AHEAD : JS_IN_MEMORY;
}

/* The blocks that the place leads to; NULL: not known. */
static uint8_t *find_behind(js_running *at)
{
    size_t nblocks = at->code.code.nblocks + 1;
    uint32_t *stack = js_arena_alloc(&at->code.scratch, nblocks * sizeof *stack);
    uint8_t *behind = stack ? js_arena_alloc(&at->code.scratch, nblocks) : NULL;
    if (behind) {
        mark_behind(&at->code.code, at->code.block_of[at->insn], behind, stack);
    }
    return behind;
}

int js_stores_moved(js_running *at, js_moved_fn tell, void *context)
{
    const js_function *function = at->function;
    bool is_whole = !at->item && !function->parent && at->line;
    bool is_asked = function->level != JS_LEVEL_STEPS && at->insn != JS_CODE_NOWHERE, is_found = false;
    uint8_t *behind = NULL;
    int status = JS_OK;
    for (size_t i = 0; is_whole && i < at->flow->nstores && status == JS_OK; i++) {
        const js_store *store = &at->flow->stores[i];
        js_freshness how = JS_IN_MEMORY;
        if (store->kind != JS_STORE_ELEMENT || is_in_source_loop(at->flow, store)) {
            continue;
        }
        if (store->last < at->line && is_left_out(at, store)) {
            how = JS_LEFT_OUT;
        } else if (is_asked) {
            status = at->lines ? JS_OK : js_running_find_lines(at);
            behind = is_found || !at->lines ? behind : find_behind(at);
            is_found = true;
            how = status == JS_OK && behind ? look_at_moved(at, store, behind) : JS_IN_MEMORY;
        }
        status = status == JS_OK && how != JS_IN_MEMORY ? tell(context, store, how) : status;
    }
    return status;
}
