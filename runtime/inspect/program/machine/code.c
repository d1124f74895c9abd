/* Decodes the code of a function, divides it into blocks, and finds their order. */
#include "program/machine/code.h"

#include <elf.h>
#include <string.h>

#include "program/machine/jump_tables.h"
#include "program/model/function.h"

uint32_t js_code_find(const js_code *code, uint64_t address)
{
    size_t lo = 0, hi = code->ninsns;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        const js_insn *insn = &code->insns[middle];
        if (address < insn->address) {
            hi = middle;
        } else if (address - insn->address >= insn->length) {
            lo = middle + 1;
        } else {
            return (uint32_t)middle;
        }
    }
    return JS_CODE_NOWHERE;
}

static bool ends_block(const js_insn *insn)
{
    return insn->op == JS_OP_JUMP || insn->op == JS_OP_BRANCH || insn->op == JS_OP_INDIRECT ||
           insn->op == JS_OP_END;
}

static bool falls_through(const js_insn *insn)
{
    return !ends_block(insn) || insn->op == JS_OP_BRANCH;
}

/* Replace the targets' addresses by indices. JS_EUNSUP: a target is in the middle of an instruction. */
static int resolve_targets(js_code *code, uint64_t lo, uint64_t hi, uint8_t *leaders)
{
    for (size_t i = 0; i < code->ninsns; i++) {
        js_insn *insn = &code->insns[i];
        if (ends_block(insn) && i + 1 < code->ninsns) {
            leaders[i + 1] = 1;
        }
        if (insn->op != JS_OP_JUMP && insn->op != JS_OP_BRANCH) {
            continue;
        }
        uint64_t target = (uint64_t)insn->to.value;
        if (target < lo || target >= hi) {
            continue;
        }
        insn->target = js_code_find(code, target);
        if (insn->target == JS_CODE_NOWHERE || code->insns[insn->target].address != target) {
            return JS_EUNSUP;
        }
        leaders[insn->target] = 1;
    }
    return JS_OK;
}

static void make_blocks(js_code *code, const uint8_t *leaders, uint32_t *block_of)
{
    for (size_t i = 0; i < code->ninsns; i++) {
        if (i == 0 || leaders[i]) {
            code->blocks[code->nblocks++] = (js_basic_block){.first = (uint32_t)i, .order = JS_CODE_NOWHERE};
        }
        code->blocks[code->nblocks - 1].count++;
        block_of[i] = (uint32_t)(code->nblocks - 1);
    }
    for (size_t b = 0; b < code->nblocks; b++) {
        js_basic_block *block = &code->blocks[b];
        const js_insn *last = &code->insns[block->first + block->count - 1];
        block->successors[0] =
            falls_through(last) && b + 1 < code->nblocks ? (uint32_t)(b + 1) : JS_CODE_NOWHERE;
        block->successors[1] = last->target == JS_CODE_NOWHERE ? JS_CODE_NOWHERE : block_of[last->target];
    }
}

/* Put the reachable blocks in reverse post-order, without recursion. */
static int order_blocks(js_code *code, js_arena *arena)
{
    size_t count = code->nblocks;
    code->order = js_arena_alloc(arena, count * sizeof(*code->order));
    uint32_t *stack = js_arena_alloc(arena, count * sizeof(*stack));
    uint8_t *next = js_arena_alloc(arena, count);
    if (!code->order || !stack || !next) {
        return JS_ENOMEM;
    }
    size_t depth = 0, left = count;
    stack[depth++] = 0;
    code->blocks[0].order = 0;
    while (depth > 0) {
        uint32_t b = stack[depth - 1];
        if (next[b] == 2) {
            code->order[--left] = b;
            depth--;
            continue;
        }
        uint32_t to = code->blocks[b].successors[next[b]++];
        if (to != JS_CODE_NOWHERE && code->blocks[to].order == JS_CODE_NOWHERE) {
            code->blocks[to].order = 0;
            stack[depth++] = to;
        }
    }
    code->norder = count - left;
    memmove(code->order, code->order + left, code->norder * sizeof(*code->order));
    for (size_t i = 0; i < code->norder; i++) {
        code->blocks[code->order[i]].order = (uint32_t)i;
    }
    return JS_OK;
}

static bool has_frame(const js_code *code)
{
    for (size_t i = 0; i < code->ninsns; i++) {
        const js_insn *insn = &code->insns[i];
        if (insn->op == JS_OP_MOVE && insn->to.kind == JS_PLACE_REGISTER && insn->to.reg == JS_CODE_RBP &&
            insn->from.kind == JS_PLACE_REGISTER && insn->from.reg == JS_CODE_RSP) {
            return true;
        }
    }
    return false;
}

