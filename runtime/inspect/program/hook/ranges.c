/* Finds where the slots of an area are valid: after a marker. Before the first marker they hold what the
 * stack held before, or values of an earlier iteration of a loop. Where the function leaves its frame, the
 * register that they are addressed from may point elsewhere. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "program/hook/decoded.h"
#include "program/machine/relocated_calls.h"
#include "program/model/lookup.h"
#include "program/model/object.h"

enum { HOOK_SCRATCH = 512 << 20, HOOK_NO_REGISTER = JS_CODE_REGISTERS, HOOK_LOOKS = 50000000 };

enum { NOT_PASSED, PASSED, PASSED_FIRST /* a first marker */ };

const char js_hook_not_begun[] = "its function has not begun, or is being left";
static const char full_speed[] = "its loop runs at full speed, and keeps no variables";
static const char some_ways[] = "on some of the ways here no line has begun yet";

static void find_bare(js_hook_code *hook)
{
    const js_function *function = hook->function;
    for (size_t i = 0; i < function->lines.nall; i++) {
        uint64_t end = i + 1 < function->lines.nall ? function->lines.all[i + 1].address : function->hi;
        uint32_t insn = function->lines.all[i].line || end <= function->lines.all[i].address
                            ? JS_CODE_NOWHERE
                            : js_code_find(&hook->code, function->lines.all[i].address);
        for (; insn < hook->code.ninsns && hook->code.insns[insn].address < end; insn++) {
            hook->is_bare[insn] = 1;
        }
    }
}

static int find_scopes(js_hook_code *hook)
{
    hook->scopes = js_arena_alloc(&hook->scratch, (hook->code.ninsns + 1) * sizeof(*hook->scopes));
    hook->marks = js_arena_alloc(&hook->scratch, hook->code.ninsns + 1);
    hook->passed = js_arena_alloc(&hook->scratch, hook->code.ninsns + 1);
    hook->is_bare = js_arena_alloc(&hook->scratch, hook->code.ninsns + 1);
    if (!hook->scopes || !hook->marks || !hook->passed || !hook->is_bare) {
        return JS_ENOMEM;
    }
    for (uint32_t i = 0; i < hook->function->ninlines; i++) { /* children overwrite their parents */
        const js_inline *item = &hook->function->inlines[i];
        for (size_t r = 0; r < item->nranges; r++) {
            uint32_t insn = js_code_find(&hook->code, item->ranges[2 * r]);
            for (; insn < hook->code.ninsns && hook->code.insns[insn].address < item->ranges[2 * r + 1];
                 insn++) {
                hook->scopes[insn] = i + 1;
            }
        }
    }
    for (size_t i = 0; i < hook->function->lines.nall; i++) {
        const js_row *row = &hook->function->lines.all[i];
        uint32_t insn =
            row->column == JS_COLUMN_MARKER ? js_code_find(&hook->code, row->address) : JS_CODE_NOWHERE;
        if (insn != JS_CODE_NOWHERE) {
            hook->marks[insn] = 1;
        }
    }
    find_bare(hook);
    return JS_OK;
}

int js_hook_code_create(js_object *object, const js_function *function, js_hook_code **out)
{
    js_hook_code *hook = calloc(1, sizeof(*hook));
    if (!hook) {
        return JS_ENOMEM;
    }
    hook->object = object;
    hook->function = function;
    js_arena_init(&hook->scratch, HOOK_SCRATCH);
    js_function linked = *function;
    int status = function->code && function->hi > function->lo
                     ? js_reference_code(&hook->scratch, object, &linked)
                     : JS_OK;
    status = status ? status : js_code_init(&hook->code, &hook->scratch, object->machine, &linked);
    size_t nlooks = js_function_inline_lookup_cost(function);
    hook->is_small = function->lines.nall + hook->code.ninsns <= HOOK_LOOKS / nlooks;
    if (status == JS_OK && hook->is_small) {
        hook->is_followed = true;
        status = find_scopes(hook);
        status =
            status == JS_OK ? js_code_count_predecessors(&hook->code, &hook->scratch, &hook->nways) : status;
    }
    if (status == JS_OK && hook->is_small) {
        status = js_track_init(&hook->track, &hook->scratch, &hook->code);
        hook->is_tracked = status == JS_OK;
    }
    if (status == JS_ENOMEM) {
        js_hook_code_destroy(hook);
        return status;
    }
    *out = hook;
    return JS_OK;
}

