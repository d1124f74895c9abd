/* Finds loops that number their iterations without a variable that the compiler describes: in kernels of
 * parallel loops, in parallel functions, and where nothing reads the index. The source has the name of the
 * index. */
#include "program/validity/variables/loop_indices.h"

#include <string.h>

#include "program/names/numba/schedule.h"

/* True if the function has code of these lines. */
static bool has_lines(const js_function *function, uint32_t first, uint32_t last)
{
    for (size_t i = 0; i < function->lines.nrows; i++) {
        if (function->lines.rows[i].line >= first && function->lines.rows[i].line <= last) {
            return true;
        }
    }
    return false;
}

bool js_truth_is_described(const js_function *function, const char *name)
{
    for (size_t i = 0; i < function->nvariables; i++) {
        if (strcmp(function->variables[i].base, name) == 0) {
            return true;
        }
    }
    return false;
}

bool js_truth_is_kept_whole(const js_function *function)
{
    for (size_t i = 0; i < function->nvariables; i++) {
        if (!function->variables[i].is_whole) {
            return false;
        }
    }
    return function->nvariables > 0;
}

/* True for an index that is int64 whatever the range is made of: a range of unsigned numbers has a start that
 * is no literal, and a positive step. */
static bool is_signed(const js_flow_def *def)
{
    return def->step && (def->has_start || def->step < 0);
}

int js_truth_add_variable(js_truth *truth, js_variable **all, const js_flow_def *def, const js_type *type)
{
    js_function *function = truth->function;
    if (!*all) {
        *all = js_arena_alloc(truth->arena, (function->nvariables + truth->flow->ndefs) * sizeof(**all));
        if (!*all) {
            return JS_ENOMEM;
        }
        memcpy(*all, function->variables, function->nvariables * sizeof(**all));
        function->variables = *all;
    }
    (*all)[function->nvariables++] = (js_variable){.name = def->name,
                                                   .base = def->name,
                                                   .line = def->line,
                                                   .type = type,
                                                   .is_whole = true,
                                                   .is_index = true};
    return JS_OK;
}

int js_truth_add_loop_indices(js_types *types, js_truth *truth)
{
    js_function *function = truth->function;
    const js_flow *flow = truth->flow;
    bool is_function = function->name.kind == JS_NAME_FUNCTION && !function->name.is_object_mode;
    if (!flow || !js_truth_is_kept_whole(function) || (!is_function && !function->region.parent)) {
        return JS_OK;
    }
    js_variable *all = NULL;
    for (size_t i = 0; i < flow->ndefs; i++) {
        const js_flow_def *def = &flow->defs[i];
        const js_region *loop = js_flow_loop(flow, def->line);
        bool is_index = (def->is_parallel || is_signed(def)) &&
                        (!function->region.parent || def->line >= function->region.line);
        if (!is_index || !loop || js_truth_is_described(function, def->name) ||
            !has_lines(function, loop->first, loop->last)) {
            continue;
        }
        const js_type *type;
        bool is_own = function->region.parent && def->line == function->region.line;
        const char *name = js_numba_index_type(is_own ? function->name.arguments : NULL);
        int status = js_types_get(types, name, NULL, &type);
        status = status == JS_OK ? js_truth_add_variable(truth, &all, def, type) : status;
        if (status != JS_OK) {
            return status;
        }
    }
    return JS_OK;
}
