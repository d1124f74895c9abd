/* Judges a variable by its homes, and checks that against the source. */
#include "program/validity/states/in_memory.h"

#include <dwarf.h>
#include <string.h>

#include "program/source/definitions.h"
#include "program/validity/locations/home.h"
#include "program/validity/order/order.h"
#include "program/validity/recovered/copies.h"
#include "program/validity/recovered/range_loops.h"
#include "program/validity/states/values.h"
#include "program/validity/variables/constants.h"
#include "program/validity/variables/versions.h"

bool js_truth_put_home(const js_truth *truth, const js_variable *version, size_t insn, js_verdict *out)
{
    js_extent home;
    int64_t stack = insn == JS_CODE_NOWHERE ? JS_TRACK_NOWHERE : truth->machine.track.stack[insn];
    int64_t red_zone = stack == truth->machine.base
                           ? 128
                           : 0; /* for leaf functions, below rsp: System V ABI, AMD64, 3.2.2 */
    if (stack == JS_TRACK_NOWHERE || !js_truth_home(truth, version, &home) || home.lo < stack - red_zone) {
        return false;
    }
    out->expr.size = 0;
    out->expr.overflow = false;
    if (stack == truth->machine.base) {
        js_expr_copy(&out->expr, version->locations[0].expr, version->locations[0].size);
    } else {
        js_expr_memory(&out->expr, JS_CODE_RSP, home.lo - stack);
    }
    return !out->expr.overflow;
}

/* Set out->expr to the home if it is not 0 at run time, and to no value if it is, as the version may not have
 * been assigned then. */
static bool put_unless_zero(const js_truth *truth, const js_variable *version, size_t insn, js_verdict *out)
{
    js_verdict home = *out;
    uint64_t size = version->type->size;
    if (!js_truth_put_home(truth, version, insn, &home) ||
        (size != 1 && size != 2 && size != 4 && size != 8)) {
        return false;
    }
    js_expr piece = {.size = 0, .overflow = false};
    js_expr_piece(&piece, size);
    size_t skipped = piece.size + 3; /* the piece and the jump after it */
    out->expr = home.expr;
    js_expr_op(&out->expr, DW_OP_deref_size);
    js_expr_op(&out->expr, (uint8_t)size);
    js_expr_op(&out->expr, DW_OP_bra);
    js_expr_op(&out->expr, (uint8_t)skipped);
    js_expr_op(&out->expr, 0);
    js_expr_copy(&out->expr, piece.bytes, piece.size);
    js_expr_op(&out->expr, DW_OP_skip);
    js_expr_op(&out->expr, (uint8_t)home.expr.size);
    js_expr_op(&out->expr, (uint8_t)(home.expr.size >> 8));
    js_expr_copy(&out->expr, home.expr.bytes, home.expr.size);
    out->state = JS_STATE_EXACT;
    return !out->expr.overflow;
}

static bool reaches_line(const js_truth *truth, const js_flow_at *fact, uint32_t line)
{
    for (size_t i = 0; i < fact->ndefs; i++) {
        const js_flow_def *def = js_flow_def_by_id(truth->flow, fact->defs[i]);
        if (def && def->line == line) {
            return true;
        }
    }
    return false;
}

/* Find the variable's value outside of its home: as the index of a loop, or a copy in another word of the
 * frame. */
static bool put_recovered(js_truth *truth, const js_local *local, const js_homes *homes,
                          const js_flow_at *fact, const js_point *point, js_verdict *out)
{
    if (!fact || out->state == JS_STATE_EXACT) {
        return false;
    }
    if (out->state != JS_STATE_UNASSIGNED &&
        js_range_loops_put(truth, local, fact, point->line, point->insn, js_homes_is_stored(homes), out)) {
        return true;
    }
    return fact->ndefs > 0 && truth->copies && !js_order_is_early(truth->order, point->insn) &&
           !js_truth_removed(truth, local, fact) && js_copies_put(truth->copies, local, point->insn, out);
}

/* Label the home where an assignment that may be current has no version. */
static void doubt_removed(const js_truth *truth, const js_local *local, const js_flow_at *fact,
                          js_verdict *out)
{
    const char *why = js_truth_removed(truth, local, fact);
    if (why) {
        js_truth_label(out, JS_STATE_UNKNOWN, NULL, why);
    }
}

/* Label the home where the source's reaching definitions do not allow its version. */
static void doubt_exact(const js_truth *truth, const js_local *local, const js_flow_at *fact,
                        const js_point *point, js_verdict *out)
{
    const js_function *function = truth->function;
    if (function->region.parent && out->version->is_argument && js_truth_is_outside(truth, fact) &&
        !js_truth_is_passed(truth, local, fact, out->version)) {
        js_truth_label(out, JS_STATE_OPTIMIZED_OUT, NULL, js_reason_not_kept);
        return;
    }
    bool is_statement = out->version->version < js_flow_count_defs(truth->flow, local->name);
    bool is_passed = out->version->is_argument && (!function->starts_region || function->region.parent);
    uint32_t own = out->version->is_argument ? truth->flow->first_line : out->version->line;
    bool is_known = is_passed || !is_statement || reaches_line(truth, fact, own);
    /* starts_region: Numba removes copies in parallel functions, and a line has code after its own assignment
     */
    if ((own != point->line || function->starts_region) && (fact->ndefs == 0 || !is_known)) {
        js_truth_label(out, JS_STATE_UNKNOWN, NULL, js_reason_moved);
    } else if (own != point->line) {
        doubt_removed(truth, local, fact, out);
    }
}

