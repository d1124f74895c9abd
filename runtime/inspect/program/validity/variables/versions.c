/* Compares the numbers and lines of versions with the definitions of the source. */
#include "program/validity/variables/versions.h"

#include <string.h>

#include "program/names/numba/variable_names.h"
#include "program/source/definitions.h"

static const char reason_removed[] = "the compiler removed an assignment that nothing reads";
static const char reason_reduced[] = "a parallel loop assigned it, and the compiler does not keep where";

bool js_truth_is_copied(const js_flow *flow, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < flow->ndefs && !found; i++) {
        found = strcmp(flow->defs[i].name, name) == 0 && js_flow_is_final(flow, flow->defs[i].line);
    }
    return found;
}

bool js_truth_is_argument_def(const js_truth *truth, const js_flow_def *def)
{
    return def->line == truth->flow->first_line;
}

/* The compiler numbers the versions that statements make first, in the order of the code, then those that
 * join others. So the n-th definition makes version n, or its version is unknown. */
js_variable *js_truth_version(const js_truth *truth, const js_local *local, const js_flow_def *def)
{
    uint32_t rank = js_flow_def_rank(truth->flow, def);
    size_t ndefs = js_flow_count_defs(truth->flow, local->name);
    if (rank == UINT32_MAX || local->versions[local->nversions - 1]->version >= JS_NUMBA_RENUMBERED ||
        (ndefs > 1 && local->versions[local->nversions - 1]->version == 0) ||
        (ndefs > 1 && truth->function->name.is_object_mode) || js_flow_is_final(truth->flow, def->line)) {
        return NULL; /* the definition may make several versions */
    }
    for (size_t v = 0; v < local->nversions; v++) {
        js_variable *version = local->versions[v];
        if (version->version != rank) {
            continue;
        }
        bool same_line =
            version->line == def->line || (version->is_argument && js_truth_is_argument_def(truth, def));
        bool is_only = v + 1 == local->nversions || local->versions[v + 1]->version != rank;
        return same_line && is_only ? version : NULL;
    }
    return NULL;
}

bool js_truth_is_passed(const js_truth *truth, const js_local *local, const js_flow_at *fact,
                        const js_variable *argument)
{
    size_t ndefs = js_flow_count_defs(truth->flow, local->name);
    if (ndefs <= 1) {
        return true;
    }
    const js_flow_def *def = fact->ndefs == 1 ? js_flow_def_by_id(truth->flow, fact->defs[0]) : NULL;
    return def ? argument->version == js_flow_def_rank(truth->flow, def)
               : argument->version >= ndefs && argument->version < JS_NUMBA_RENUMBERED;
}

/* True if each version numbered below ndefs has the line of a statement that defines the local. */
static bool stand_at_defs(const js_flow *flow, const js_local *local, size_t ndefs)
{
    for (size_t v = 0; v < local->nversions; v++) {
        const js_variable *version = local->versions[v];
        if (version->version >= ndefs || version->is_argument) {
            continue;
        }
        if (!js_flow_is_def(flow, local->name, version->line)) {
            return false;
        }
    }
    return ndefs > 0;
}

bool js_truth_source_matches(const js_truth *truth, const js_local *local)
{
    return stand_at_defs(truth->flow, local, js_flow_count_defs(truth->flow, local->name));
}

static bool has_version_at(const js_local *local, uint32_t line)
{
    for (size_t v = 0; v < local->nversions; v++) {
        if (local->versions[v]->line == line) {
            return true;
        }
    }
    return false;
}

bool js_truth_matches_without_removed(const js_truth *truth, const js_local *local)
{
    const js_flow *flow = truth->flow;
    size_t nleft = 0;
    for (size_t i = 0; i < flow->ndefs; i++) {
        const js_flow_def *def = &flow->defs[i];
        bool is_own = strcmp(def->name, local->name) == 0;
        nleft += is_own && (js_truth_is_argument_def(truth, def) || has_version_at(local, def->line));
    }
    return nleft < js_flow_count_defs(flow, local->name) && stand_at_defs(flow, local, nleft);
}

/* Return the line of the parallel loop whose body has the definition; 0: none. */
static uint32_t parallel_loop_of(const js_flow *flow, const js_flow_def *def)
{
    uint32_t found = 0;
    for (size_t i = 0; i < flow->ndefs && !found; i++) {
        const js_flow_def *index = &flow->defs[i];
        const js_region *loop = index->is_parallel ? js_flow_loop(flow, index->line) : NULL;
        found = loop && def->line > index->line && def->line <= loop->last ? index->line : 0;
    }
    return found;
}

static bool has_statement_at(const js_local *local, uint32_t line, size_t ndefs)
{
    bool found = false;
    for (size_t v = 0; v < local->nversions && !found; v++) {
        const js_variable *version = local->versions[v];
        bool is_statement = version->version < ndefs || version->version >= JS_NUMBA_RENUMBERED;
        found = is_statement && version->line == line;
    }
    return found;
}

/* Numba removes assignments that nothing reads in functions with array comprehensions (inline_closurecall.py,
 * 0.68.1); the value from before stays in its home. The function stores the result of a parallel loop's
 * reduction at the loop's line (parfors/parfor_lowering.py, 0.68.1). */
const char *js_truth_removed(const js_truth *truth, const js_local *local, const js_flow_at *fact)
{
    size_t ndefs = js_flow_count_defs(truth->flow, local->name);
    for (size_t i = 0; i < fact->ndefs && !truth->function->region.parent; i++) {
        const js_flow_def *def = js_flow_def_by_id(truth->flow, fact->defs[i]);
        if (!def || js_truth_is_argument_def(truth, def) || has_statement_at(local, def->line, ndefs)) {
            continue;
        }
        uint32_t loop = parallel_loop_of(truth->flow, def);
        if (!loop || !has_version_at(local, loop)) {
            return loop ? reason_reduced : reason_removed;
        }
    }
    return NULL;
}
