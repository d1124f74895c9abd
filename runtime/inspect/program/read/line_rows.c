/* Reads the rows of the line table, function by function. */
#include <dwarf.h>

#include "program/model/lookup.h"
#include "program/read/reading.h"

enum {
    ROWS_MAX = 2000000,
    LOOKS_MAX = 100000000, /* rows of a unit times its functions */
};

/* Return the row's column; a marker without a line is none. The compiler merges the locations of two markers
 * to one with their column and no line, for code that follows either. */
static uint8_t column_of(const js_function *function, int line, int column)
{
    if (function->build.level < JS_LEVEL_EXACT || column < 0 || column > JS_COLUMN_PLAIN) {
        return JS_COLUMN_OTHER;
    }
    bool is_marker = column == JS_COLUMN_ENTRY || column == JS_COLUMN_MARKER;
    return !is_marker ? (uint8_t)column : line > 0 ? JS_COLUMN_MARKER : JS_COLUMN_OTHER;
}

/* Return how many iterations of a loop the code covers. A discriminator has up to three numbers, each of 1, 7
 * or 14 bits, and the second one says this. Source: LLVM 14-22, include/llvm/IR/DebugInfoMetadata.h,
 * DILocation. */
static uint32_t iterations_of(unsigned discriminator)
{
    unsigned rest = discriminator & 1      ? discriminator >> 1
                    : discriminator & 0x40 ? discriminator >> 14
                                           : discriminator >> 7;
    unsigned number = rest >> 1;
    return rest & 1          ? 1
           : number & 0x20   ? (number >> 1 & 0xfe0) | (number & 0x1f)
           : (number & 0x1f) ? number & 0x1f
                             : 1;
}

/* True if this row is one of the function's; *address receives its address. */
static bool is_within(Dwarf_Line *line, const js_function *function, Dwarf_Addr *address)
{
    bool end_sequence = false;
    return line && !dwarf_lineaddr(line, address) && *address >= function->lo && *address < function->hi &&
           !dwarf_lineendsequence(line, &end_sequence) && !end_sequence;
}

static js_row read_row(js_reading *r, const js_function *function, Dwarf_Line *line, Dwarf_Addr address)
{
    int number = 0, column = 0;
    unsigned discriminator = 0;
    bool is_stmt = false, prologue_end = false;
    dwarf_linediscriminator(line, &discriminator);
    dwarf_lineno(line, &number);
    dwarf_linecol(line, &column);
    dwarf_linebeginstatement(line, &is_stmt);
    dwarf_lineprologueend(line, &prologue_end);
    return (js_row){.address = address,
                    .line = number > 0 ? (uint32_t)number : 0,
                    .file = js_read_file(r, dwarf_linesrc(line, NULL, NULL)),
                    .iterations = function->build.level >= JS_LEVEL_EXACT ? iterations_of(discriminator) : 1,
                    .column = column_of(function, number, column),
                    .goes_on = column == JS_COLUMN_ENTRY,
                    .is_stmt = is_stmt,
                    .prologue_end = prologue_end};
}

/* Give a row of the function's own lines its line there: the call's for code that was inlined at level lines,
 * whose other rules know the function's own source; 0 for code of another file. */
static void place_in_function(const js_function *function, js_row *row)
{
    uint32_t inner =
        function->build.level == JS_LEVEL_LINES ? js_function_inline_at(function, row->address) : 0;
    while (inner && function->inlines[inner - 1].parent) {
        inner = function->inlines[inner - 1].parent;
    }
    if (inner) {
        row->file = function->inlines[inner - 1].call_file;
        row->line = function->inlines[inner - 1].call_line;
    }
    if (row->file != function->file) {
        row->line = 0;
    }
}

static int read_function_rows(js_reading *r, Dwarf_Lines *lines, size_t count, js_function *function)
{
    Dwarf_Addr address;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        kept += is_within(dwarf_onesrcline(lines, i), function, &address);
    }
    js_row *rows = js_arena_alloc(&r->object->arena, (kept + 1) * sizeof *rows);
    js_row *all = js_arena_alloc(&r->object->arena, (kept + 1) * sizeof *all);
    if (!rows || !all) {
        return JS_ENOMEM;
    }
    kept = 0;
    for (size_t i = 0; i < count; i++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i);
        if (!is_within(line, function, &address)) {
            continue;
        }
        all[kept] = read_row(r, function, line, address);
        rows[kept] = all[kept];
        place_in_function(function, &rows[kept]);
        kept++;
    }
    function->lines.rows = rows;
    function->lines.all = all;
    function->lines.nrows = function->lines.nall = kept;
    return JS_OK;
}

int js_read_rows(js_reading *r, Dwarf_Die *unit, js_function *first, js_function *end)
{
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf_getsrclines(unit, &lines, &count) || count > ROWS_MAX ||
        count > LOOKS_MAX / (size_t)(end - first + 1)) {
        return JS_OK;
    }
    for (js_function *function = first; function < end; function++) {
        int status = read_function_rows(r, lines, count, function);
        if (status) {
            return status;
        }
    }
    return JS_OK;
}
