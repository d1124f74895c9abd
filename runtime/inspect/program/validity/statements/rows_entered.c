/* Rule 10, for unoptimised code. The first statement of a loop begins where the loop does: code that clears
 * variables ahead of the loop may have its line, too, and one row is there for both. */
#include "program/validity/statements/rows_lines.h"

/* True if code that comes later leads back to the block. */
static bool is_header(const js_code *code, uint32_t block)
{
    bool found = false;
    for (uint32_t b = block; b < code->nblocks && !found; b++) {
        const js_basic_block *it = &code->blocks[b];
        found = it->order != JS_CODE_NOWHERE && (it->successors[0] == block || it->successors[1] == block);
    }
    return found;
}

/* True if the line has a row at the address, though the code before it is of the same line. */
static bool begins_row(const js_rows *rows, uint64_t address, uint32_t line)
{
    size_t first = js_rows_from(rows, address);
    return first < rows->nrows && rows->rows[first].address == address && rows->rows[first].line == line;
}

/* Return the address where the first loop in the code of the row begins, if the code before it does no work
 * of a statement; 0: nowhere. */
static uint64_t loop_begin(const js_rows *rows, size_t row)
{
    const js_code *code = &rows->truth->machine.code;
    uint64_t end = js_rows_end(rows, row);
    uint32_t block = js_rows_block(rows, row);
    if (block == JS_CODE_NOWHERE) {
        return 0;
    }
    bool is_first = code->blocks[block].first == js_code_find(code, rows->rows[row].address);
    if (is_first && is_header(code, block)) {
        return 0;
    }
    uint32_t next = block + 1; /* the block that this one runs on into */
    uint64_t begin = next < code->nblocks ? code->insns[code->blocks[next].first].address : end;
    bool runs_on = begin < end && code->blocks[block].successors[0] == next &&
                   code->blocks[block].successors[1] == JS_CODE_NOWHERE;
    return runs_on && is_header(code, next) && begins_row(rows, begin, rows->rows[row].line) &&
                   js_rows_work(rows->truth, &rows->rows[row], begin, true) != JS_ROW_WORKS
               ? begin
               : 0;
}

void js_rows_enter_loops(js_rows *rows)
{
    for (size_t i = 0; i < rows->nrows; i++) {
        bool is_asked = js_rows_is_judged(rows, i) && !rows->rows[i].prologue_end;
        uint64_t begin = is_asked ? loop_begin(rows, i) : 0;
        if (begin) {
            js_rows_mark_moved(rows, i, begin);
            rows->rows[i].address = begin;
        }
    }
}
