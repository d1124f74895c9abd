/* Compares where the source stores to elements with where the code does. */
#include "program/elements/stores_moved.h"

#include <string.h>

#include "program/elements/running_code.h"
#include "program/machine/relocated_calls.h"
#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/model/objects.h"
#include "program/names/numba/variable_names.h"

/* A statement that stores, or the outermost loop that it is in. */
typedef struct moved_part {
    const js_store *store;
    uint32_t first, last; /* its lines */
    bool is_loop, is_parallel;
} moved_part;

static moved_part part_of(const js_flow *flow, const js_store *store)
{
    moved_part part = {.store = store, .first = store->first, .last = store->last};
    const js_region *loop = js_flow_outermost_loop(flow, store->first, NULL);
    if (loop) {
        part.first = loop->first_test;
        part.last = loop->last;
        part.is_loop = true;
    }
    part.is_parallel = part.is_loop && js_flow_parallel_loop(flow, part.first);
    return part;
}

/* True if the statement has no row, though code above it has some. */
static bool is_left_out(const js_running *running, const js_store *store)
{
    const js_function *function = running->function;
    bool is_below = false;
    for (size_t i = 0; i < function->lines.nall; i++) {
        uint32_t line = js_function_user_line(function, function->lines.all[i].line);
        if (line >= store->first && line <= store->last) {
            return false;
        }
        is_below |= line > function->line && line < store->first;
    }
    return is_below;
}

/* True if the pc may be reached after the instruction. later: the blocks that the instruction's block leads
 * to. */
static bool is_run_before(const js_running *running, const uint8_t *later, uint32_t insn)
{
    const uint32_t *block_of = running->code.block_of;
    return insn != running->insn && (later[block_of[running->insn]] ||
                                     (block_of[insn] == block_of[running->insn] && running->insn >= insn));
}

static bool changes_nothing(const js_running *running, uint32_t first, uint32_t call)
{
    const char *name = js_reference_called_from(running->function->object, &running->code.code, first, call);
    return name && (js_numba_counts_references(name) || js_numba_only_reads(name));
}

/* True if this instruction, or the function that it calls, may make the statement's store. */
static bool may_be_store(const js_running *running, const moved_part *part, uint32_t insn)
{
    const js_code *code = &running->code.code;
    js_store lines = {.first = part->first, .last = part->last};
    if (part->is_parallel) { /* the call that starts the loop */
        return code->insns[insn].op == JS_OP_CALL && js_running_is_on_lines_of(running, &lines, insn) &&
               !changes_nothing(running, code->blocks[running->code.block_of[insn]].first, insn);
    }
    return js_running_stores(running, insn) && js_running_is_on_lines_of(running, part->store, insn);
}

/* True if the statement's code calls a function that may store. Counting references does not. */
static bool calls(const js_running *running, const js_store *store)
{
    moved_part part = {.store = store, .first = store->first, .last = store->last, .is_parallel = true};
    const js_code *code = &running->code.code;
    bool found = false;
    for (uint32_t i = 0; i < code->ninsns && !found; i++) {
        found = may_be_store(running, &part, i);
    }
    return found;
}

/* Return 1 if the kernel may have code that makes the statement's store, 0 if it has none, or an error below
 * 0. */
static int has_store(const js_running *running, const js_function *kernel, const js_store *store)
{
    js_running own = {.program = running->program,
                      .function = kernel,
                      .flow = running->flow,
                      .line = running->line,
                      .pc = kernel->lo};
    moved_part code = {.store = store, .first = store->first, .last = store->last};
    int status = js_line_loops_init(&own.code, kernel);
    status = status ? status : js_running_find_lines(&own);
    bool found = status == JS_OK && !own.lines; /* the kernel's code is not known */
    for (uint32_t i = 0; own.lines && i < own.code.code.ninsns && !found; i++) {
        found = may_be_store(&own, &code, i);
    }
    found = found || (own.lines && calls(&own, store));
    js_line_loops_deinit(&own.code);
    return status ? status : found;
}

