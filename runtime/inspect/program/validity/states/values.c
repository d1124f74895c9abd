/* Sets verdicts to values of versions and of arguments, or to labels. */
#include "program/validity/states/values.h"

#include <string.h>

#include "program/model/lookup.h"
#include "program/source/definitions.h"
#include "program/validity/recovered/from_caller.h"
#include "program/validity/recovered/places.h"
#include "program/validity/variables/versions.h"

const char js_reason_some_paths[] = "assigned on some paths only";
const char js_reason_moved[] = "moved by the compiler";
const char js_reason_not_kept[] = "not kept by optimised code";

void js_truth_label(js_verdict *out, js_state state, const js_variable *version, const char *reason)
{
    out->state = state;
    out->version = version;
    out->reason = reason;
    out->expr.size = 0;
}

void js_truth_put_version(js_truth *truth, const js_variable *version, const js_point *point, js_verdict *out)
{
    if (js_truth_locate(truth, version, point, &out->expr)) {
        out->state = JS_STATE_EXACT;
        out->version = version;
        out->reason = NULL;
    } else {
        js_truth_label(out, JS_STATE_OPTIMIZED_OUT, version, js_reason_not_kept);
    }
}

const js_variable *js_truth_argument_of(const js_local *local)
{
    const js_variable *first = local->versions[0];
    return first->is_argument && first->version == 0 ? first : NULL;
}

bool js_truth_is_outside(const js_truth *truth, const js_flow_at *fact)
{
    const js_function *function = truth->function;
    uint32_t first = function->region.line, last = 0;
    for (size_t i = 0; i < function->lines.nrows; i++) {
        bool is_own = function->lines.rows[i].line > last &&
                      js_function_has_line(function, function->lines.rows[i].line);
        last = is_own ? function->lines.rows[i].line : last;
    }
    for (size_t i = 0; i < fact->ndefs; i++) {
        const js_flow_def *def = js_flow_def_by_id(truth->flow, fact->defs[i]);
        if (!def || (def->line >= first && def->line <= last)) {
            return false;
        }
    }
    return first > 0 && fact->ndefs > 0;
}

bool js_truth_put_argument(js_truth *truth, const js_local *local, const js_point *point, js_verdict *out)
{
    const js_variable *argument = js_truth_argument_of(local);
    js_verdict tried;
    if (!argument) {
        return false;
    }
    tried.needs_zero_check = false;
    tried.computed = NULL;
    js_truth_put_version(truth, argument, point, &tried);
    if (tried.state == JS_STATE_EXACT) {
        *out = tried;
    }
    return tried.state == JS_STATE_EXACT;
}

/* True for a function that a wrapper calls with the user's arguments. */
static bool is_called(const js_function *function)
{
    return function->name.kind == JS_NAME_FUNCTION && !function->region.parent &&
           !function->name.is_object_mode;
}

bool js_truth_put_passed(js_truth *truth, const js_local *local, js_verdict *out)
{
    const js_variable *argument = js_truth_argument_of(local);
    js_verdict tried = {.state = JS_STATE_EXACT, .version = argument};
    if (!argument || !is_called(truth->function) || !js_truth_put_from_caller(truth, argument, &tried.expr)) {
        return false;
    }
    *out = tried;
    return true;
}

bool js_truth_put_entry(js_truth *truth, const js_local *local, const js_point *point, js_verdict *out)
{
    const js_variable *argument = js_truth_argument_of(local);
    const js_flow_def *def = NULL;
    for (size_t i = 0; i < truth->flow->ndefs && !def; i++) {
        bool is_own = strcmp(truth->flow->defs[i].name, local->name) == 0;
        def = is_own && js_truth_is_argument_def(truth, &truth->flow->defs[i]) ? &truth->flow->defs[i] : NULL;
    }
    if (!argument || !def || !is_called(truth->function) || !js_truth_source_matches(truth, local)) {
        return false;
    }
    return js_truth_version(truth, local, def) == argument ? js_truth_put_argument(truth, local, point, out)
                                                           : js_truth_put_passed(truth, local, out);
}

const js_flow_def *js_truth_single_def(const js_truth *truth, const js_flow_at *fact)
{
    return fact && fact->ndefs == 1 && !fact->maybe_unassigned ? js_flow_def_by_id(truth->flow, fact->defs[0])
                                                               : NULL;
}