void js_hook_code_destroy(js_hook_code *code)
{
    js_arena_deinit(&code->scratch);
    free(code);
}

const js_function *js_hook_code_function(const js_hook_code *code)
{
    return code->function;
}

static bool is_elsewhere(const js_place *place)
{
    return place->kind == JS_PLACE_MEMORY &&
           (place->reg != JS_CODE_REGISTERS || place->index != JS_CODE_REGISTERS);
}

bool js_hook_code_access(const js_hook_code *code, uint32_t scope, uint64_t lo, uint64_t hi,
                         uint64_t *address, uint64_t *end)
{
    uint32_t insn = code->is_followed ? js_code_find(&code->code, lo) : JS_CODE_NOWHERE;
    for (; insn < code->code.ninsns && code->code.insns[insn].address < hi; insn++) {
        const js_insn *it = &code->code.insns[insn];
        if (it->address >= lo && code->scopes[insn] == scope && it->op != JS_OP_ADDRESS &&
            (is_elsewhere(&it->from) || is_elsewhere(&it->to))) {
            *address = it->address;
            *end = it->address + it->length;
            return true;
        }
    }
    return false;
}

/* ---- markers passed ---- */

/* Instructions of the caller may lie among those of inlined code. If the program comes back to the inlined
 * code after a line of the caller, or after a block where paths join, as at a loop, that is another run of
 * it. */
enum { STATE_NONE, STATE_LEFT /* a marker was passed, and code of the caller runs */, STATE_PASSED };

static uint8_t run_block(const js_hook_code *hook, const js_basic_block *block, uint32_t scope, uint8_t state,
                         uint8_t *out)
{
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        bool is_outside =
            scope && !hook->is_bare[i] && !js_function_is_within(hook->function, hook->scopes[i], scope);
        if (is_outside) {
            state = state == STATE_NONE || hook->marks[i] ? STATE_NONE : STATE_LEFT;
        } else if (state == STATE_LEFT && !hook->is_bare[i]) {
            state = STATE_PASSED;
        }
        bool is_mark = hook->marks[i] && hook->scopes[i] == scope;
        out[i] = is_mark && state == STATE_NONE ? PASSED_FIRST : state == STATE_PASSED;
        state = is_mark ? STATE_PASSED : state;
    }
    return state;
}

static uint8_t enter_block(const js_hook_code *hook, uint32_t block, uint8_t state)
{
    return state == STATE_LEFT && hook->nways[block] > 1 ? STATE_NONE : state;
}

/* Fill hook->passed for all paths: a block counts as passed until a path shows that it is not. */
static int find_passed(js_hook_code *hook, uint32_t scope)
{
    const js_code *code = &hook->code;
    uint8_t *in = js_arena_alloc(&hook->scratch, code->nblocks + 1);
    if (!in) {
        return JS_ENOMEM;
    }
    memset(in, STATE_PASSED, code->nblocks);
    memset(hook->passed, 0, code->ninsns);
    in[0] = STATE_NONE;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t o = 0; o < code->norder; o++) {
            const js_basic_block *block = &code->blocks[code->order[o]];
            uint8_t state = run_block(hook, block, scope, in[code->order[o]], hook->passed);
            for (unsigned s = 0; s < 2; s++) {
                uint32_t to = block->successors[s];
                if (to != JS_CODE_NOWHERE && in[to] > enter_block(hook, to, state)) {
                    in[to] = enter_block(hook, to, state);
                    changed = true;
                }
            }
        }
    }
    return JS_OK;
}

