/* Turns the addresses of code in an object's data (js_object.entries) into branches of jump tables. */
#include "program/machine/jump_tables.h"

#include <string.h>

#include "program/model/object.h"

static bool has_indirect(const js_code *code)
{
    bool found = false;
    for (size_t i = 0; i < code->ninsns && !found; i++) {
        found = code->insns[i].op == JS_OP_INDIRECT;
    }
    return found;
}

/* Count the object's entries within the function; *first is the index of the first one. */
static size_t count_entries(const js_function *function, size_t *first)
{
    const js_object *object = function->object;
    size_t count = 0;
    *first = 0;
    while (*first < object->nentries && object->entries[*first] <= function->lo) {
        (*first)++;
    }
    while (*first + count < object->nentries && object->entries[*first + count] < function->hi) {
        count++;
    }
    return count;
}

int js_code_follow_tables(js_code *code, js_arena *arena, const js_function *function)
{
    size_t first, count = function->object && has_indirect(code) ? count_entries(function, &first) : 0;
    if (count == 0) {
        return JS_OK;
    }
    if (count >= JS_CODE_INSNS - code->ninsns) {
        return JS_ELIMIT;
    }
    js_insn *insns = js_arena_alloc(arena, (code->ninsns + count + 1) * sizeof(*insns));
    if (!insns) {
        return JS_ENOMEM;
    }
    memcpy(insns, code->insns, code->ninsns * sizeof(*insns));
    size_t used = code->ninsns;
    js_insn edge = {.address = function->hi, .target = JS_CODE_NOWHERE, .op = JS_OP_END};
    insns[used++] = edge; /* no code runs on from the function into the branches */
    for (size_t i = 0; i < code->ninsns; i++) {
        insns[i].target = insns[i].op == JS_OP_INDIRECT ? (uint32_t)used : insns[i].target;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t entry = function->object->entries[first + i];
        if (i == 0 || entry != function->object->entries[first + i - 1]) {
            edge.op = JS_OP_BRANCH;
            edge.to.value = (int64_t)entry;
            insns[used++] = edge;
        }
    }
    insns[used - 1].op = JS_OP_JUMP;
    code->insns = insns;
    code->ninsns = used;
    return JS_OK;
}
