/* Where lines begin more than once: GDB sets a breakpoint FILE:LINE at one address of each block (linespec.c,
 * create_sals_line_offset). A block needs a symbol to be kept; a label is not among a frame's variables. */
#include <stdlib.h>

#include "program/hook.h"
#include "program/write.h"

enum { STOPS_MAX = 4096 };

static int line_order(const void *left, const void *right)
{
    const js_row *l = *(const js_row *const *)left, *r = *(const js_row *const *)right;
    if (l->file != r->file)
        return l->file < r->file ? -1 : 1;
    if (l->line != r->line)
        return l->line < r->line ? -1 : 1;
    return l->address < r->address ? -1 : l->address > r->address;
}

int js_write_stops(js_writer *writer, const js_function *function, uint32_t scope)
{
    if (function->level < JS_LEVEL_EXACT || !function->statements)
        return JS_OK;
    const js_row **rows = calloc(function->nall_rows + 1, sizeof *rows);
    size_t count = 0, blocks = 0;
    if (!rows)
        return JS_ENOMEM;
    for (size_t i = 0; i < function->nall_rows; i++) {
        const js_row *row = &function->statements[i];
        if (row->is_stmt && js_function_inline_at(function, row->address) == scope)
            rows[count++] = row;
    }
    qsort(rows, count, sizeof *rows, line_order);
    for (size_t i = 1; i < count && blocks < STOPS_MAX; i++) {
        const js_row *row = rows[i], *before = rows[i - 1];
        if (row->line != before->line || row->file != before->file || row->address == before->address)
            continue;
        blocks++;
        js_output_uleb(&writer->info, ABBREV_STOP);
        js_output_uint(&writer->info, row->address, 8);
        js_output_uint(&writer->info, 1, 1);
        js_output_uleb(&writer->info, ABBREV_STOP_LABEL);
        js_output_string(&writer->info, ".stop");
        js_output_uint(&writer->info, row->address, 8);
        js_output_uleb(&writer->info, 0);
    }
    free(rows);
    return JS_OK;
}
