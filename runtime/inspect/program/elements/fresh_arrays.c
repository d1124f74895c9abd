/* Compares where the source has filled a new array with where the code stores to it. */
#include "program/elements/fresh_arrays.h"

#include <string.h>

#include "program/elements/running_code.h"
#include "program/machine/relocated_calls.h"
#include "program/names/numba/array_makers.h"
#include "program/names/numba/variable_names.h"

/* Facts about the code of a statement that makes an array. */
typedef struct making {
    bool has_code, has_call; /* has_call: a call may store */
    bool has_store, is_late; /* is_late: a store may run at the pc or after it */
    bool has_loop;           /* a store is in a loop */
} making;

static bool may_store(const js_running *running, uint32_t call)
{
    const js_code *code = &running->code.code;
    uint32_t first = code->blocks[running->code.block_of[call]].first;
    const char *name = js_reference_called_from(running->function->object, code, first, call);
    return !name || !(js_numba_allocates(name) || js_numba_counts_references(name));
}

/* True if the instruction leads to the pc. If not, it is part of what runs when the array cannot be made. */
static bool leads_here(const js_running *running, uint32_t insn, uint8_t *after, uint32_t *stack)
{
    uint32_t block = running->code.block_of[insn], own = running->code.block_of[running->insn];
    memset(after, 0, running->code.code.nblocks + 1);
    js_code_mark_after(&running->code.code, block, after, stack);
    return after[own] || (block == own && insn < running->insn);
}

static making look_at(js_running *running, const js_store *statement)
{
    size_t nblocks = running->code.code.nblocks + 1;
    uint8_t *after = js_arena_alloc(&running->code.scratch, nblocks);
    uint32_t *stack = js_arena_alloc(&running->code.scratch, nblocks * sizeof *stack);
    making found = {.has_call = !after || !stack};
    for (uint32_t i = 0; i < running->code.code.ninsns; i++) {
        const js_insn *insn = &running->code.code.insns[i];
        if (found.has_call || !js_running_is_on_lines_of(running, statement, i)) {
            continue;
        }
        found.has_code = true;
        if (insn->op == JS_OP_CALL) {
            found.has_call |= may_store(running, i);
        } else if (js_running_stores(running, i)) {
            bool is_late = js_running_is_later(running, i);
            found.is_late |= is_late;
            found.has_store |= is_late || leads_here(running, i, after, stack);
            found.has_loop |=
                !running->code.is_known || js_line_loop_at(&running->code, i) != JS_CODE_NOWHERE;
        }
    }
    return found;
}

/* True if the definition reaches the current line, so that the variable may hold its array there. */
static bool reaches(const js_running *running, const js_flow_def *def)
{
    const js_flow_at *here = js_flow_find(running->flow, running->line, def->name);
    bool found = false;
    for (size_t i = 0; here && i < here->ndefs && !found; i++) {
        found = here->defs[i] == def->id;
    }
    return found;
}

static js_freshness judge(js_running *running, const js_flow_def *def, const js_store *statement)
{
    making code = look_at(running, statement);
    bool is_left = code.has_code && !code.has_store && !code.has_call;
    bool is_single = code.has_store && !code.has_call && !code.has_loop;
    return code.is_late || is_left || (is_single && js_running_stores_later(running, def->name, true))
               ? JS_LEFT_OUT
               : JS_IN_MEMORY;
}

int js_fresh_moved(js_running *running, js_moved_fn tell, void *context)
{
    const js_function *function = running->function;
    bool is_asked = !running->item && !function->region.parent && running->line &&
                    running->insn != JS_CODE_NOWHERE && function->build.level != JS_LEVEL_STEPS;
    int status = JS_OK;
    for (size_t i = 0; is_asked && i < running->flow->ndefs && status == JS_OK; i++) {
        const js_flow_def *def = &running->flow->defs[i];
        js_store statement = {
            .first = def->line, .last = def->line, .name = def->name, .kind = JS_STORE_ELEMENT};
        for (size_t k = 0; k < running->flow->nspans; k++) {
            const js_flow_lines *span = &running->flow->spans[k];
            statement.last =
                span->first == def->line && span->last > statement.last ? span->last : statement.last;
        }
        if (!def->is_filled || def->in_loop || statement.last >= running->line || !reaches(running, def)) {
            continue;
        }
        status = running->lines ? JS_OK : js_running_find_lines(running);
        status = status || !running->lines ? status : js_running_find_later(running);
        js_freshness how = status == JS_OK && running->after ? judge(running, def, &statement) : JS_IN_MEMORY;
        status = status == JS_OK && how != JS_IN_MEMORY ? tell(context, &statement, how) : status;
    }
    return status;
}
