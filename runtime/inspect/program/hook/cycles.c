/* Finds blocks of code that may run again without a marker in between: loops that the compiler hook has left
 * alone. These are the strongly connected components of the blocks without markers (R. Tarjan, 1972), found
 * without recursion. */
#include <string.h>

#include "program/hook/hook.h"

typedef struct search {
    const js_code *code;
    const uint8_t *is_cut; /* blocks with markers */
    uint8_t *is_cyclic;    /* the result */
    uint32_t *index, *low; /* index: 1 + order of discovery, 0: not met */
    uint32_t *stack, *path;
    uint8_t *next, *is_open;
    uint32_t met;
    size_t nstack, npath;
} search;

static void meet(search *at, uint32_t b)
{
    at->index[b] = at->low[b] = ++at->met;
    at->is_open[b] = 1;
    at->stack[at->nstack++] = b;
    at->path[at->npath++] = b;
}

static bool jumps_to_itself(const js_code *code, uint32_t b)
{
    return code->blocks[b].successors[0] == b || code->blocks[b].successors[1] == b;
}

/* Take b and all blocks above it from the stack: they are one component. */
static void close_component(search *at, uint32_t b)
{
    bool is_cycle = at->stack[at->nstack - 1] != b || jumps_to_itself(at->code, b);
    uint32_t member;
    do {
        member = at->stack[--at->nstack];
        at->is_open[member] = 0;
        at->is_cyclic[member] = is_cycle;
    } while (member != b);
}

static void search_from(search *at, uint32_t first)
{
    meet(at, first);
    while (at->npath) {
        uint32_t b = at->path[at->npath - 1];
        if (at->next[b] < 2) {
            uint32_t to = at->code->blocks[b].successors[at->next[b]++];
            if (to == JS_CODE_NOWHERE || at->is_cut[to]) {
                continue;
            }
            if (!at->index[to]) {
                meet(at, to);
            } else if (at->is_open[to] && at->index[to] < at->low[b]) {
                at->low[b] = at->index[to];
            }
            continue;
        }
        at->npath--;
        if (at->low[b] == at->index[b]) {
            close_component(at, b);
        }
        if (at->npath) {
            uint32_t before = at->path[at->npath - 1];
            at->low[before] = at->low[b] < at->low[before] ? at->low[b] : at->low[before];
        }
    }
}

int js_hook_cycles(js_arena *arena, const js_code *code, const uint8_t *is_cut, uint8_t **out)
{
    size_t count = code->nblocks + 1;
    search at = {.code = code, .is_cut = is_cut};
    at.is_cyclic = js_arena_alloc(arena, count);
    at.next = js_arena_alloc(arena, count);
    at.is_open = js_arena_alloc(arena, count);
    at.index = js_arena_alloc(arena, count * sizeof(*at.index));
    at.low = js_arena_alloc(arena, count * sizeof(*at.low));
    at.stack = js_arena_alloc(arena, count * sizeof(*at.stack));
    at.path = js_arena_alloc(arena, count * sizeof(*at.path));
    if (!at.is_cyclic || !at.next || !at.is_open || !at.index || !at.low || !at.stack || !at.path) {
        return JS_ENOMEM;
    }
    for (uint32_t b = 0; b < code->nblocks; b++) {
        if (!is_cut[b] && !at.index[b]) {
            search_from(&at, b);
        }
    }
    *out = at.is_cyclic;
    return JS_OK;
}
