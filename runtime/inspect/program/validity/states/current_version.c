/* Is a version current at a line? By the source's reaching definitions, checked against what the object says.
 */
#include "program/validity/states/current_version.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "program/model/lookup.h"
#include "program/names/numba/variable_names.h"
#include "program/source/definitions.h"
#include "program/validity/locations/home.h"
#include "program/validity/order/order.h"
#include "program/validity/recovered/copies.h"
#include "program/validity/recovered/from_caller.h"
#include "program/validity/recovered/places.h"
#include "program/validity/recovered/range_loops.h"
#include "program/validity/variables/constants.h"
#include "program/validity/variables/undescribed_variables.h"
#include "program/validity/variables/versions.h"

static const char several[] = "assigned in several places: optimised code does not tell which";
static const char in_loop[] = "optimised loop: the turn that a register belongs to is not known";
static const char some_paths[] = "assigned on some paths only";
static const char not_source[] = "the compiler's variables of this name are not the source's assignments";
static const char copied[] = "inlined several times: which copy's it is cannot be told";
static const char not_within[] = "of a function that is inlined here, and does not run";
static const char no_source[] = "no source at hand to tell which assignment is current";
static const char nameless[] =
    "a pointer to what the compiler does not name: None, a string of the source, a function, an object";
static const char moved[] = "moved by the compiler";
static const char removed[] = "the compiler removed an assignment that nothing reads";
static const char hidden[] = "code of another function, which has the same name";
static const char not_kept[] = "not kept by optimised code";

static void label(js_verdict *out, js_state state, const js_variable *version, const char *reason)
{
    out->state = state;
    out->version = version;
    out->reason = reason;
    out->expr.size = 0;
}

/* The version is the current one and had one value only: whatever place the compiler names for it is right.
 */
static void put_version(js_truth *truth, const js_variable *version, uint64_t pc, size_t insn, bool older,
                        js_verdict *out)
{
    if (js_truth_locate(truth, version, pc, insn, older, &out->expr)) {
        out->state = JS_STATE_EXACT;
        out->version = version;
        out->reason = NULL;
    } else {
        label(out, JS_STATE_OPTIMIZED_OUT, version, not_kept);
    }
}

/* The home as the instruction sees it: the frame may not stand yet, or no longer. */
static bool put_home(const js_truth *truth, const js_variable *version, size_t insn, js_verdict *out)
{
    js_extent home;
    int64_t stack = insn == JS_CODE_NOWHERE ? JS_TRACK_NOWHERE : truth->track.stack[insn];
    int64_t red_zone =
        stack == truth->base ? 128 : 0; /* System V ABI, AMD64, 3.2.2: a leaf's own, below rsp */
    if (stack == JS_TRACK_NOWHERE || !js_truth_home(truth, version, &home) || home.lo < stack - red_zone) {
        return false;
    }
    out->expr.size = 0;
    out->expr.overflow = false;
    if (stack == truth->base) {
        js_expr_copy(&out->expr, version->locations[0].expr, version->locations[0].size);
    } else {
        js_expr_memory(&out->expr, JS_CODE_RSP, home.lo - stack);
    }
    return !out->expr.overflow;
}

