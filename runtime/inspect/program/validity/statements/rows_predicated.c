/* Rule 6. In a loop that LLVM has vectorised, code that depends on a test runs whichever way the test goes,
 * and a mask selects the iterations that it counts for. No statement begins there. If LLVM has unrolled the
 * loop completely, the mask of an access to memory shows such code. */
#include "program/validity/statements/rows_lines.h"

/* True if the block has code of the test before the row. */
static bool is_tested(const js_rows *rows, uint32_t block, size_t row, const js_region *region)
{
    const js_code *code = &rows->truth->machine.code;
    uint64_t lo = code->insns[code->blocks[block].first].address;
    bool found = false;
    for (size_t i = js_rows_from(rows, lo); i < row && !found; i++) {
        uint32_t line = rows->begins[i] ? rows->rows[i].line : 0;
        found = line >= region->first_test && line <= region->last_test && line;
    }
    return found;
}

static bool is_vectorised(const js_truth *truth, uint32_t block)
{
    const js_code *code = &truth->machine.code;
    const js_basic_block *it = &code->blocks[block];
    bool found = false;
    for (uint32_t i = it->first; i < it->first + it->count && truth->insns.is_cyclic[it->first] && !found;
         i++) {
        found = code->insns[i].is_packed;
    }
    return found;
}

static bool has_mask(const js_rows *rows, size_t row, uint32_t first)
{
    const js_code *code = &rows->truth->machine.code;
    uint64_t end = js_rows_end(rows, row);
    bool found = false;
    for (uint32_t i = first; i < code->ninsns && code->insns[i].address < end && !found; i++) {
        found = code->insns[i].is_masked;
    }
    return found;
}

void js_rows_drop_predicated(js_rows *rows)
{
    const js_flow *flow = rows->truth->flow;
    for (size_t i = 0; i < rows->nrows; i++) {
        uint32_t insn = js_code_find(&rows->truth->machine.code, rows->rows[i].address);
        bool is_asked = js_rows_is_judged(rows, i) && !rows->rows[i].prologue_end && insn != JS_CODE_NOWHERE;
        uint32_t block = is_asked ? js_code_block(&rows->truth->machine.code, insn) : 0,
                 line = rows->rows[i].line;
        bool depends = false, is_tested_here = false;
        for (size_t k = 0; k < flow->nregions && is_asked && !is_tested_here; k++) {
            const js_region *region = &flow->regions[k];
            bool is_in = region->kind != JS_REGION_LOOP && region->first_test && line >= region->first &&
                         line <= region->last;
            depends = depends || is_in;
            is_tested_here = is_in && is_tested(rows, block, i, region);
        }
        if ((is_tested_here && is_vectorised(rows->truth, block)) || (depends && has_mask(rows, i, insn))) {
            rows->rows[i].is_stmt = false;
            js_rows_mark_moved(rows, i, js_rows_end(rows, i));
        }
    }
}
