/* Finds code between the instructions of an inlined function that the compiler has given to its caller, such
 * as checks that it has moved or made anew. A debugger would see the function end there and begin again after
 * it, so that a step over a line would leave the function. Such code is the inlined function's if its marker
 * was passed last on all paths, and if the code only leads back to the function's code. */
#include "program/hook/decoded.h"
#include "program/model/lookup.h"

typedef struct holes {
    js_hook_code *code;
    const js_function *function;
    uint32_t scope;
    uint8_t *is_outside; /* for each block: some path to it has passed another scope's marker last, or none */
    uint8_t *is_hole;    /* for each block: it is such code */
} holes;

static bool is_within(const holes *at, uint32_t insn)
{
    return js_function_is_within(at->function, at->code->scopes[insn], at->scope);
}

/* Return is_outside at the end of the block, by its value at the block's begin. */
static bool leaves_outside(const holes *at, const js_basic_block *block, bool is_outside)
{
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        is_outside = at->code->marks[i] ? !is_within(at, i) : is_outside;
    }
    return is_outside;
}

static void find_outside(holes *at)
{
    const js_code *code = &at->code->code;
    for (size_t b = 0; b < code->nblocks; b++) {
        at->is_outside[b] = b == 0;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t o = 0; o < code->norder; o++) {
            const js_basic_block *block = &code->blocks[code->order[o]];
            bool is_outside = leaves_outside(at, block, at->is_outside[code->order[o]]);
            for (unsigned s = 0; s < 2 && is_outside; s++) {
                uint32_t to = block->successors[s];
                if (to != JS_CODE_NOWHERE && !at->is_outside[to]) {
                    at->is_outside[to] = 1;
                    changed = true;
                }
            }
        }
    }
}

/* True if the block may be a hole: all of it is the caller's, and no line begins in it. */
static bool may_be_hole(const holes *at, uint32_t b)
{
    const js_basic_block *block = &at->code->code.blocks[b];
    uint32_t parent = at->function->inlines[at->scope - 1].parent;
    bool may = !at->is_outside[b] && block->order != JS_CODE_NOWHERE &&
               (block->successors[0] != JS_CODE_NOWHERE || block->successors[1] != JS_CODE_NOWHERE);
    for (uint32_t i = block->first; may && i < block->first + block->count; i++) {
        may = at->code->scopes[i] == parent && !at->code->marks[i];
    }
    return may;
}

static bool leads_back(const holes *at, uint32_t b)
{
    const js_code *code = &at->code->code;
    bool leads = true;
    for (unsigned s = 0; s < 2 && leads; s++) {
        uint32_t to = code->blocks[b].successors[s];
        leads = to == JS_CODE_NOWHERE || at->is_hole[to] || is_within(at, code->blocks[to].first);
    }
    return leads;
}

/* Fill is_hole; true if there is a hole. */
static bool find_holes(holes *at)
{
    size_t nblocks = at->code->code.nblocks, count = 0;
    for (uint32_t b = 0; b < nblocks; b++) {
        at->is_hole[b] = may_be_hole(at, b);
        count += at->is_hole[b];
    }
    for (bool changed = count > 0; changed;) {
        changed = false;
        for (uint32_t b = 0; b < nblocks; b++) {
            if (at->is_hole[b] && !leads_back(at, b)) {
                at->is_hole[b] = 0;
                count--;
                changed = true;
            }
        }
    }
    return count > 0;
}

int js_hook_inline_holes(js_hook_code *code, js_function *function)
{
    if (!code->is_followed || function->build.level != JS_LEVEL_STEPS || !function->ninlines) {
        return JS_OK;
    }
    size_t nblocks = code->code.nblocks;
    holes at = {.code = code, .function = function};
    at.is_outside = js_arena_alloc(&code->scratch, nblocks + 1);
    at.is_hole = js_arena_alloc(&code->scratch, nblocks + 1);
    int status = at.is_outside && at.is_hole ? JS_OK : JS_ENOMEM;
    for (at.scope = (uint32_t)function->ninlines; at.scope > 0 && status == JS_OK; at.scope--) {
        find_outside(&at);
        if (!find_holes(&at)) {
            continue;
        }
        for (size_t b = 0; b < nblocks; b++) {
            const js_basic_block *block = &code->code.blocks[b];
            for (uint32_t i = block->first; at.is_hole[b] && i < block->first + block->count; i++) {
                code->scopes[i] = at.scope;
            }
        }
        status = js_hook_set_ranges(code, function, at.scope);
    }
    return status;
}
