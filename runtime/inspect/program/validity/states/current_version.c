/* Finds the current version by the source's reaching definitions, which are checked against the object. */
#include "program/validity/states/current_version.h"

#include <stdlib.h>
#include <string.h>

#include "program/model/lookup.h"
#include "program/names/numba/variable_names.h"
#include "program/source/definitions.h"
#include "program/validity/order/order.h"
#include "program/validity/recovered/from_caller.h"
#include "program/validity/recovered/places.h"
#include "program/validity/recovered/range_loops.h"
#include "program/validity/states/in_memory.h"
#include "program/validity/states/values.h"
#include "program/validity/variables/constants.h"
#include "program/validity/variables/undescribed_variables.h"
#include "program/validity/variables/versions.h"

static const char several[] = "assigned in several places: optimised code does not show which";
static const char in_loop[] = "optimised loop: it is not known which iteration a register belongs to";
static const char not_source[] = "the compiler's variables of this name are not the source's assignments";
static const char copied[] = "inlined several times: it is not known which copy's it is";
static const char no_source[] = "no source at hand that shows which assignment is current";
static const char nameless[] =
    "a pointer to what the compiler does not name: None, a string of the source, a function, an object";
static const char hidden[] = "code of another function, which has the same name";

/* True if the definition is the name's only one, and every call makes it once. */
static bool is_only_assignment(const js_truth *truth, const js_local *local, const js_flow_def *def)
{
    for (size_t i = 0; i < truth->flow->nregions; i++) {
        const js_region *region = &truth->flow->regions[i];
        if (def->line >= region->first && def->line <= region->last) {
            return false;
        }
    }
    return !def->in_loop && js_flow_count_defs(truth->flow, local->name) == 1;
}

/* Judge a local that LLVM may keep in registers. fact: what the source says at the line; NULL: nothing.
 * homes: NULL where a version has no home. */
static void judge_promoted(js_truth *truth, const js_local *local, const js_homes *homes,
                           const js_flow_at *fact, const js_point *point, js_verdict *out)
{
    const js_flow_def *def = js_truth_single_def(truth, fact);
    if (!truth->flow) {
        js_truth_label(out, JS_STATE_UNKNOWN, NULL, no_source);
        return;
    }
    if (!fact) {
        bool is_own = js_function_has_line(truth->function, point->line);
        js_truth_label(out, JS_STATE_UNKNOWN, NULL,
                       is_own ? "not a variable of this source line"
                              : "this code belongs to no line of the source");
        return;
    }
    if (fact->ndefs == 0) {
        js_truth_label(out, JS_STATE_UNASSIGNED, NULL, NULL);
        return;
    }
    if (fact->maybe_unassigned) {
        js_truth_label(out, JS_STATE_UNKNOWN, NULL, js_reason_some_paths);
        return;
    }
    if (truth->function->region.parent && js_truth_is_outside(truth, fact)) {
        const js_variable *argument = js_truth_argument_of(local);
        bool is_passed = argument && js_truth_is_passed(truth, local, fact, argument);
        if (!is_passed || !js_truth_put_argument(truth, local, point, out)) {
            js_truth_label(out, JS_STATE_OPTIMIZED_OUT, argument, js_reason_not_kept);
        }
        return;
    }
    if (!def) {
        /* the version that joins both is not shown either: as a select, it gets one value after the other */
        js_truth_label(out, JS_STATE_OPTIMIZED_OUT, NULL, several);
        return;
    }
    js_variable *version = js_truth_version(truth, local, def);
    if (!version) {
        if (!js_truth_is_argument_def(truth, def) || !js_truth_put_passed(truth, local, out)) {
            js_truth_label(out, JS_STATE_OPTIMIZED_OUT, NULL, js_reason_not_kept);
        }
        return;
    }
    version->is_fresh |= def->is_fresh;
    if (js_truth_put_constant(version, def, out)) {
        return;
    }
    if (def->in_loop) {
        js_truth_label(out, JS_STATE_OPTIMIZED_OUT, version, in_loop);
        return;
    }
    if (version->is_whole &&
        version->nlocations) { /* a home in optimised code: valid only where its store has run */
        if (homes) {
            js_homes_put_verdict(homes, out);
        }
        if (!homes || out->state != JS_STATE_EXACT || out->version != version ||
            !js_truth_put_home(truth, version, point->insn, out)) {
            js_truth_put_version(truth, version, point, out); /* it may be in one register all the time */
        }
        return;
    }
    if (js_truth_is_altered(def, version)) {
        js_truth_label(out, JS_STATE_OPTIMIZED_OUT, version, js_reason_not_kept);
        return;
    }
    js_truth_put_version(truth, version, point, out);
}

/* Judge code that runs out of the source's order. If a variable is assigned once in a call, a register that
 * the compiler names for it has its value wherever the program is, as long as that is certainly after the
 * assignment. */
static void judge_moved(js_truth *truth, const js_local *local, const js_flow_at *fact, const js_point *point,
                        js_verdict *out)
{
    const js_flow_def *def = js_truth_single_def(truth, fact);
    js_variable *version = def && !truth->is_plain && !truth->function->region.parent && !def->literal &&
                                   is_only_assignment(truth, local, def)
                               ? js_truth_version(truth, local, def)
                               : NULL;
    if (version && !version->is_whole && !js_truth_is_altered(def, version)) {
        version->is_fresh |= def->is_fresh;
        js_truth_put_version(truth, version, point, out);
    }
    bool is_early = version && !version->is_argument && out->state == JS_STATE_EXACT &&
                    js_order_may_be_unassigned(truth->order, truth, point->insn, local->name);
    if (!version || out->state != JS_STATE_EXACT || is_early) {
        js_truth_label(out, JS_STATE_UNKNOWN, NULL, js_reason_moved);
    }
}

