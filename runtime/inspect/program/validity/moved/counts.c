/* Drops statements at rows that only count references: LLVM takes counting for code without an effect on
 * other code, and moves it ahead of the tests on which its statement depends. */
#include "program/machine/relocated_calls.h"
#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/names/numba/variable_names.h"
#include "program/validity/moved/accesses.h"
#include "program/validity/moved/rows.h"

typedef struct counts {
    const js_moved *at;
    js_row *rows;
    size_t nrows;
} counts;

typedef enum work { WORK_NONE, WORK_COUNTS, WORK_OTHER } work;

/* Return what the instruction does, if it does more than compute. */
static work work_of(const counts *in, uint32_t insn)
{
    const js_code *code = in->at->track->code;
    const js_insn *it = &code->insns[insn];
    bool is_call = it->op == JS_OP_CALL;
    bool is_constant = it->from.kind == JS_PLACE_VALUE;
    const char *name = is_call       ? js_moved_called(in->at, insn)
                       : is_constant ? js_reference_named(in->at->object, it)
                                     : NULL;
    bool leaves =
        it->op == JS_OP_JUMP || it->op == JS_OP_BRANCH || it->op == JS_OP_INDIRECT || it->op == JS_OP_END;
    if (name && js_numba_counts_references(name)) {
        return WORK_COUNTS;
    }
    return is_call || leaves || (it->stores && js_code_is_element(code, &it->to)) ? WORK_OTHER : WORK_NONE;
}

/* True if the row's code, or code of its line that follows in the block, counts before it does anything else.
 */
static bool only_counts(const counts *in, size_t row)
{
    const js_code *code = in->at->track->code;
    uint32_t first = js_code_find(code, in->rows[row].address);
    if (first == JS_CODE_NOWHERE) {
        return false;
    }
    const js_basic_block *block = &code->blocks[js_code_block(code, first)];
    if (block->order == JS_CODE_NOWHERE) {
        return false;
    }
    uint32_t end = block->first + block->count;
    work found = WORK_NONE;
    size_t at = row; /* the last row of the instruction that has a line */
    for (uint32_t i = first; i < end && found != WORK_OTHER && (found == WORK_NONE || at == row); i++) {
        for (size_t next = at + 1; next < in->nrows && in->rows[next].address <= code->insns[i].address;
             next++) {
            at = in->rows[next].line ? next : at;
        }
        bool is_own = in->rows[at].line == in->rows[row].line && in->rows[at].file == in->rows[row].file;
        work own = is_own ? work_of(in, i) : WORK_NONE;
        found = own != WORK_NONE && (at == row || found == WORK_NONE) ? own : found;
    }
    return found == WORK_COUNTS;
}

/* True if the line has other code where a statement may begin. */
static bool has_other(const counts *in, size_t row)
{
    const js_row *it = &in->rows[row];
    bool found = false;
    for (size_t i = 0; i < in->nrows && !found; i++) {
        const js_row *other = &in->rows[i];
        found = i != row && other->line == it->line && other->file == it->file && other->is_stmt &&
                !only_counts(in, i);
    }
    return found;
}

int js_rows_drop_counts(const js_moved *moved)
{
    js_function *function = moved->function;
    counts in = {moved, function->statements.rows, function->lines.nall};
    if (!in.rows || moved->track->code->ninsns == 0) {
        return JS_OK;
    }
    int status = moved->track->in ? JS_OK : js_track_run(moved->track, moved->scratch, NULL, 0, NULL, 0);
    for (size_t i = 0; status == JS_OK && i < in.nrows; i++) {
        js_row *row = &in.rows[i];
        bool is_asked = row->is_stmt && row->line && !row->prologue_end && row->column != JS_COLUMN_MARKER &&
                        row->column != JS_COLUMN_RAISE && row->file == function->file &&
                        js_function_inline_at(function, row->address) == moved->item;
        row->is_stmt = row->is_stmt && !(is_asked && only_counts(&in, i) && has_other(&in, i));
    }
    return status;
}
