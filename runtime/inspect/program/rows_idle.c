/* Unoptimised code joins the versions of a variable where branches meet. The compiler gives that code the
 * line of the variable's next assignment or use, where nothing of it happens. */
#include <string.h>

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

static bool is_copy(const js_truth *truth, size_t index, uint32_t line)
{
    const js_insn *insn = &truth->code.insns[index];
    if (insn->extra_to != JS_PLACE_NONE || insn->to.kind == JS_PLACE_MEMORY ||
        insn->to.kind == JS_PLACE_INDEXED || insn->from.kind == JS_PLACE_MEMORY) {
        return false;
    }
    if (insn->op == JS_OP_ZERO || insn->to.kind != JS_PLACE_FRAME) {
        return insn->to.kind == JS_PLACE_FRAME || insn->from.kind == JS_PLACE_FRAME;
    }
    int64_t offset = js_track_offset(&truth->track, index, insn->to.reg, insn->to.value);
    return offset != JS_TRACK_NOWHERE && !is_assigned_at(truth, offset, line);
}

bool js_rows_is_idle(const js_truth *truth, const js_row *row, uint64_t end)
{
    uint32_t insn = js_code_find(&truth->code, row->address);
    if (insn == JS_CODE_NOWHERE) {
        return false;
    }
    for (; insn < truth->code.ninsns && truth->code.insns[insn].address < end; insn++) {
        switch (truth->code.insns[insn].op) {
        case JS_OP_MOVE:
        case JS_OP_ZERO:
            if (!is_copy(truth, insn, row->line)) {
                return false;
            }
            break;
        case JS_OP_JUMP:
            return true;
        case JS_OP_PAD:
            break;
        default:
            return false;
        }
    }
    return true;
}