/* Judge the index of a loop that the compiler does not describe. */
static void judge_index(js_truth *truth, const js_local *local, const js_flow_at *fact, uint32_t line,
                        size_t insn, js_verdict *out)
{
    if (fact && fact->ndefs == 0) {
        js_truth_label(out, JS_STATE_UNASSIGNED, NULL, NULL);
    } else if (!fact || !js_range_loops_put(truth, local, fact, line, insn, false, out)) {
        js_truth_label(out, JS_STATE_OPTIMIZED_OUT, local->versions[0], js_reason_not_kept);
    }
}

/* Give the integer that a test on every path to the line found the local equal to. Optimised code may compute
 * ahead of a test, but makes no call ahead of one, so there it holds only for a frame that waits for a
 * callee. */
static bool put_known(const js_truth *truth, const js_local *local, const js_flow_at *fact, bool older,
                      js_verdict *out)
{
    if (!fact || !fact->known || (!older && !truth->is_plain)) {
        return false;
    }
    for (size_t v = 1; v < local->nversions; v++) {
        if (local->versions[v]->type != local->versions[0]->type) {
            return false;
        }
    }
    return js_truth_put_literal(local->versions[0], fact->known, out);
}

static bool is_int_literal(const js_type *type)
{
    return type->kind == JS_KIND_LITERAL && type->literal_kind == 'i';
}

/* Return the version whose type fits both; an integer literal fits an int64. NULL: there is none. */
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
                                             const js_flow_at *fact)
{
    const js_variable *reaching = NULL, *any = local->versions[0];
    if (!js_truth_source_matches(truth, local)) {
        return NULL;
    }
    for (size_t i = 0; i < fact->ndefs; i++) {
        const js_flow_def *def = js_flow_def_by_id(truth->flow, fact->defs[i]);
        const js_variable *version = def ? js_truth_version(truth, local, def) : NULL;
        reaching = !version ? NULL : i == 0 ? version : reaching ? common(reaching, version) : NULL;
        if (!reaching) {
            break;
        }
    }
    size_t ndefs = js_flow_count_defs(truth->flow, local->name), nmade = 0;
    for (size_t v = 0; !reaching && any && v < local->nversions; v++) {
        any = common(any, local->versions[v]);
        nmade += local->versions[v]->version < ndefs;
    }
    any = nmade ? any : NULL; /* versions that only the compiler makes do not count */
    return reaching ? reaching : any;
}

/* True for a pointer to a type that the compiler does not name: its bits are no Python value. */
static bool is_nameless(const js_variable *version)
{
    return version && version->type->kind == JS_KIND_POINTER &&
           (!version->type->name || js_numba_is_opaque(version->type->name));
}

/* True if the compiler has inlined the variable's function several times; each copy has variables of its own.
 */
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

void js_truth_judge(js_truth *truth, const js_local *local, const js_homes *homes, const js_point *point,
                    bool is_in_order, js_verdict *out)
{
    const js_flow_at *fact = truth->flow ? js_flow_find(truth->flow, point->line, local->name) : NULL;
    if (truth->flow && js_flow_is_hidden(truth->flow, point->line, local->name)) {
        js_truth_label(out, JS_STATE_OPTIMIZED_OUT, NULL, hidden);
        return;
    }
    if (truth->flow && local->versions[0]->is_within &&
        !js_flow_is_within(truth->flow, point->line, local->name)) {
        js_truth_label(out, JS_STATE_UNASSIGNED, NULL, js_absent_not_within);
        return;
    }
    if (local->versions[0]->is_within && is_copied(local)) {
        js_truth_label(out, JS_STATE_UNKNOWN, NULL, copied);
        return;
    }
    if (local->versions[0]->is_absent) {
        js_absent_judge(truth, local, fact, is_in_order, out);
        return;
    }
    bool matches = !truth->flow || !js_flow_count_defs(truth->flow, local->name) ||
                   js_truth_source_matches(truth, local);
    if (truth->is_plain && matches && local->versions[0]->is_index &&
        (is_in_order || js_range_loops_is_kernels(truth, fact, point->insn))) {
        judge_index(truth, local, fact, point->line, point->insn, out);
    } else if (!is_in_order) {
        judge_moved(truth, local, matches ? fact : NULL, point, out);
    } else if (homes && truth->is_plain) {
        js_truth_judge_home(truth, local, homes, matches ? fact : NULL, point, out);
        if (!matches && fact && out->state == JS_STATE_EXACT) {
            js_truth_doubt_home(truth, local, fact, point, out);
        }
        js_truth_guard_home(truth, homes, point, out);
    } else if (!matches) {
        js_truth_label(out, JS_STATE_UNKNOWN, NULL, not_source);
    } else {
        judge_promoted(truth, local, homes, fact, point, out);
    }
    if (out->state != JS_STATE_EXACT && js_truth_put_only_argument(truth, local, out)) {
        return;
    }
    if (matches && is_in_order && out->state != JS_STATE_EXACT &&
        !js_order_is_early(truth->order, point->insn)) {
        put_known(truth, local, fact, point->older, out);
    }
    if (out->state == JS_STATE_EXACT && is_nameless(out->version)) {
        js_truth_label(out, JS_STATE_UNKNOWN, out->version, nameless);
    }
    bool is_before = fact && fact->ndefs == 0 && point->line > truth->flow->first_line;
    if (out->state == JS_STATE_UNASSIGNED && truth->function->name.kind == JS_NAME_GENERATOR_NEXT &&
        !is_before) { /* a variable that was assigned before a yield may have no place in this call */
        js_truth_label(out, JS_STATE_OPTIMIZED_OUT, NULL, "not kept, or kept in the generator");
    }
}
