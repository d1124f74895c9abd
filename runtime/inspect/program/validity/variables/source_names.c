/* Finds the names in the source of variables that the compiler has renamed. */
#include "program/validity/variables/source_names.h"

#include <string.h>

#include "program/names/numba/legal_names.h"

/* Return the name of the one variable of a nested function that is written like this; NULL: there is none, or
 * it may be one of several. */
static const char *inlined_name(const js_flow *flow, const char *written)
{
    const char *found = NULL;
    for (size_t i = 0; i < flow->nwithin; i++) {
        const js_flow_within *within = &flow->within[i];
        if (js_numba_is_inlined_name(written, within->function, within->name)) {
            if (found && strcmp(found, within->name) != 0) {
                return NULL;
            }
            found = within->name;
        }
    }
    return found;
}

/* True if this argument of a kernel is an array of the workers' parts of a sum. */
static bool is_parts(const js_truth *truth, const js_variable *variable)
{
    const js_function *function = truth->function;
    bool is_called_so = js_numba_legal_may_be_parts(variable->base);
    bool found = is_called_so && truth->flow && !js_flow_has_name(truth->flow, variable->base);
    for (size_t i = 0; is_called_so && i < function->nvariables && !found; i++) {
        found = !function->variables[i].is_argument &&
                js_numba_legal_is_parts(variable->name, function->variables[i].name);
    }
    return found;
}

void js_source_names(js_truth *truth)
{
    js_function *function = truth->function;
    const js_flow *flow = truth->flow;
    bool is_kernel = function->name.kind == JS_NAME_PARFOR;
    size_t kept = 0;
    for (size_t i = 0; i < function->nvariables; i++) {
        js_variable variable = function->variables[i];
        const char *inlined = flow ? inlined_name(flow, variable.base) : NULL;
        if ((is_kernel && variable.is_argument && is_parts(truth, &variable)) ||
            (inlined && js_flow_has_name(flow, inlined))) {
            continue; /* the function's own variable of that name is hidden there */
        }
        if (inlined) {
            variable.base = inlined;
            variable.is_within = true;
        }
        function->variables[kept++] = variable;
    }
    function->nvariables = kept;
}