int js_hook_reached_find(js_hook_code *hook, uint32_t scope, uint8_t *reached)
{
    const js_code *code = &hook->code;
    uint8_t *in = js_arena_alloc(&hook->scratch, code->nblocks + 1);
    if (!in) {
        return JS_ENOMEM;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t o = 0; o < code->norder; o++) {
            const js_basic_block *block = &code->blocks[code->order[o]];
            uint8_t state = run_block(hook, block, scope, in[code->order[o]], reached);
            for (unsigned s = 0; s < 2; s++) {
                uint32_t to = block->successors[s];
                if (to != JS_CODE_NOWHERE && in[to] < enter_block(hook, to, state)) {
                    in[to] = enter_block(hook, to, state);
                    changed = true;
                }
            }
        }
    }
    return JS_OK;
}

/* ---- the frame's register ---- */

static unsigned base_register(const js_function *function, const uint8_t *base, size_t size)
{
    if (size && *base >= DW_OP_breg0 && *base <= DW_OP_breg31) {
        return js_code_from_dwarf((uint64_t)(*base - DW_OP_breg0));
    }
    if (size && *base == DW_OP_fbreg && function->frame_base_size == 1 &&
        *function->frame_base >= DW_OP_reg0 && *function->frame_base <= DW_OP_reg31) {
        return js_code_from_dwarf((uint64_t)(*function->frame_base - DW_OP_reg0));
    }
    return HOOK_NO_REGISTER; /* the canonical frame address, which does not change */
}

/* Clear hook->passed where the register may not point to where it does at the first marker. */
static void drop_moved(js_hook_code *hook, unsigned reg, uint32_t first)
{
    const js_code *code = &hook->code;
    if (reg == HOOK_NO_REGISTER) {
        return;
    }
    const int64_t *known = hook->is_tracked && reg == JS_CODE_RSP   ? hook->track.stack
                           : hook->is_tracked && reg == JS_CODE_RBP ? hook->track.frame
                                                                    : NULL;
    if (known && known[first] != JS_TRACK_NOWHERE) {
        for (size_t i = 0; i < code->ninsns; i++) {
            hook->passed[i] = hook->passed[i] && known[i] == known[first];
        }
        return;
    }
    /* the register changes only where the function is left, and before the first marker, where it is set up
     */
    for (size_t b = 0; b < code->nblocks; b++) {
        bool moved = false;
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].first + code->blocks[b].count; i++) {
            hook->passed[i] = hook->passed[i] && !moved;
            bool is_set_up = i < first && first < code->blocks[b].first + code->blocks[b].count;
            moved |= (code->insns[i].written >> reg & 1) && code->insns[i].op != JS_OP_CALL && !is_set_up;
        }
    }
}

/* ---- ranges ---- */

static int add_range(js_hook_code *hook, size_t *capacity, js_hook_ranges *out, uint64_t lo, uint64_t hi)
{
    if (out->count && out->ranges[2 * out->count - 1] == lo) {
        out->ranges[2 * out->count - 1] = hi;
        return JS_OK;
    }
    if (out->count == *capacity) {
        size_t room = *capacity ? 2 * *capacity : 4;
        uint64_t *more = js_arena_alloc(&hook->object->arena, 2 * room * sizeof(*more));
        if (!more) {
            return JS_ENOMEM;
        }
        if (out->count) {
            memcpy(more, out->ranges, 2 * out->count * sizeof(*more));
        }
        out->ranges = more;
        *capacity = room;
    }
    out->ranges[2 * out->count] = lo;
    out->ranges[2 * out->count++ + 1] = hi;
    return JS_OK;
}

/* Take everything after the first marker, for code that cannot be followed: compilers put a function's first
 * statement first. */
static int ranges_by_address(js_hook_code *hook, uint32_t scope, js_hook_ranges *out)
{
    const js_function *function = hook->function;
    size_t capacity = 0;
    for (size_t i = 0; i < function->lines.nall && !out->first; i++) {
        const js_row *row = &function->lines.all[i];
        if (row->column == JS_COLUMN_MARKER && js_function_inline_at(function, row->address) == scope) {
            out->first = row->address;
        }
    }
    if (!out->first) {
        return JS_OK;
    }
    if (!scope) {
        return add_range(hook, &capacity, out, out->first, function->hi);
    }
    const js_inline *item = &function->inlines[scope - 1];
    int status = JS_OK;
    for (size_t r = 0; r < item->nranges && status == JS_OK; r++) {
        uint64_t lo = item->ranges[2 * r] > out->first ? item->ranges[2 * r] : out->first;
        if (lo < item->ranges[2 * r + 1]) {
            status = add_range(hook, &capacity, out, lo, item->ranges[2 * r + 1]);
        }
    }
    return status;
}