/* True if the function has kernels, and none of them makes the store. Numba removes the stores of a parallel
 * loop when it fuses the loop with the one that reads the array. */
static bool is_in_no_kernel(const js_running *running, const js_store *store)
{
    const js_program *program = running->program;
    bool has_any = false, found = false;
    for (size_t o = 0; o < program->nobjects && !found; o++) {
        const js_object *object = program->objects[o];
        for (size_t i = 0; object && i < object->nfunctions && !found; i++) {
            const js_function *kernel = &object->functions[i];
            if (kernel->region.parent == running->function && kernel->code) {
                has_any = true;
                found = has_store(running, kernel, store) != 0;
            }
        }
    }
    return has_any && !found;
}

/* True if the instruction belongs to another statement that stores elements. */
static bool is_of_other(const js_running *running, const js_store *store, uint32_t insn)
{
    bool found = false;
    for (size_t i = 0; i < running->flow->nstores && !found; i++) {
        const js_store *other = &running->flow->stores[i];
        found = other->kind == JS_STORE_ELEMENT && other->first != store->first &&
                js_running_is_on_lines_of(running, other, insn);
    }
    return found;
}

/* True if code of the loop that belongs to no other storing statement stores, or any code of it calls a
 * function that may store. */
static bool is_stored_by_loop(const js_running *running, const moved_part *part)
{
    js_store loop = {.first = part->first, .last = part->last};
    bool found = calls(running, &loop);
    for (uint32_t i = 0; i < running->code.code.ninsns && !found; i++) {
        found = js_running_stores(running, i) && js_running_is_on_lines_of(running, &loop, i) &&
                !is_of_other(running, part->store, i);
    }
    return found;
}

/* True for a typed dict or list, whose items are stored by calls. */
static bool is_container(const js_function *function, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < function->nlocals && name && !found; i++) {
        const js_local *local = &function->locals[i];
        unsigned kind = local->nversions ? local->versions[0]->type->kind : JS_KIND_OPAQUE;
        found = strcmp(local->name, name) == 0 && (kind == JS_KIND_DICT || kind == JS_KIND_LIST);
    }
    return found;
}

/* Judge a statement whose own lines have no store: nothing stores its elements, or code with another line
 * does, perhaps that of a statement below. Numba starts a loop that it has fused from several in this way. */
static js_freshness look_at_none(const js_running *running, const moved_part *part)
{
    bool is_called = is_container(running->function, part->store->name); /* other lines' stores are not its */
    bool is_moved = part->store->name && js_running_stores_later(running, part->store->name, false);
    bool is_within = part->is_loop && (is_called || is_moved) && running->line >= part->first;
    bool is_stored = part->is_loop && !is_called && !is_moved && is_stored_by_loop(running, part);
    bool is_left = part->is_parallel || (!calls(running, part->store) && !is_stored);
    return is_left && (running->line > part->last || is_within) ? JS_LEFT_OUT : JS_IN_MEMORY;
}

/* Whether a part has stores, whether one may still run although the part is above the line, and whether one
 * may have run although the part is below it. */
typedef struct timing {
    bool has_any, is_late, is_early;
} timing;

/* Find the timing of the part's stores. With of_none: of the orphans (js_running_is_orphan()) in place of the
 * statement's own stores. The compiler merges the stores of two statements, and moves the merged one ahead of
 * the test between them. */
static timing find_timing(js_running *running, const moved_part *part, bool of_none)
{
    const js_code *code = &running->code.code;
    uint8_t *later = js_arena_alloc(&running->code.scratch, code->nblocks + 1);
    uint32_t *stack = js_arena_alloc(&running->code.scratch, (code->nblocks + 1) * sizeof *stack);
    timing found = {0};
    for (uint32_t i = 0; i < code->ninsns && later && stack; i++) {
        uint32_t block = running->code.block_of[i];
        if (of_none ? !js_running_is_orphan(running, i) : !may_be_store(running, part, i)) {
            continue;
        }
        found.has_any = true;
        found.is_late |= part->last < running->line && js_running_is_later(running, i);
        if (part->first > running->line) {
            memset(later, 0, code->nblocks + 1);
            js_code_mark_after(code, block, later, stack);
            found.is_early |= is_run_before(running, later, i);
        }
    }
    return found;
}