/* The home, where it is not zero; nothing where it is: then it may not have been assigned. */
static bool put_unless_zero(const js_truth *truth, const js_variable *version, size_t insn, js_verdict *out)
{
    js_verdict home = *out;
    uint64_t size = version->type->size;
    if (!put_home(truth, version, insn, &home) || (size != 1 && size != 2 && size != 4 && size != 8)) {
        return false;
    }
    js_expr piece = {.size = 0, .overflow = false};
    js_expr_piece(&piece, size);
    size_t skipped = piece.size + 3; /* the piece and the jump behind it */
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

static const js_variable *argument_of(const js_local *local)
{
    const js_variable *first = local->versions[0];
    return first->is_argument && first->version == 0 ? first : NULL;
}

/* Kernels of parallel loops: what was assigned outside of the loop came in as an argument. */
static bool defined_outside(const js_truth *truth, const js_flow_at *at)
{
    const js_function *function = truth->function;
    uint32_t first = function->region_line, last = 0;
    for (size_t i = 0; i < function->nrows; i++) {
        bool is_own = function->rows[i].line > last && js_function_has_line(function, function->rows[i].line);
        last = is_own ? function->rows[i].line : last;
    }
    for (size_t i = 0; i < at->ndefs; i++) {
        const js_flow_def *def = js_flow_def_by_id(truth->flow, at->defs[i]);
        if (!def || (def->line >= first && def->line <= last)) {
            return false;
        }
    }
    return first > 0 && at->ndefs > 0;
}

/* The one definition that reaches, or NULL. */
static const js_flow_def *single_def(const js_truth *truth, const js_flow_at *at)
{
    return at && at->ndefs == 1 && !at->maybe_unassigned ? js_flow_def_by_id(truth->flow, at->defs[0]) : NULL;
}

/* Is it the name's one assignment, and made once in every call? */
static bool is_only_assignment(const js_truth *truth, const js_local *local, const js_flow_def *def)
{
    for (size_t i = 0; i < truth->flow->nregions; i++) {
        const js_region *region = &truth->flow->regions[i];
        if (def->line >= region->first && def->line <= region->last) {
            return false;
        }
    }
    return !def->in_loop && js_truth_count_defs(truth->flow, local->name) == 1;
}

static bool reaches_line(const js_truth *truth, const js_flow_at *at, uint32_t line)
{
    for (size_t i = 0; i < at->ndefs; i++) {
        const js_flow_def *def = js_flow_def_by_id(truth->flow, at->defs[i]);
        if (def && def->line == line) {
            return true;
        }
    }
    return false;
}

/* The value that came in as an argument, wherever it still is. */
static bool put_argument(js_truth *truth, const js_local *local, uint64_t pc, size_t insn, bool older,
                         js_verdict *out)
{
    const js_variable *argument = argument_of(local);
    js_verdict tried;
    if (!argument) {
        return false;
    }
    tried.is_told_by_zero = false;
    tried.computed = NULL;
    put_version(truth, argument, pc, insn, older, &tried);
    if (tried.state == JS_STATE_EXACT) {
        *out = tried;
    }
    return tried.state == JS_STATE_EXACT;
}

/* Called with arguments of its own, natively? */
static bool is_called(const js_function *function)
{
    return function->name.kind == JS_NAME_FUNCTION && !function->parent && !function->name.is_object_mode;
}

/* Uses only the caller's copy of the argument: the compiler's one variable of this name may stand for a later
 * version. */
static bool put_passed(js_truth *truth, const js_local *local, js_verdict *out)
{
    const js_variable *argument = argument_of(local);
    js_verdict tried = {.state = JS_STATE_EXACT, .version = argument};
    if (!argument || !is_called(truth->function) || !js_truth_put_from_caller(truth, argument, &tried.expr)) {
        return false;
    }
    *out = tried;
    return true;
}

bool js_truth_put_entry(js_truth *truth, const js_local *local, uint64_t pc, size_t insn, bool older,
                        js_verdict *out)
{
    const js_variable *argument = argument_of(local);
    const js_flow_def *def = NULL;
    for (size_t i = 0; i < truth->flow->ndefs && !def; i++) {
        bool is_own = strcmp(truth->flow->defs[i].name, local->name) == 0;
        def = is_own && js_truth_is_argument_def(truth, &truth->flow->defs[i]) ? &truth->flow->defs[i] : NULL;
    }
    if (!argument || !def || !is_called(truth->function) || !js_truth_source_matches(truth, local)) {
        return false;
    }
    return js_truth_version(truth, local, def) == argument ? put_argument(truth, local, pc, insn, older, out)
                                                           : put_passed(truth, local, out);
}

static void judge_home(js_truth *truth, const js_local *local, const js_homes *homes, const js_flow_at *at,
                       uint32_t line, uint64_t pc, size_t insn, bool older, js_verdict *out)
{
    const js_flow_def *def = single_def(truth, at);
    bool stays_argument = def ? js_truth_is_argument_def(truth, def) : !truth->flow && local->nversions == 1;
    const js_variable *argument = argument_of(local);
    bool is_outside = at && truth->function->parent && defined_outside(truth, at);
    if (is_outside) {
        stays_argument = argument && js_truth_is_passed(truth, local, at, argument);
    }
    js_homes_verdict(homes, out);
    out->expr.size = 0;
    if (at && out->state != JS_STATE_EXACT && out->state != JS_STATE_UNASSIGNED &&
        js_turns_put(truth, local, at, line, insn, js_homes_is_stored(homes), out)) {
        return;
    }
    if (at && at->ndefs > 0 && out->state != JS_STATE_EXACT && truth->copies &&
        !js_order_is_early(truth->order, insn) && !js_truth_is_removed(truth, local, at) &&
        js_copies_put(truth->copies, local, insn, out)) {
        return;
    }
    if (out->state == JS_STATE_EXACT && !put_home(truth, out->version, insn, out)) {
        label(out, JS_STATE_UNKNOWN, out->version, "the frame does not stand here");
    }
    if (out->is_told_by_zero && !put_unless_zero(truth, out->version, insn, out)) {
        label(out, JS_STATE_UNKNOWN, out->version, some_paths);
    }
    if (out->state != JS_STATE_EXACT) {
        bool is_early = local->is_argument && js_homes_is_unstored(homes);
        if ((stays_argument || is_early) && put_argument(truth, local, pc, insn, older, out)) {
            return;
        }
        if (is_early) {
            label(out, JS_STATE_UNKNOWN, argument_of(local), "the arguments are not in place yet");
        }
    }
    if (!at) {
        return;
    }
    bool is_unassigned = at->ndefs == 0;
    if (out->state == JS_STATE_EXACT && is_outside && out->version->is_argument &&
        !js_truth_is_passed(truth, local, at, out->version)) {
        label(out, JS_STATE_OPTIMIZED_OUT, NULL, not_kept);
    } else if (out->state == JS_STATE_EXACT) {
        const js_function *function = truth->function;
        bool is_statement = out->version->version < js_truth_count_defs(truth->flow, local->name);
        bool is_passed = out->version->is_argument && (!function->has_region || function->parent);
        uint32_t own = out->version->is_argument ? truth->flow->first_line : out->version->line;
        bool known = is_passed || !is_statement || reaches_line(truth, at, own);
        /* a parallel function: Numba removes copies, and a line has statements behind its own assignment */
        if ((own != line || function->has_region) && (is_unassigned || !known)) {
            label(out, JS_STATE_UNKNOWN, NULL, moved);
        } else if (own != line && js_truth_is_removed(truth, local, at)) {
            label(out, JS_STATE_UNKNOWN, NULL, removed);
        }
    } else if (is_unassigned) {
        label(out, JS_STATE_UNASSIGNED, NULL, NULL);
    } else if (def && (def->literal || def->held) && out->state != JS_STATE_UNASSIGNED &&
               !js_order_is_early(truth->order, insn)) {
        const js_variable *version = js_truth_version(truth, local, def);
        if (version) {
            js_truth_put_constant(version, def, out);
        }
    } else if (out->state == JS_STATE_UNASSIGNED && !at->maybe_unassigned && out->version == NULL) {
        /* the line's first instructions may still belong to what precedes it */
        label(out, JS_STATE_UNKNOWN, NULL, "not stored yet");
    }
}

/* Doubts the home of a name whose versions are not those of the source's lines. */
static void doubt_home(const js_truth *truth, const js_local *local, const js_flow_at *at, uint32_t line,
                       js_verdict *out)
{
    if (truth->function->has_region && at->ndefs == 0) {
        label(out, JS_STATE_UNKNOWN, NULL,
              moved); /* Numba has joined its assignment to one of a line above */
    } else if (out->version->line != line && js_truth_matches_without_removed(truth, local) &&
               js_truth_is_removed(truth, local, at)) {
        label(out, JS_STATE_UNKNOWN, NULL, removed);
    }
}

static void judge_promoted(js_truth *truth, const js_local *local, const js_homes *homes,
                           const js_flow_at *at, uint32_t line, uint64_t pc, size_t insn, bool older,
                           js_verdict *out)
{
    const js_flow_def *def = single_def(truth, at);
    if (!truth->flow) {
        label(out, JS_STATE_UNKNOWN, NULL, no_source);
        return;
    }
    if (!at) {
        bool is_own = js_function_has_line(truth->function, line);
        label(out, JS_STATE_UNKNOWN, NULL,
              is_own ? "not a variable of this source line" : "this code is of no line of the source");
        return;
    }
    if (at->ndefs == 0) {
        label(out, JS_STATE_UNASSIGNED, NULL, NULL);
        return;
    }
    if (at->maybe_unassigned) {
        label(out, JS_STATE_UNKNOWN, NULL, some_paths);
        return;
    }
    if (truth->function->parent && defined_outside(truth, at)) {
        const js_variable *argument = argument_of(local);
        bool is_passed = argument && js_truth_is_passed(truth, local, at, argument);
        if (!is_passed || !put_argument(truth, local, pc, insn, older, out)) {
            label(out, JS_STATE_OPTIMIZED_OUT, argument, not_kept);
        }
        return;
    }
    if (!def) {
        /* not even the version that joins both: turned into a select, it is given both values in turn */
        label(out, JS_STATE_OPTIMIZED_OUT, NULL, several);
        return;
    }
    js_variable *version = js_truth_version(truth, local, def);
    if (!version) {
        if (!js_truth_is_argument_def(truth, def) || !put_passed(truth, local, out)) {
            label(out, JS_STATE_OPTIMIZED_OUT, NULL, not_kept);
        }
        return;
    }
    version->is_fresh |= def->is_fresh;
    if (js_truth_put_constant(version, def, out)) {
        return;
    }
    if (def->in_loop) {
        label(out, JS_STATE_OPTIMIZED_OUT, version, in_loop);
        return;
    }
    if (version->is_whole &&
        version->nlocations) { /* in memory, among optimised code: only where its store has been made */
        if (homes) {
            js_homes_verdict(homes, out);
        }
        if (!homes || out->state != JS_STATE_EXACT || out->version != version ||
            !put_home(truth, version, insn, out)) {
            put_version(truth, version, pc, insn, older, out); /* or in one register all the time */
        }
        return;
    }
    if (js_truth_is_altered(def, version)) {
        label(out, JS_STATE_OPTIMIZED_OUT, version, not_kept);
        return;
    }
    put_version(truth, version, pc, insn, older, out);
}

/* Code that stands out of its turn. A register that the compiler names for a value that there is once a call
 * has that value, wherever the program is, if that is surely behind the assignment. */
static void judge_moved(js_truth *truth, const js_local *local, const js_flow_at *at, uint64_t pc,
                        size_t insn, bool older, js_verdict *out)
{
    const js_flow_def *def = single_def(truth, at);
    js_variable *version = def && !truth->is_plain && !truth->function->parent && !def->literal &&
                                   is_only_assignment(truth, local, def)
                               ? js_truth_version(truth, local, def)
                               : NULL;
    if (version && !version->is_whole && !js_truth_is_altered(def, version)) {
        version->is_fresh |= def->is_fresh;
        put_version(truth, version, pc, insn, older, out);
    }
    bool is_early = version && !version->is_argument && out->state == JS_STATE_EXACT &&
                    js_order_may_be_unassigned(truth->order, truth, insn, local->name);
    if (!version || out->state != JS_STATE_EXACT || is_early) {
        label(out, JS_STATE_UNKNOWN, NULL, moved);
    }
}

/* A loop's number of which the compiler describes nothing. */
static void judge_index(js_truth *truth, const js_local *local, const js_flow_at *at, uint32_t line,
                        size_t insn, js_verdict *out)
{
    if (at && at->ndefs == 0) {
        label(out, JS_STATE_UNASSIGNED, NULL, NULL);
    } else if (!at || !js_turns_put(truth, local, at, line, insn, false, out)) {
        label(out, JS_STATE_OPTIMIZED_OUT, local->versions[0], not_kept);
    }
}

/* A test on every path here found it equal to an integer. Optimised code may compute ahead of a test, but it
 * makes no call ahead of one: there this holds for a frame that waits for a callee only. */
static bool put_known(const js_truth *truth, const js_local *local, const js_flow_at *at, bool older,
                      js_verdict *out)
{
    if (!at || !at->known || (!older && !truth->is_plain)) {
        return false;
    }
    for (size_t v = 1; v < local->nversions; v++) {
        if (local->versions[v]->type != local->versions[0]->type) {
            return false;
        }
    }
    return js_truth_put_literal(local->versions[0], at->known, out);
}

static bool is_int_literal(const js_type *type)
{
    return type->kind == JS_KIND_LITERAL && type->literal_kind == 'i';
}

/* A version of the type that both have; an int64 may be given by a literal, too. NULL: there is none. */
static const js_variable *common(const js_variable *left, const js_variable *right)
{
    const js_type *l = left->type, *r = right->type;
    if (l == r) {
        return left;
    }
    bool is_left = is_int_literal(r) && l->shape == JS_SHAPE_INT && l->size == 8;
    bool is_right = is_int_literal(l) && r->shape == JS_SHAPE_INT && r->size == 8;
    return is_left ? left : is_right ? right : NULL;
}

const js_variable *js_truth_computed_version(const js_truth *truth, const js_local *local,
                                             const js_flow_at *at)
{
    const js_variable *reaching = NULL, *any = local->versions[0];
    if (!js_truth_source_matches(truth, local)) {
        return NULL;
    }
    for (size_t i = 0; i < at->ndefs; i++) {
        const js_flow_def *def = js_flow_def_by_id(truth->flow, at->defs[i]);
        const js_variable *version = def ? js_truth_version(truth, local, def) : NULL;
        reaching = !version ? NULL : i == 0 ? version : reaching ? common(reaching, version) : NULL;
        if (!reaching) {
            break;
        }
    }
    size_t ndefs = js_truth_count_defs(truth->flow, local->name), nmade = 0;
    for (size_t v = 0; !reaching && any && v < local->nversions; v++) {
        any = common(any, local->versions[v]);
        nmade += local->versions[v]->version < ndefs;
    }
    any = nmade ? any : NULL; /* of the compiler's own variable */
    return reaching ? reaching : any;
}

/* What such a pointer holds is not the value. */
static bool is_nameless(const js_variable *version)
{
    return version && version->type->kind == JS_KIND_POINTER &&
           (!version->type->name || js_numba_is_opaque(version->type->name));
}

/* Has the compiler inlined the function of the variable several times? Each copy has variables of its own. */
static bool is_copied(const js_local *local)
{
    unsigned version;
    size_t length = js_numba_base_length(local->versions[0]->name, &version);
    bool found = false;
    for (size_t v = 1; v < local->nversions && !found; v++) {
        const char *name = local->versions[v]->name;
        found = js_numba_base_length(name, &version) != length ||
                strncmp(name, local->versions[0]->name, length) != 0;
    }
    return found;
}

void js_truth_judge(js_truth *truth, const js_local *local, const js_homes *homes, uint32_t line, uint64_t pc,
                    size_t insn, bool older, bool is_in_turn, js_verdict *out)
{
    const js_flow_at *at = truth->flow ? js_flow_find(truth->flow, line, local->name) : NULL;
    if (truth->flow && js_flow_is_hidden(truth->flow, line, local->name)) {
        label(out, JS_STATE_OPTIMIZED_OUT, NULL, hidden);
        return;
    }
    if (truth->flow && local->versions[0]->is_within && !js_flow_is_within(truth->flow, line, local->name)) {
        label(out, JS_STATE_UNASSIGNED, NULL, not_within);
        return;
    }
    if (local->versions[0]->is_within && is_copied(local)) {
        label(out, JS_STATE_UNKNOWN, NULL, copied);
        return;
    }
    if (local->versions[0]->is_absent) {
        js_absent_judge(local, at, is_in_turn, out);
        return;
    }
    bool matches = !truth->flow || !js_truth_count_defs(truth->flow, local->name) ||
                   js_truth_source_matches(truth, local);
    if (truth->is_plain && matches && local->versions[0]->is_index &&
        (is_in_turn || js_turns_is_kernels(truth, at, insn))) {
        judge_index(truth, local, at, line, insn, out);
    } else if (!is_in_turn) {
        judge_moved(truth, local, matches ? at : NULL, pc, insn, older, out);
    } else if (homes && truth->is_plain) {
        judge_home(truth, local, homes, matches ? at : NULL, line, pc, insn, older, out);
        if (!matches && at && out->state == JS_STATE_EXACT) {
            doubt_home(truth, local, at, line, out);
        }
    } else if (!matches) {
        label(out, JS_STATE_UNKNOWN, NULL, not_source);
    } else {
        judge_promoted(truth, local, homes, at, line, pc, insn, older, out);
    }
    if (out->state != JS_STATE_EXACT && js_truth_put_only_argument(truth, local, out)) {
        return;
    }
    if (matches && is_in_turn && out->state != JS_STATE_EXACT && !js_order_is_early(truth->order, insn)) {
        put_known(truth, local, at, older, out);
    }
    if (out->state == JS_STATE_EXACT && is_nameless(out->version)) {
        label(out, JS_STATE_UNKNOWN, out->version, nameless);
    }
    bool is_before = at && at->ndefs == 0 && line > truth->flow->first_line;
    if (out->state == JS_STATE_UNASSIGNED && truth->function->name.kind == JS_NAME_GENERATOR_NEXT &&
        !is_before) { /* what was assigned ahead of a yield has no place in this call */
        label(out, JS_STATE_OPTIMIZED_OUT, NULL, "not kept, or kept in the generator");
    }
}