static bool is_full_speed(const js_row *row)
{
    return row && (row->column == JS_COLUMN_LOOP || row->column == JS_COLUMN_PLAIN);
}

/* Find the reason for each instruction that hook->passed excludes. was_passed: hook->passed before
 * drop_moved().
 */
static int find_gaps(js_hook_code *hook, uint32_t scope, const uint8_t *was_passed, js_hook_ranges *out)
{
    const js_code *code = &hook->code;
    const js_function *function = hook->function;
    uint8_t *reached = js_arena_alloc(&hook->scratch, code->ninsns + 1);
    int status = reached ? js_hook_reached_find(hook, scope, reached) : JS_ENOMEM;
    size_t capacity = 0, row = 0;
    for (size_t i = 0; i < code->ninsns && status == JS_OK; i++) {
        const js_insn *insn = &code->insns[i];
        while (row + 1 < function->lines.nall && function->lines.all[row + 1].address <= insn->address) {
            row++;
        }
        if (hook->passed[i]) {
            continue;
        }
        bool is_fast = function->lines.nall && is_full_speed(&function->lines.all[row]);
        const char *reason = is_fast                        ? full_speed
                             : reached[i] && !was_passed[i] ? some_ways
                                                            : js_hook_not_begun;
        js_hook_gap *last = out->ngaps ? &out->gaps[out->ngaps - 1] : NULL;
        if (last && last->hi == insn->address && last->reason == reason) {
            last->hi += insn->length;
            continue;
        }
        if (out->ngaps == capacity) {
            size_t room = capacity ? 2 * capacity : 4;
            js_hook_gap *more = js_arena_alloc(&hook->scratch, room * sizeof(*more));
            if (!more) {
                return JS_ENOMEM;
            }
            if (out->ngaps) {
                memcpy(more, out->gaps, out->ngaps * sizeof(*more));
            }
            out->gaps = more;
            capacity = room;
        }
        out->gaps[out->ngaps++] = (js_hook_gap){insn->address, insn->address + insn->length, reason};
    }
    return status;
}

int js_hook_ranges_find(js_hook_code *hook, uint32_t scope, const uint8_t *base, size_t base_size,
                        js_hook_ranges *out)
{
    *out = (js_hook_ranges){0};
    if (!hook->is_followed) {
        return hook->is_small ? ranges_by_address(hook, scope, out) : JS_OK;
    }
    const js_code *code = &hook->code;
    int status = find_passed(hook, scope);
    uint32_t first = JS_CODE_NOWHERE;
    for (uint32_t i = 0; i < code->ninsns && status == JS_OK && first == JS_CODE_NOWHERE; i++) {
        if (hook->passed[i] == PASSED_FIRST) {
            first = i; /* the one with the lowest address, where there are several */
        }
    }
    uint8_t *was_passed = js_arena_alloc(&hook->scratch, code->ninsns + 1);
    if (status != JS_OK || !was_passed) {
        return status != JS_OK ? status : JS_ENOMEM;
    }
    memcpy(was_passed, hook->passed, code->ninsns);
    if (first != JS_CODE_NOWHERE) {
        out->first = code->insns[first].address;
        drop_moved(hook, base_register(hook->function, base, base_size), first);
    }
    size_t capacity = 0;
    for (size_t i = 0; i < code->ninsns && status == JS_OK; i++) {
        if (hook->passed[i]) {
            uint64_t lo = code->insns[i].address;
            status = add_range(hook, &capacity, out, lo, lo + code->insns[i].length);
        }
    }
    return status == JS_OK ? find_gaps(hook, scope, was_passed, out) : status;
}