bool js_code_is_element(const js_code *code, const js_place *place)
{
    bool is_based = place->kind == JS_PLACE_FRAME || place->kind == JS_PLACE_INDEXED;
    return place->kind == JS_PLACE_MEMORY || (is_based && place->reg == JS_CODE_RBP && !code->has_frame);
}

void js_code_mark_after(const js_code *code, uint32_t from, uint8_t *after, uint32_t *waiting)
{
    size_t count = 0;
    waiting[count++] = from;
    while (count > 0) {
        const js_basic_block *block = &code->blocks[waiting[--count]];
        for (unsigned s = 0; s < 2; s++) {
            uint32_t next = block->successors[s];
            if (next != JS_CODE_NOWHERE && !after[next]) {
                after[next] = 1;
                waiting[count++] = next;
            }
        }
    }
}

/* True if the function jumps through a register and has code that nothing leads to: a jump table is not
 * known. */
static bool has_hidden_edges(const js_code *code)
{
    bool indirect = false, unreached = false;
    for (size_t b = 0; b < code->nblocks; b++) {
        const js_basic_block *block = &code->blocks[b];
        for (size_t i = block->first; i < block->first + block->count; i++) {
            indirect = indirect || code->insns[i].op == JS_OP_INDIRECT;
            bool is_code = code->insns[i].op != JS_OP_PAD && code->insns[i].length > 0;
            unreached = unreached || (block->order == JS_CODE_NOWHERE && is_code);
        }
    }
    return indirect && unreached;
}

int js_code_init(js_code *code, js_arena *arena, uint16_t machine, const js_function *function)
{
    memset(code, 0, sizeof(*code));
    if (machine != EM_X86_64 || !function->code || function->hi <= function->lo) {
        return JS_EUNSUP;
    }
    size_t size = (size_t)(function->hi - function->lo);
    int status = js_code_decode_x86_64(code, arena, function->code, size, function->lo);
    if (status != JS_OK) {
        return status;
    }
    code->has_frame = has_frame(code);
    status = js_code_follow_tables(code, arena, function);
    if (status != JS_OK) {
        return status;
    }
    uint8_t *leaders = js_arena_alloc(arena, code->ninsns + 1);
    uint32_t *block_of = js_arena_alloc(arena, (code->ninsns + 1) * sizeof(*block_of));
    if (!leaders || !block_of) {
        return JS_ENOMEM;
    }
    status = resolve_targets(code, function->lo, function->hi, leaders);
    if (status != JS_OK) {
        return status;
    }
    size_t nblocks = 1;
    for (size_t i = 1; i < code->ninsns; i++) {
        nblocks += leaders[i];
    }
    code->blocks = js_arena_alloc(arena, nblocks * sizeof(*code->blocks));
    if (!code->blocks) {
        return JS_ENOMEM;
    }
    make_blocks(code, leaders, block_of);
    status = order_blocks(code, arena);
    if (status != JS_OK) {
        return status;
    }
    return has_hidden_edges(code) ? JS_EUNSUP : JS_OK;
}

uint32_t js_code_block(const js_code *code, size_t insn)
{
    size_t lo = 0, hi = code->nblocks;
    while (lo + 1 < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (code->blocks[middle].first <= insn) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return (uint32_t)lo;
}

uint32_t js_code_copied_by(const js_code *code, uint32_t first, uint32_t index)
{
    const js_place *from = &code->insns[index].from;
    for (uint32_t i = index; from->kind == JS_PLACE_REGISTER && i-- > first;) {
        if (code->insns[i].to.kind == JS_PLACE_REGISTER && code->insns[i].to.reg == from->reg) {
            bool is_load = code->insns[i].op == JS_OP_MOVE && code->insns[i].from.kind == JS_PLACE_FRAME;
            return is_load ? i : JS_CODE_NOWHERE;
        }
    }
    return JS_CODE_NOWHERE;
}

int js_code_count_predecessors(const js_code *code, js_arena *arena, uint32_t **out)
{
    uint32_t *ways = js_arena_alloc(arena, (code->nblocks + 1) * sizeof(*ways));
    for (size_t o = 0; ways && o < code->norder; o++) {
        for (unsigned s = 0; s < 2; s++) {
            uint32_t to = code->blocks[code->order[o]].successors[s];
            if (to != JS_CODE_NOWHERE) {
                ways[to]++;
            }
        }
    }
    *out = ways;
    return ways ? JS_OK : JS_ENOMEM;
}
