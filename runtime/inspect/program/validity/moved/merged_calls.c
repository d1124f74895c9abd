/* Finds calls of no line. LLVM merges the calls at the ends of two arms into one, or moves a call into
 * another statement's code, and gives it no line. If neither the test of its status nor the source shows
 * which statement it belongs to, a frame that waits there is at no line: the line of the code before it would
 * be false in one of the arms. */
#include <string.h>

#include "bytes/arena.h"
#include "program/machine/relocated_calls.h"
#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/names/names.h"
#include "program/validity/moved/accesses.h"

/* True if only the line `shown` may call a function of this name; name NULL: any function. */
static bool is_only_caller(const js_flow *flow, const char *name, uint32_t shown)
{
    size_t others = 0;
    bool is_shown = false;
    for (size_t i = 0; i < flow->naccesses; i++) {
        const js_may_access *it = &flow->accesses[i];
        bool is_asked = it->kind == JS_ACCESS_CALL && (!name || !it->name || strcmp(it->name, name) == 0);
        bool is_of_line = shown >= it->first && shown <= it->last;
        others += is_asked && !is_of_line;
        is_shown = is_shown || (is_asked && is_of_line);
    }
    return is_shown && others == 0;
}

/* True if statements of other lines may make this call, too. A call without a known name may be of any
 * compiled function, if its status is tested. */
static bool is_unclear(const js_moved *moved, uint32_t call, const char *symbol, uint32_t shown)
{
    js_name name;
    if (!symbol) {
        return js_moved_status_test(moved->track->code, call) != JS_CODE_NOWHERE &&
               !is_only_caller(moved->flow, NULL, shown);
    }
    if (js_name_init(&name, symbol, strlen(symbol)) != JS_OK) {
        return false;
    }
    const char *last = strrchr(name.qualname, '.');
    const char *own = last ? last + 1 : name.qualname;
    bool found = name.kind == JS_NAME_FUNCTION && !is_only_caller(moved->flow, own, shown);
    js_name_deinit(&name);
    return found;
}

bool js_moved_is_of_several(const js_moved_search *search, uint32_t insn, uint32_t shown)
{
    const js_moved *moved = search->at;
    const js_code *code = moved->track->code;
    const js_insn *it = &code->insns[insn];
    const js_row *row = js_function_row(moved->function->lines.all, moved->function->lines.nall, it->address);
    if (it->op != JS_OP_CALL || !row || row->line) {
        return false;
    }
    uint32_t first = code->blocks[js_code_block(code, insn)].first;
    return is_unclear(moved, insn, js_reference_called_from(moved->object, code, first, insn), shown);
}

int js_moved_add_merged(const js_moved *moved, const uint64_t *calls, size_t count)
{
    js_function_statements *to = &moved->function->statements;
    uint64_t *all = js_arena_alloc(&moved->object->arena, (to->nmerged + count + 1) * sizeof(*all));
    size_t next = 0;
    if (!all) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < to->nmerged + count; i++) {
        bool is_new = next < count && (i - next == to->nmerged || calls[next] < to->merged[i - next]);
        all[i] = is_new ? calls[next] : to->merged[i - next];
        next += is_new;
    }
    to->merged = all;
    to->nmerged += count;
    return JS_OK;
}