/* Take the state from the source's reaching definitions, where the home has no value. */
static void take_from_source(js_truth *truth, const js_local *local, const js_flow_at *fact,
                             const js_point *point, js_verdict *out)
{
    const js_flow_def *def = js_truth_single_def(truth, fact);
    if (fact->ndefs == 0) {
        js_truth_label(out, JS_STATE_UNASSIGNED, NULL, NULL);
    } else if (def && (def->literal || def->held) && out->state != JS_STATE_UNASSIGNED &&
               !js_order_is_early(truth->order, point->insn)) {
        const js_variable *version = js_truth_version(truth, local, def);
        if (version) {
            js_truth_put_constant(version, def, out);
        }
    } else if (out->state == JS_STATE_UNASSIGNED && !fact->maybe_unassigned && out->version == NULL) {
        /* the line's first instructions may still belong to the statement before it */
        js_truth_label(out, JS_STATE_UNKNOWN, NULL, "not stored yet");
    }
}

/* True if, by the source, the local still has the argument's value at the line. */
static bool stays_argument(const js_truth *truth, const js_local *local, const js_flow_at *fact)
{
    const js_variable *argument = js_truth_argument_of(local);
    const js_flow_def *def = js_truth_single_def(truth, fact);
    if (fact && truth->function->region.parent && js_truth_is_outside(truth, fact)) {
        return argument && js_truth_is_passed(truth, local, fact, argument);
    }
    return def ? js_truth_is_argument_def(truth, def) : !truth->flow && local->nversions == 1;
}

void js_truth_judge_home(js_truth *truth, const js_local *local, const js_homes *homes,
                         const js_flow_at *fact, const js_point *point, js_verdict *out)
{
    js_homes_put_verdict(homes, out);
    out->expr.size = 0;
    if (put_recovered(truth, local, homes, fact, point, out)) {
        return;
    }
    if (out->state == JS_STATE_EXACT && !js_truth_put_home(truth, out->version, point->insn, out)) {
        js_truth_label(out, JS_STATE_UNKNOWN, out->version, "the frame is not set up here");
    }
    if (out->needs_zero_check && !put_unless_zero(truth, out->version, point->insn, out)) {
        js_truth_label(out, JS_STATE_UNKNOWN, out->version, js_reason_some_paths);
    }
    if (out->state != JS_STATE_EXACT) {
        bool is_early = local->is_argument && js_homes_is_unstored(homes);
        if ((is_early || stays_argument(truth, local, fact)) &&
            js_truth_put_argument(truth, local, point, out)) {
            return;
        }
        if (is_early) {
            js_truth_label(out, JS_STATE_UNKNOWN, js_truth_argument_of(local),
                           "the arguments are not in place yet");
        }
    }
    if (fact && out->state == JS_STATE_EXACT) {
        doubt_exact(truth, local, fact, point, out);
    } else if (fact) {
        take_from_source(truth, local, fact, point, out);
    }
}

/* True for a scalar that DW_OP_deref_size can read. */
static bool is_number(const js_type *type)
{
    bool is_scalar =
        type->shape == JS_SHAPE_INT || type->shape == JS_SHAPE_BOOL || type->shape == JS_SHAPE_FLOAT;
    return is_scalar && (type->size == 1 || type->size == 2 || type->size == 4 || type->size == 8);
}

void js_truth_guard_home(const js_truth *truth, const js_homes *homes, const js_point *point, js_verdict *out)
{
    js_verdict home = *out;
    const js_variable *version = out->version;
    if (out->state != JS_STATE_EXACT || !version || !is_number(version->type) ||
        !js_truth_put_home(truth, version, point->insn, &home) || home.expr.size != out->expr.size ||
        memcmp(home.expr.bytes, out->expr.bytes, home.expr.size) != 0) {
        return;
    }
    const js_variable *read = js_homes_read(homes, point->insn);
    if (read && read->type == version->type && js_truth_put_home(truth, read, point->insn, out)) {
        out->version = read;
        return;
    }
    js_expr_op(&home.expr, DW_OP_deref_size);
    js_expr_op(&home.expr, (uint8_t)version->type->size);
    js_expr_op(&home.expr, DW_OP_stack_value);
    if (!home.expr.overflow) {
        out->expr = home.expr;
    }
}

void js_truth_doubt_home(const js_truth *truth, const js_local *local, const js_flow_at *fact,
                         const js_point *point, js_verdict *out)
{
    if (truth->function->starts_region && fact->ndefs == 0) {
        js_truth_label(out, JS_STATE_UNKNOWN, NULL,
                       js_reason_moved); /* Numba has merged its assignment with one of a line above */
    } else if (out->version->line != point->line && js_truth_matches_without_removed(truth, local)) {
        doubt_removed(truth, local, fact, out);
    }
}
