/* Writes blocks for lines that begin more than once: GDB sets a breakpoint FILE:LINE at one address of each
 * block (linespec.c, create_sals_line_offset). GDB keeps a block only if it has a symbol; a label is no
 * variable of a frame. */
#include <stdlib.h>

#include "program/model/lookup.h"
#include "program/validity/locations/debugger_rows.h"
#include "program/write/write.h"

enum { STOPS_MAX = 4096, LOOKS_MAX = 10000000 };

static int line_order(const void *left, const void *right)
{
    const js_row *l = *(const js_row *const *)left, *r = *(const js_row *const *)right;
    if (l->file != r->file) {
        return l->file < r->file ? -1 : 1;
    }
    if (l->line != r->line) {
        return l->line < r->line ? -1 : 1;
    }
    return l->address < r->address ? -1 : l->address > r->address;
}

static bool is_in(const uint64_t *ranges, size_t count, uint64_t address)
{
    bool found = !ranges;
    for (size_t i = 0; i < count && !found; i++) {
        found = address >= ranges[2 * i] && address < ranges[2 * i + 1];
    }
    return found;
}

int js_write_stops(js_writer *writer, const js_function *function, uint32_t scope, const uint64_t *ranges,
                   size_t nranges)
{
    size_t nrows, count = 0, blocks = 0, nlooks = js_function_inline_lookup_cost(function);
    if (function->lines.nall > LOOKS_MAX / nlooks) {
        return JS_OK;
    }
    js_row *rows = js_debugger_rows(function, &nrows);
    const js_row **chosen = calloc(function->lines.nall + 1, sizeof *chosen);
    if (!rows || !chosen) {
        free(rows);
        free(chosen);
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < nrows; i++) {
        if (rows[i].is_stmt && is_in(ranges, nranges, rows[i].address) &&
            js_function_inline_at(function, rows[i].address) == scope) {
            chosen[count++] = &rows[i];
        }
    }
    qsort(chosen, count, sizeof *chosen, line_order);
    for (size_t i = 1; i < count && blocks < STOPS_MAX; i++) {
        const js_row *row = chosen[i], *before = chosen[i - 1];
        if (row->line != before->line || row->file != before->file || row->address == before->address) {
            continue;
        }
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
    free(chosen);
    return JS_OK;
}
