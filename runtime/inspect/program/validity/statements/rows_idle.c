/* Finds what the code of a row does. Unoptimised code joins the versions of a variable where branches meet.
 * The compiler gives that code the line of the variable's next assignment or use, which does not begin there.
 */
#include <string.h>

#include "program/machine/relocated_calls.h"
#include "program/names/numba/variable_names.h"
#include "program/source/definitions.h"
#include "program/validity/locations/home.h"
#include "program/validity/statements/rows.h"

static bool lives_at(const js_truth *truth, const js_variable *variable, int64_t offset)
{
    js_extent home;
    return js_truth_home(truth, variable, &home) && offset >= home.lo && offset < home.hi;
}

/* True if the source, as far as it is known, assigns the name on this line. */
static bool assigns(const js_flow *flow, const char *name, uint32_t line)
{
    return js_flow_is_def(flow, name, line) || js_flow_count_defs(flow, name) == 0;
}

/* True if a statement of this line assigns the variable whose home has this offset. Joining versions have
 * numbers after all others. by_line: for names that the compiler has numbered twice, all versions of this
 * line are a statement's. */
static bool is_assigned_at(const js_truth *truth, int64_t offset, uint32_t line, bool by_line)
{
    const js_function *function = truth->function;
    for (size_t i = 0; i < function->nvariables; i++) {
        const js_variable *variable = &function->variables[i];
        if (variable->line == line && lives_at(truth, variable, offset) &&
            assigns(truth->flow, variable->base, line) &&
            (variable->version < js_flow_count_defs(truth->flow, variable->base) ||
             (by_line && variable->version >= JS_NUMBA_RENUMBERED))) {
            return true;
        }
    }
    return false;
}

/* True if the store copies a value, which is no version of the variable, to a variable that the source
 * assigns on this line. Numba may put the values of two assignments in one home, which has the line of the
 * first. */
static bool is_assignment_of(const js_truth *truth, uint32_t first, size_t index, uint32_t line, int64_t to)
{
    const js_function *function = truth->function;
    uint32_t load = js_code_copied_by(&truth->machine.code, first, (uint32_t)index);
    const js_place *place = load == JS_CODE_NOWHERE ? NULL : &truth->machine.code.insns[load].from;
    int64_t from =
        place ? js_track_offset(&truth->machine.track, load, place->reg, place->value) : JS_TRACK_NOWHERE;
    bool is_assigned = false, is_version = false;
    for (size_t i = 0; i < function->nvariables && from != JS_TRACK_NOWHERE; i++) {
        const js_variable *variable = &function->variables[i];
        bool is_named = js_flow_is_def(truth->flow, variable->base, line);
        is_assigned = is_assigned || (is_named && lives_at(truth, variable, to));
        is_version = is_version || (is_named && lives_at(truth, variable, from));
    }
    return is_assigned && !is_version;
}

/* True if the instruction only copies or clears. *zeroed: registers that the row has zeroed so far. *zeroes
 * is set if it sets to 0 what the line assigns. */
static bool is_copy(const js_truth *truth, uint32_t first, size_t index, uint32_t line, bool by_line,
                    uint64_t *zeroed, bool *zeroes)
{
    const js_insn *insn = &truth->machine.code.insns[index];
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
    int64_t offset = js_track_offset(&truth->machine.track, index, insn->to.reg, insn->to.value);
    bool is_own = offset == JS_TRACK_NOWHERE || is_assigned_at(truth, offset, line, by_line) ||
                  (by_line && is_assignment_of(truth, first, index, line, offset));
    *zeroes = *zeroes || (is_zero && is_own); /* it may also give the variable up */
    return is_zero || !is_own;
}

static bool has_def(const js_flow *flow, uint32_t line)
{
    bool found = false;
    for (size_t i = 0; i < flow->ndefs && !found; i++) {
        found = flow->defs[i].line == line;
    }
    return found;
}

/* True for an assignment that is no loop's header. Its statement makes a version of its own, so that code
 * which takes a reference (to a variable that a handler reads, before each line that may raise) is not the
 * statement's. */
static bool is_assignment(const js_flow *flow, uint32_t line)
{
    return has_def(flow, line) && !js_flow_loop(flow, line);
}

static bool only_counts(const js_truth *truth, uint32_t line, uint32_t first, uint32_t call)
{
    const char *name = js_reference_called_from(truth->object, &truth->machine.code, first, call);
    return name && (js_numba_drops_reference(name) ||
                    (js_numba_takes_reference(name) && is_assignment(truth->flow, line)));
}

