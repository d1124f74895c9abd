/* Rule 9. Where a variable changes its type, Numba converts it where its versions meet, with the line of a
 * statement that computes with it. Code that only converts and copies is not what that statement does. */
#include "program/source/formula.h"
#include "program/validity/statements/rows_lines.h"

/* True if the statement assigns the result of an operator with two operands. */
static bool computes(const js_flow *flow, uint32_t line)
{
    bool found = false;
    for (size_t i = 0; i < flow->ndefs; i++) {
        const js_node *gives = flow->defs[i].line == line ? flow->defs[i].gives : NULL;
        if (flow->defs[i].line == line && !(gives && js_formula_is_arithmetic(gives))) {
            return false;
        }
        found = found || gives;
    }
    return found;
}

static bool only_converts(const js_code *code, uint32_t first, uint64_t end)
{
    bool converts = false, is_other = first == JS_CODE_NOWHERE;
    for (uint32_t i = first; !is_other && i < code->ninsns && code->insns[i].address < end; i++) {
        const js_insn *it = &code->insns[i];
        bool is_constant = it->op == JS_OP_OTHER && it->from.kind == JS_PLACE_VALUE;
        bool is_copy = it->op == JS_OP_MOVE || it->op == JS_OP_ZERO || is_constant;
        bool is_near = !js_code_is_element(code, &it->to);
        converts = converts || it->converts;
        is_other = !it->converts && it->op != JS_OP_PAD && it->op != JS_OP_JUMP && !(is_copy && is_near);
    }
    return converts && !is_other;
}

void js_rows_drop_conversions(js_rows *rows)
{
    const js_code *code = &rows->truth->machine.code;
    for (size_t i = 0; i < rows->nrows; i++) {
        bool is_asked = js_rows_is_judged(rows, i) && !rows->rows[i].prologue_end &&
                        computes(rows->truth->flow, rows->rows[i].line);
        if (is_asked &&
            only_converts(code, js_code_find(code, rows->rows[i].address), js_rows_end(rows, i))) {
            rows->rows[i].is_stmt = false;
        }
    }
}
