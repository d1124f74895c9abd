/* Finds the loops of a function's code, and what one pass through a loop does. */
#include "program/machine/line_loops.h"

#include <stdlib.h>

#include "program/model/object.h"

enum { LOOPS_SCRATCH = 512 << 20, ACCESSES_MAX = 1024 };

int js_line_loops_init(js_line_loops *loops, const js_function *function)
{
    *loops =
        (js_line_loops){.nrows = function->lines.nall,
                        .rows = function->statements.rows ? function->statements.rows : function->lines.all};
    js_arena_init(&loops->scratch, LOOPS_SCRATCH);
    int status = js_code_init(&loops->code, &loops->scratch, function->object->machine, function);
    if (status != JS_OK) {
        return status == JS_ENOMEM ? status : JS_OK;
    }
    loops->block_of = js_arena_alloc(&loops->scratch, (loops->code.ninsns + 1) * sizeof(*loops->block_of));
    if (!loops->block_of) {
        return JS_ENOMEM;
    }
    for (uint32_t b = 0; b < loops->code.nblocks; b++) {
        for (uint32_t i = 0; i < loops->code.blocks[b].count; i++) {
            loops->block_of[loops->code.blocks[b].first + i] = b;
        }
    }
    loops->is_followed = true;
    status = js_code_loops(&loops->code, &loops->scratch, &loops->innermost);
    loops->is_known = status == JS_OK;
    return status == JS_ENOMEM ? status : JS_OK;
}

void js_line_loops_deinit(js_line_loops *loops)
{
    js_arena_deinit(&loops->scratch);
}

uint32_t js_line_insn(const js_line_loops *loops, uint64_t address)
{
    return js_code_find(&loops->code, address);
}

uint32_t js_line_loop_at(const js_line_loops *loops, uint32_t insn)
{
    return insn == JS_CODE_NOWHERE ? JS_CODE_NOWHERE : loops->innermost[loops->block_of[insn]];
}

bool js_line_loop_is_packed(const js_line_loops *loops, uint32_t insn)
{
    uint32_t loop = js_line_loop_at(loops, insn);
    bool packed = false;
    for (uint32_t i = 0; i < loops->code.ninsns && loop != JS_CODE_NOWHERE; i++) {
        packed |= loops->code.insns[i].is_packed && js_line_loop_at(loops, i) == loop;
    }
    return packed;
}

/* Return what an iteration of the loop adds to a register; 0: not exactly one instruction changes it, or not
 * by a constant. */
static int64_t step_of(const js_line_loops *loops, uint32_t loop, unsigned reg)
{
    int64_t step = 0;
    unsigned writes = 0;
    if (reg >= JS_CODE_REGISTERS) {
        return 0;
    }
    for (uint32_t i = 0; i < loops->code.ninsns; i++) {
        if (js_line_loop_at(loops, i) == loop && (loops->code.insns[i].written >> reg & 1)) {
            step = loops->code.insns[i].step;
            writes++;
        }
    }
    return writes == 1 ? step : 0;
}

static const js_place *access_of(const js_insn *insn)
{
    return insn->from.kind == JS_PLACE_MEMORY ? &insn->from
           : insn->to.kind == JS_PLACE_MEMORY ? &insn->to
                                              : NULL;
}

static int access_order(const void *left, const void *right)
{
    const js_insn *l = *(const js_insn *const *)left, *r = *(const js_insn *const *)right;
    const js_place *a = access_of(l), *b = access_of(r);
    const int64_t keys[][2] = {{l->id, r->id},       {l->from.kind, r->from.kind}, {a->reg, b->reg},
                               {a->index, b->index}, {a->scale, b->scale},         {a->value, b->value}};
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return 0;
}

static bool same_array(const js_insn *left, const js_insn *right)
{
    const js_place *a = access_of(left), *b = access_of(right);
    return left->id == right->id && left->from.kind == right->from.kind && a->reg == b->reg &&
           a->index == b->index && a->scale == b->scale;
}

/* True if the accesses, to one array and in order of their displacements, lie at equal distances, and an
 * iteration advances by all of them. */
static bool tiles(const js_line_loops *loops, uint32_t loop, const js_insn *const *accesses, size_t count)
{
    const js_place *first = access_of(accesses[0]);
    int64_t apart = count > 1 ? access_of(accesses[1])->value - first->value : 0;
    for (size_t i = 1; i < count; i++) {
        if (access_of(accesses[i])->value - access_of(accesses[i - 1])->value != apart) {
            return false;
        }
    }
    int64_t step =
        step_of(loops, loop, first->reg) +
        (first->index < JS_CODE_REGISTERS ? step_of(loops, loop, first->index) * (int64_t)first->scale : 0);
    int64_t whole = apart * (int64_t)count;
    return apart > 0 && (step == whole || step == -whole);
}

bool js_line_loop_is_strided(js_line_loops *loops, uint32_t insn)
{
    uint32_t loop = js_line_loop_at(loops, insn);
    const js_insn **accesses = js_arena_alloc(&loops->scratch, ACCESSES_MAX * sizeof(*accesses));
    size_t count = 0;
    for (uint32_t i = 0; i < loops->code.ninsns && accesses && loop != JS_CODE_NOWHERE; i++) {
        if (js_line_loop_at(loops, i) == loop && access_of(&loops->code.insns[i]) && count < ACCESSES_MAX) {
            accesses[count++] = &loops->code.insns[i];
        }
    }
    if (count > 1) {
        qsort(accesses, count, sizeof(*accesses), access_order);
    }
    bool found = false;
    for (size_t first = 0, end; first < count && !found; first = end) {
        for (end = first + 1; end < count && same_array(accesses[first], accesses[end]); end++) {
        }
        found = tiles(loops, loop, accesses + first, end - first);
    }
    return found;
}

bool js_line_follows(js_line_loops *loops, uint32_t before, uint32_t after)
{
    uint32_t loop = js_line_loop_at(loops, before);
    if (loop == JS_CODE_NOWHERE || js_line_loop_at(loops, after) != loop || before == after) {
        return false;
    }
    uint32_t from = loops->block_of[before], to = loops->block_of[after];
    if (from == to) {
        return before < after;
    }
    uint8_t *seen = js_arena_alloc(&loops->scratch, loops->code.nblocks);
    uint32_t *stack = js_arena_alloc(&loops->scratch, loops->code.nblocks * sizeof(*stack));
    size_t depth = 0;
    if (!seen || !stack) {
        return false;
    }
    stack[depth++] = from;
    while (depth > 0 && !seen[to]) {
        const js_basic_block *block = &loops->code.blocks[stack[--depth]];
        for (unsigned s = 0; s < 2; s++) {
            uint32_t next = block->successors[s];
            if (next != JS_CODE_NOWHERE && !seen[next] && loops->innermost[next] == loop &&
                loops->code.blocks[next].order > block->order) {
                seen[next] = 1;
                stack[depth++] = next;
            }
        }
    }
    return seen[to];
}