/* True if the part is a loop that the compiler may have unrolled completely, and a statement below stores to
 * the same variable: on some paths the compiler may have merged the two stores. */
static bool is_overwritten(const js_running *running, const moved_part *part)
{
    bool is_asked = part->is_loop && !part->is_parallel && part->store->name && part->last < running->line;
    for (uint32_t i = 0; i < running->code.code.ninsns && is_asked; i++) {
        is_asked = !may_be_store(running, part, i) || !running->code.is_known ||
                   js_line_loop_at(&running->code, i) == JS_CODE_NOWHERE;
    }
    return is_asked && js_running_stores_later(running, part->store->name, false);
}

/* True if the statement of the current line, or one below it, stores, so that an orphan may be its store. */
static bool may_store_below(const js_running *running)
{
    bool found = false;
    for (size_t i = 0; i < running->flow->nstores && !found; i++) {
        found = running->flow->stores[i].last >= running->line;
    }
    return found;
}

/* Judge whether the part's stores have run when they should have, by the order of the code. */
static js_freshness look_at(js_running *running, const moved_part *part)
{
    timing found = find_timing(running, part, false);
    bool has_own = found.has_any;
    if (!has_own && !part->is_parallel) {
        found = find_timing(running, part, true);
    } else if (part->is_loop && part->last < running->line && !may_store_below(running)) {
        found.is_late |= find_timing(running, part, true).is_late; /* the loop may be unrolled completely */
    }
    js_freshness how = found.is_late || (has_own && is_overwritten(running, part)) ? JS_LEFT_OUT
                       : found.is_early                                            ? JS_AHEAD
                                                                                   : JS_IN_MEMORY;
    return how == JS_IN_MEMORY && !has_own ? look_at_none(running, part) : how;
}

/* True if Numba removed the store, so that what the statement's code still stores is something else. */
static bool is_removed(const js_function *function, const js_store *store)
{
    bool found = false;
    for (size_t i = 0; i < function->build.nremoved && !found; i++) {
        found = function->build.removed[i] >= store->first && function->build.removed[i] <= store->last;
    }
    return found;
}

int js_stores_moved(js_running *running, js_moved_fn tell, void *context)
{
    const js_function *function = running->function;
    bool is_whole = !running->item && !function->region.parent && running->line;
    bool is_asked = function->build.level != JS_LEVEL_STEPS && running->insn != JS_CODE_NOWHERE;
    int status = JS_OK;
    for (size_t i = 0; is_whole && i < running->flow->nstores && status == JS_OK; i++) {
        const js_store *store = &running->flow->stores[i];
        js_freshness how = JS_IN_MEMORY;
        if (store->kind != JS_STORE_ELEMENT || store->loop_first) {
            continue;
        }
        moved_part part = part_of(running->flow, store);
        if (is_removed(function, store)) {
            how = running->line > part.last || (part.is_loop && running->line >= part.first) ? JS_LEFT_OUT
                                                                                             : how;
        } else if (!part.is_loop && store->last < running->line && is_left_out(running, store)) {
            how = JS_LEFT_OUT;
        } else if (is_asked) {
            status = running->lines ? JS_OK : js_running_find_lines(running);
            status = status || !running->lines ? status : js_running_find_later(running);
            how = status == JS_OK && running->after ? look_at(running, &part) : JS_IN_MEMORY;
            bool is_after = how == JS_IN_MEMORY && part.is_parallel && running->line > part.last;
            how = is_after && is_in_no_kernel(running, store) ? JS_LEFT_OUT : how;
        }
        status = status == JS_OK && how != JS_IN_MEMORY ? tell(context, store, how) : status;
    }
    return status;
}
