/* Gives code of an inlined function that runs before any line of it has begun to the caller. LLVM computes
 * such code ahead of the call, and a generator uses it to find where it goes on. A stop there as a stop in
 * the inlined function would be at a line that has not begun. */
#include <string.h>

#include "program/hook/decoded.h"
#include "program/model/lookup.h"
#include "program/model/object.h"

typedef struct taken {
    js_hook_code *code;
    js_function *function;
    uint32_t *from; /* for each instruction: 1 + index of the inlined code that it was taken from; 0: none */
} taken;

static bool has_marker(const js_hook_code *code, uint32_t scope)
{
    for (size_t i = 0; i < code->code.ninsns; i++) {
        if (code->marks[i] && code->scopes[i] == scope) {
            return true;
        }
    }
    return false;
}

/* Give the instructions that no path reaches after a marker to the caller; true if there are any. */
static bool take(taken *ctx, uint32_t scope, const uint8_t *reached)
{
    bool found = false;
    for (size_t i = 0; i < ctx->code->code.ninsns; i++) {
        if (ctx->code->scopes[i] == scope && !reached[i]) {
            ctx->code->scopes[i] = ctx->function->inlines[scope - 1].parent;
            ctx->from[i] = scope;
            found = true;
        }
    }
    return found;
}

/* Give rows of the instructions that were taken the line of the call. */
static void move_rows(const taken *ctx, js_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t insn = js_code_find(&ctx->code->code, rows[i].address);
        uint32_t scope = insn != JS_CODE_NOWHERE ? ctx->from[insn] : 0;
        bool is_last = i + 1 == count || rows[i + 1].address != rows[i].address;
        if (scope && is_last && rows[i].line && rows[i].column == JS_COLUMN_OTHER) {
            rows[i].line = ctx->function->inlines[scope - 1].call_line;
            rows[i].file = ctx->function->inlines[scope - 1].call_file;
        }
    }
}

int js_hook_inline_entries(js_hook_code *code, js_function *function)
{
    if (!code->is_followed || function->build.level != JS_LEVEL_STEPS || !function->ninlines) {
        return JS_OK;
    }
    taken ctx = {.code = code, .function = function};
    ctx.from = js_arena_alloc(&code->scratch, (code->code.ninsns + 1) * sizeof(*ctx.from));
    uint8_t *reached = js_arena_alloc(&code->scratch, code->code.ninsns + 1);
    int status = ctx.from && reached ? JS_OK : JS_ENOMEM;
    bool was_taken = false;
    for (uint32_t scope = (uint32_t)function->ninlines; scope > 0 && status == JS_OK; scope--) {
        if (!has_marker(code, scope)) {
            continue;
        }
        memset(reached, 0, code->code.ninsns);
        status = js_hook_reached_find(code, scope, reached);
        if (status == JS_OK && take(&ctx, scope, reached)) {
            was_taken = true;
            status = js_hook_set_ranges(code, function, scope);
        }
    }
    if (status == JS_OK && was_taken) {
        move_rows(&ctx, function->lines.rows, function->lines.nrows);
        move_rows(&ctx, function->lines.all, function->lines.nall);
    }
    return status;
}