static bool is_variable(const js_truth *truth, int64_t offset)
{
    const js_function *function = truth->function;
    for (size_t i = 0; i < function->nvariables; i++) {
        if (lives_at(truth, &function->variables[i], offset)) {
            return true;
        }
    }
    return false;
}

static bool moves(const js_insn *insn, uint8_t to, uint8_t from)
{
    return insn->op == JS_OP_MOVE && insn->extra_to == JS_PLACE_NONE && insn->width == 8 &&
           insn->to.kind == to && insn->from.kind == from;
}

/* Return how many instructions from the second one of a count of `try`s on belong to it; 0: it is other code.
 * The compiler counts the `try`s that the program is in, in a word of the frame, and clears the exception
 * where one ends. */
static uint32_t count_tries(const js_truth *truth, uint32_t line, uint32_t first, uint32_t index)
{
    const js_code *code = &truth->machine.code;
    const js_insn *insn = &code->insns[index];
    if ((insn->step != 1 && insn->step != -1) || insn->op != JS_OP_OTHER || index <= first ||
        index + 1 >= code->ninsns || js_flow_loop(truth->flow, line)) {
        return 0;
    }
    const js_insn *load = insn - 1, *store = insn + 1, *next = index + 2 < code->ninsns ? insn + 2 : NULL;
    if (!moves(load, JS_PLACE_REGISTER, JS_PLACE_FRAME) || !moves(store, JS_PLACE_FRAME, JS_PLACE_REGISTER) ||
        load->to.reg != insn->to.reg || store->from.reg != insn->to.reg || load->from.reg != store->to.reg ||
        load->from.value != store->to.value) {
        return 0;
    }
    int64_t offset = js_track_offset(&truth->machine.track, index, store->to.reg, store->to.value);
    if (offset == JS_TRACK_NOWHERE || is_variable(truth, offset)) {
        return 0;
    }
    bool forgets = next && next->to.kind == JS_PLACE_MEMORY && next->from.kind == JS_PLACE_VALUE &&
                   next->from.value == 0 && next->to.value == 0 && next->to.index == JS_CODE_REGISTERS;
    return forgets ? 3 : 2;
}

js_row_work js_rows_work(const js_truth *truth, const js_row *row, uint64_t end, bool by_line)
{
    bool zeroes = false;
    uint64_t zeroed = 0;
    uint32_t insn = js_code_find(&truth->machine.code, row->address), first = insn;
    if (insn == JS_CODE_NOWHERE) {
        return JS_ROW_WORKS;
    }
    for (; insn < truth->machine.code.ninsns && truth->machine.code.insns[insn].address < end; insn++) {
        const js_insn *it = &truth->machine.code.insns[insn];
        uint32_t counts = count_tries(truth, row->line, first, insn);
        if (counts) {
            insn += counts - 1;
            continue;
        }
        bool is_near = it->from.kind != JS_PLACE_MEMORY && it->from.kind != JS_PLACE_INDEXED;
        if (it->converts && is_near && has_def(truth->flow, row->line)) {
            zeroed &= ~it->written;
            continue;
        }
        bool is_constant = it->from.kind == JS_PLACE_VALUE; /* a `mov` has set the register */
        switch (it->op == JS_OP_OTHER && is_constant ? JS_OP_MOVE : it->op) {
        case JS_OP_MOVE:
        case JS_OP_ZERO:
            if (!is_copy(truth, first, insn, row->line, by_line, &zeroed, &zeroes)) {
                return JS_ROW_WORKS;
            }
            break;
        case JS_OP_CALL:
            if (!only_counts(truth, row->line, first, insn)) {
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

bool js_rows_is_removed(const js_truth *truth, uint32_t line)
{
    const js_function *function = truth->function;
    js_extent home;
    bool is_kept = false; /* a line of an inlined function counts as kept if that function's variables are */
    for (size_t i = 0; i < truth->flow->nwithin && !is_kept; i++) {
        is_kept = line >= truth->flow->within[i].first && line <= truth->flow->within[i].last;
    }
    for (size_t i = 0; i < function->nvariables && !is_kept; i++) {
        is_kept = js_flow_is_def(truth->flow, function->variables[i].base, line) &&
                  js_truth_home(truth, &function->variables[i], &home);
    }
    return is_assignment(truth->flow, line) && !is_kept;
}
