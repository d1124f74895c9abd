/* Merges the rows of statements with those that hook/jumped.c has added, and gives them lines of the source.
 */
#include "program/validity/locations/debugger_rows.h"

#include <stdlib.h>

#include "program/model/lookup.h"

/* True for code of another function, which has that function's lines. */
static bool is_inlined(const js_function *function, const js_row *row)
{
    return function->build.level == JS_LEVEL_LINES && js_function_inline_at(function, row->address);
}

static js_row source_row(const js_function *function, js_row row)
{
    if (row.file == function->file && row.line && !is_inlined(function, &row)) {
        bool is_foreign = function->build.level < JS_LEVEL_EXACT && !js_function_has_line(function, row.line);
        bool is_header = function->region.parent ? !function->region.has_no_header : row.prologue_end;
        row.is_stmt = row.is_stmt && (!is_foreign || is_header);
        row.line = js_function_user_line(function, row.line);
    }
    return row;
}

js_row *js_debugger_rows(const js_function *function, size_t *count)
{
    js_row *rows = calloc(function->lines.nall + function->statements.njumped + 1, sizeof *rows);
    const js_row *last = NULL,
                 *own = function->statements.rows ? function->statements.rows : function->lines.all;
    size_t next = 0;
    *count = 0;
    for (size_t i = 0; rows && i < function->lines.nall; i++) {
        for (; next < function->statements.njumped &&
               function->statements.jumped[next].address < own[i].address;
             next++) {
            rows[*count] = function->statements.jumped[next];
            last = &rows[(*count)++];
        }
        js_row row = source_row(function, own[i]);
        bool again = last && row.line == last->line && row.file == last->file && !row.prologue_end &&
                     (last->is_stmt || !row.is_stmt) && function->build.level < JS_LEVEL_EXACT;
        /* merged code (line 0) belongs to the statement before it; a row begins a statement only where its
         * line begins, or after code of the line that is not the statement's */
        if (row.line == 0 || again) {
            continue;
        }
        rows[*count] = row;
        last = &rows[(*count)++];
    }
    for (; rows && next < function->statements.njumped; next++) {
        rows[(*count)++] = function->statements.jumped[next];
    }
    return rows;
}
