/* Unoptimised code joins the versions of a variable where branches meet. The compiler gives that code the
 * line of the variable's next assignment or use, where nothing of it happens. */
#include <string.h>

#include "program/numba/variables.h"
#include "program/references.h"
#include "program/rows.h"

static size_t count_defs(const js_flow *flow, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < flow->ndefs; i++) {
        count += strcmp(flow->defs[i].name, name) == 0;
    }
    return count;
}

/* Does a statement of this line assign what lives there? Joining versions are numbered after all others. */
static bool is_assigned_at(const js_truth *truth, int64_t offset, uint32_t line)
{
    const js_function *function = truth->function;
    for (size_t i = 0; i < function->nvariables; i++) {
        const js_variable *variable = &function->variables[i];
        js_extent home;
        if (variable->line == line && js_truth_home(truth, variable, &home) && offset >= home.lo &&
            offset < home.hi && variable->version < count_defs(truth->flow, variable->base)) {
            return true;
        }
    }
    return false;
}

/* zeroed: registers that the row has zeroed so far; zeroes: it gives what is assigned on its line 0. */
static bool is_copy(const js_truth *truth, size_t index, uint32_t line, uint64_t *zeroed, bool *zeroes)
{
    const js_insn *insn = &truth->code.insns[index];
    if (insn->extra_to != JS_PLACE_NONE || insn->to.kind == JS_PLACE_MEMORY ||
        insn->to.kind == JS_PLACE_INDEXED || insn->from.kind == JS_PLACE_MEMORY ||
        insn->from.kind == JS_PLACE_INDEXED) {
        return false;
    }
    bool is_zero = insn->op == JS_OP_ZERO ||
                   (insn->from.kind == JS_PLACE_REGISTER && (*zeroed >> insn->from.reg & 1) != 0);
    if (insn->to.kind == JS_PLACE_REGISTER) {
        uint64_t bit = (uint64_t)1 << insn->to.reg;
        *zeroed = is_zero ? *zeroed | bit : *zeroed & ~bit;
        return true;
    }
    int64_t offset = js_track_offset(&truth->track, index, insn->to.reg, insn->to.value);
    bool is_own = offset == JS_TRACK_NOWHERE || is_assigned_at(truth, offset, line);
    *zeroes = *zeroes || (is_zero && is_own); /* or gives it up */
    return is_zero || !is_own;
}

static bool gives_up(const js_truth *truth, uint32_t first, uint32_t call)
{
    const char *name = js_reference_called_from(truth->object, &truth->code, first, call);
    return name && js_numba_gives_up(name);
}

js_row_work js_rows_work(const js_truth *truth, const js_row *row, uint64_t end)
{
    bool zeroes = false;
    uint64_t zeroed = 0;
    uint32_t insn = js_code_find(&truth->code, row->address), first = insn;
    if (insn == JS_CODE_NOWHERE) {
        return JS_ROW_WORKS;
    }
    for (; insn < truth->code.ninsns && truth->code.insns[insn].address < end; insn++) {
        const js_insn *it = &truth->code.insns[insn];
        bool is_constant = it->from.kind == JS_PLACE_VALUE; /* of a `mov` */
        switch (it->op == JS_OP_OTHER && is_constant ? JS_OP_MOVE : it->op) {
        case JS_OP_MOVE:
        case JS_OP_ZERO:
            if (!is_copy(truth, insn, row->line, &zeroed, &zeroes)) {
                return JS_ROW_WORKS;
            }
            break;
        case JS_OP_CALL:
            if (!gives_up(truth, first, insn)) {
                return JS_ROW_WORKS;
            }
            zeroed = 0;
            break;
        case JS_OP_JUMP:
            return zeroes ? JS_ROW_ZEROES : JS_ROW_JOINS;
        case JS_OP_PAD:
            break;
        default:
            return JS_ROW_WORKS;
        }
    }
    return zeroes ? JS_ROW_ZEROES : JS_ROW_JOINS;
}
