/* Corrects where the ranges of inlined code begin, because of how GDB finds the entry of inlined code. */
#include "program/hook/decoded.h"
#include "program/model/lookup.h"
#include "program/model/object.h"

int js_hook_set_ranges(const js_hook_code *hook, js_function *function, uint32_t scope)
{
    const js_code *code = &hook->code;
    js_inline *item = &function->inlines[scope - 1];
    size_t count = 0;
    uint64_t *ranges = js_arena_alloc(&hook->object->arena, (2 * code->ninsns + 2) * sizeof(*ranges));
    if (!ranges) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < code->ninsns; i++) {
        uint64_t lo = code->insns[i].address, hi = lo + code->insns[i].length;
        if (!js_function_is_within(function, hook->scopes[i], scope)) {
            continue;
        }
        if (count && ranges[2 * count - 1] == lo) {
            ranges[2 * count - 1] = hi;
        } else {
            ranges[2 * count] = lo;
            ranges[2 * count++ + 1] = hi;
        }
    }
    item->ranges = ranges;
    item->nranges = count;
    return JS_OK;
}

/* Let the range that ends at this address end one byte earlier. */
static bool shorten(js_inline *item, uint64_t end)
{
    for (size_t r = 0; r < item->nranges; r++) {
        if (item->ranges[2 * r + 1] == end && end - item->ranges[2 * r] > 1) {
            item->ranges[2 * r + 1]--;
            return true;
        }
    }
    return false;
}

void js_hook_ranges_widen(const js_hook_code *hook, js_inline *item)
{
    for (size_t r = 1; r < item->nranges && hook->is_followed; r++) {
        uint64_t before = item->ranges[2 * r] - 1;
        uint32_t insn = js_code_find(&hook->code, before);
        if (insn == JS_CODE_NOWHERE || hook->code.insns[insn].op == JS_OP_CALL ||
            hook->code.insns[insn].address == before) {
            continue;
        }
        uint32_t scope = js_function_inline_at(hook->function, before);
        js_inline *other = scope && scope != item->parent ? &hook->function->inlines[scope - 1] : NULL;
        if (scope == item->parent || (other && other->parent == item->parent && shorten(other, before + 1))) {
            item->ranges[2 * r] = before;
        }
    }
}

/* True if the instruction reads or writes memory outside of the frame. */
static bool may_fault(const js_insn *insn)
{
    return insn->from.kind == JS_PLACE_MEMORY || insn->to.kind == JS_PLACE_MEMORY;
}

static bool only_computes(const js_insn *insn)
{
    return !may_fault(insn) && (insn->op == JS_OP_OTHER || insn->op == JS_OP_MOVE || insn->op == JS_OP_ZERO);
}

static js_row *row_at(js_row *rows, size_t count, uint64_t address)
{
    js_row *found = NULL;
    for (size_t i = 0; i < count && rows[i].address <= address; i++) {
        found = rows[i].address == address ? &rows[i] : found;
    }
    return found;
}

void js_hook_ranges_claim(const js_hook_code *hook, js_function *function, js_inline *item)
{
    uint64_t lo = item->nranges ? item->ranges[0] : 0;
    uint32_t insn = hook->is_followed ? js_code_find(&hook->code, lo) : JS_CODE_NOWHERE;
    if (insn == JS_CODE_NOWHERE || insn == 0 ||
        hook->code.blocks[js_code_block(&hook->code, insn)].first == insn ||
        !may_fault(&hook->code.insns[insn])) {
        return;
    }
    const js_insn *before = &hook->code.insns[insn - 1];
    js_row *begin = row_at(function->lines.all, function->lines.nall, lo);
    js_row *own = row_at(function->lines.all, function->lines.nall, before->address);
    bool is_marked = own && own->column != JS_COLUMN_OTHER && own->column != JS_COLUMN_LOOP;
    if (before->address + before->length != lo || !only_computes(before) || !begin || is_marked ||
        js_function_inline_at(function, before->address) != item->parent) {
        return;
    }
    item->ranges[0] = before->address;
    begin->address = before->address;
    js_row *narrow = row_at(function->lines.rows, function->lines.nrows, lo);
    if (narrow) {
        narrow->address = before->address;
    }
}
