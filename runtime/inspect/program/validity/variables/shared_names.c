/* Compares the versions of a name that the compiler also uses with the source's definitions. */
#include "program/validity/variables/shared_names.h"

#include <string.h>

#include "program/names/numba/variable_names.h"
#include "program/source/definitions.h"

static void distrust(js_local *local)
{
    for (size_t v = 0; v < local->nversions; v++) {
        local->versions[v]->nlocations = 0;
    }
}

/* True if the versions have the numbers 0 to n - 1 without gaps, and no two have the same line. */
static bool is_plain(const js_local *local)
{
    for (size_t v = 0; v < local->nversions; v++) {
        if (local->versions[v]->version != v) {
            return false;
        }
        for (size_t other = 0; other < v; other++) {
            if (local->versions[other]->line == local->versions[v]->line) {
                return false;
            }
        }
    }
    return true;
}

void js_truth_separate_shared_names(js_truth *truth)
{
    js_function *function = truth->function;
    const js_flow *flow = truth->flow;
    size_t kept = 0;
    for (size_t k = 0; k < function->nlocals; k++) {
        js_local *local = &function->locals[k];
        size_t ndefs = flow ? js_flow_count_defs(flow, local->name) : 0;
        bool is_shared = js_numba_is_shared(local->name);
        if (is_shared && flow && ndefs == 0 && !local->is_argument) {
            continue; /* all versions are the compiler's */
        }
        if (is_shared && ndefs == 1 && local->nversions > 1 && local->versions[0]->version == 0 &&
            local->versions[1]->version != 0) {
            /* the other versions join values of this one statement */
            local->nversions = 1;
        } else if (is_shared && local->nversions > 1 && !(ndefs > 1 && is_plain(local))) {
            distrust(local);
        }
        if (is_shared && ndefs > 0 && !local->is_argument &&
            !js_flow_is_def(flow, local->name, local->versions[0]->line)) {
            distrust(local); /* these versions are the compiler's, as it may have removed the user's */
        }
        function->locals[kept++] = *local;
    }
    function->nlocals = kept;
}
