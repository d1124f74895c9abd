/* Lists the statements of a frame's scope, as they are written for the debugger, and the variables that a
 * debugger can follow from one statement to the next. */
#include <stdlib.h>
#include <string.h>

#include "program/model/lookup.h"
#include "program/queries/queries.h"
#include "program/queries/reasons.h"
#include "program/validity/locations/debugger_rows.h"

static void put_rows(js_text *out, const js_scope *scope, const js_row *rows, size_t count)
{
    const js_function *function = scope->function;
    uint32_t at = scope->item ? 1 + (uint32_t)(scope->item - function->inlines) : 0;
    uint32_t file = scope->item ? scope->item->file : function->file;
    size_t shown = 0;
    js_text_put(out, "\"rows\": [");
    for (size_t i = 0; i < count; i++) {
        bool is_own =
            function->build.level < JS_LEVEL_LINES || js_function_inline_at(function, rows[i].address) == at;
        if (rows[i].is_stmt && rows[i].file == file && is_own) {
            js_text_printf(out, "%s{\"address\": %llu, \"line\": %u, \"is_marker\": %s}", shown++ ? ", " : "",
                           (unsigned long long)rows[i].address, rows[i].line,
                           rows[i].column == JS_COLUMN_MARKER ? "true" : "false");
        }
    }
    js_text_put(out, "]");
}

/* Append the addresses where the functions around inlined code go on. */
static void put_around(js_text *out, const js_scope *scope, const js_row *rows, size_t count)
{
    const js_function *function = scope->function;
    uint32_t own = scope->item ? 1 + (uint32_t)(scope->item - function->inlines) : 0;
    size_t shown = 0;
    js_text_put(out, "\"around\": [");
    for (size_t i = 0; i < count && own; i++) {
        uint32_t at = js_function_inline_at(function, rows[i].address);
        if (rows[i].is_stmt && !js_function_is_within(function, at, own)) {
            js_text_printf(out, "%s%llu", shown++ ? ", " : "", (unsigned long long)rows[i].address);
        }
    }
    js_text_put(out, "]");
}

/* True if the value is in one place whenever the variable has one. In other code the place changes, or is
 * unknown at times, and a debugger that watches it does not notice. */
static bool is_followed(const js_scope *scope, const js_local *local)
{
    js_level level = scope->item ? scope->item->level : scope->function->build.level;
    const js_area_slot *slot = local->versions[0]->slot;
    return level == JS_LEVEL_STEPS || (slot && !slot->nwords);
}

static void put_followed(js_text *out, const js_scope *scope)
{
    size_t shown = 0;
    js_text_put(out, "\"followed\": [");
    for (size_t i = 0; i < scope->nlocals; i++) {
        if (is_followed(scope, &scope->locals[i])) {
            js_text_put(out, shown++ ? ", " : "");
            js_text_json_string(out, scope->locals[i].name, strlen(scope->locals[i].name));
        }
    }
    js_text_put(out, "]");
}

int js_program_statements(js_program *program, const js_frame *frame, char **out)
{
    js_scope scope;
    *out = NULL;
    if (!js_scope_init(&scope, program, frame)) {
        return JS_ENOTFOUND;
    }
    size_t count;
    js_row *rows = js_debugger_rows(scope.function, &count);
    if (!rows) {
        return JS_ENOMEM;
    }
    js_text text, advice;
    js_text_init(&text, 0);
    js_text_init(&advice, 0);
    js_scope_advise(&scope, NULL, 0, &advice);
    js_text_put(&text, "{");
    put_rows(&text, &scope, rows, count);
    js_text_put(&text, ", ");
    put_around(&text, &scope, rows, count);
    js_text_put(&text, ", ");
    put_followed(&text, &scope);
    js_text_put(&text, ", ");
    js_text_json_pair(&text, "advice", advice.length && !advice.status ? advice.data : "");
    js_text_put(&text, "}");
    js_text_deinit(&advice);
    free(rows);
    return js_text_give(&text, JS_OK, out);
}
