/* Chooses the analysis of each function: hook/ for code compiled with the hook, validity/ for stock code. */
#include "program/session/truths.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"
#include "program/elements/stores_of_code.h"
#include "program/hook/hook.h"
#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/names/numba/overloads.h"
#include "program/names/numba/schedule.h"
#include "program/names/numba/variable_names.h"
#include "program/parallel/kernels.h"
#include "program/parallel/source_lines.h"
#include "program/session/asked_flows.h"
#include "program/validity/recovered/passed.h"
#include "program/validity/statements/rows.h"
#include "program/validity/states/run.h"
#include "program/validity/variables/undescribed_variables.h"

/* Add a variable for the index of a kernel's loop, which the compiler does not describe as it numbers the
 * iterations itself. Its name is in the source. */
static int add_region_index(js_program *program, js_object *object, js_function *kernel, const js_flow *flow)
{
    for (size_t i = 0; i < flow->ndefs; i++) {
        const js_flow_def *def = &flow->defs[i];
        bool described = def->line != kernel->region.line || !def->in_loop;
        for (size_t k = 0; k < kernel->nvariables && !described; k++) {
            described = !strcmp(kernel->variables[k].base, def->name);
        }
        if (described) {
            continue;
        }
        js_variable *variables = js_arena_alloc(&object->arena, (kernel->nvariables + 1) * sizeof *variables);
        const js_type *type;
        int status = js_types_get(program->types, js_numba_index_type(kernel->name.arguments), NULL, &type);
        if (status || !variables) {
            return status ? status : JS_ENOMEM;
        }
        if (kernel->nvariables) {
            memcpy(variables, kernel->variables, kernel->nvariables * sizeof *variables);
        }
        char *name = js_arena_strdup(&object->arena, def->name);
        variables[kernel->nvariables] = (js_variable){.name = name,
                                                      .base = name,
                                                      .line = def->line,
                                                      .type = type,
                                                      .is_whole = true,
                                                      .is_index = kernel->build.level < JS_LEVEL_EXACT};
        kernel->variables = variables;
        if (!name) {
            return JS_ENOMEM;
        }
        kernel->nvariables++;
    }
    return JS_OK;
}

/* Make the loop's index an argument: a call of a kernel runs for some iterations. */
static void show_region_index(js_function *kernel)
{
    for (size_t i = 0; kernel->locals && i < kernel->nlocals; i++) {
        js_local *local = &kernel->locals[i];
        if (local->nversions == 1 && local->versions[0]->line == kernel->region.line &&
            !local->versions[0]->nlocations) {
            local->is_argument = true;
        }
    }
}

/* Give the result the type of the one variable that the source always returns, if that has one type. The
 * compiler describes the result by its storage only ("i64"). */
static void name_result(js_function *function, const js_flow *flow)
{
    function->source.returns_none = flow->returns && strcmp(flow->returns, "None") == 0 && function->result &&
                                    js_numba_is_opaque(function->result->name) &&
                                    !function->name.is_object_mode;
    const js_local *local =
        flow->returns ? js_function_local(function, flow->returns, strlen(flow->returns)) : NULL;
    if (!local || !function->result) {
        return;
    }
    const js_type *type = local->versions[0]->type;
    for (size_t i = 1; i < local->nversions; i++) {
        if (local->versions[i]->type != type) {
            return;
        }
    }
    if (type->size == function->result->size && type->kind != JS_KIND_LITERAL) {
        function->result = type;
    }
}

/* Add the variables that LLVM does not describe to functions compiled with the hook, and to code inlined
 * there without markers or at level lines. flow: that of the function's source; NULL: not at hand. */
static int add_absent(js_program *program, js_object *object, js_function *function, const js_flow *flow)
{
    int status = JS_OK;
    const js_inline *known = NULL; /* the item whose flow was found last; often the next one shares it */
    bool is_by_hook = function->build.level >= JS_LEVEL_EXACT; /* else js_truth_function() has added them */
    if (is_by_hook && function->region.parent && flow) {
        status = js_absent_of_kernel(object, function, flow);
    } else if (is_by_hook && flow && function->has_debug_info) {
        status = js_absent_of_function(object, function, flow);
    }
    for (size_t i = 0; i < function->ninlines && !status && program->flow; i++) {
        js_inline *item = &function->inlines[i];
        if (item->first || !item->name) {
            continue;
        }
        if (known && js_flow_is_shared(known, item)) {
            item->flow = known->flow;
        } else if ((status = js_flow_of_inlined(program, object, item)) == JS_OK) {
            known = item;
        }
        if (!status && item->flow) {
            status = js_absent_of_inlined(object, function, item, item->flow);
        }
        if (!status && !is_by_hook) {
            const js_flow *around = item->parent ? function->inlines[item->parent - 1].flow : flow;
            status = js_recover_passed(program, function, item, around);
        }
    }
    for (size_t i = 0; i < function->ninlines && !status; i++) {
        js_inline *item = &function->inlines[i];
        if (item->first) {
            continue;
        }
        js_hook_doubt_narrow(function, item);
        if (function->build.level == JS_LEVEL_EXACT && item->name) {
            const js_flow *around = item->parent ? function->inlines[item->parent - 1].flow : flow;
            status = js_recover_raised(program, function, item, around);
        }
    }
    return status;
}

/* Analyse one function, with the flow of its source where that is at hand. */
static int find_truth(js_program *program, js_object *object, js_function *function)
{
    const js_function *source = function->region.parent ? function->region.parent : function;
    js_flow flow, *known = NULL;
    int status = JS_OK;
    if (program->flow && (function->name.kind != JS_NAME_PARFOR || function->region.parent) &&
        js_flow_of_function(program, object, source, &flow)) {
        known = &flow;
    }
    if (known && function->build.level < JS_LEVEL_EXACT) {
        function->source.first_line = known->first_line;
        function->source.own = known->own;
        function->source.nown = known->nown;
    }
    if (known) {
        status = js_flow_keep(object, known, &function->source.flow);
    }
    if (!status && known && function->region.parent) {
        js_region_find_lines(function, known);
        status = add_region_index(program, object, function, known);
    }
    if (!status) {
        status = function->build.level >= JS_LEVEL_EXACT
                     ? js_hook_function(object, function)
                     : js_truth_function(object, program->types, function, known);
    }
    if (!status && function->build.level >= JS_LEVEL_LINES) {
        status = add_absent(program, object, function, known);
    }
    if (!status && (function->build.level == JS_LEVEL_EXACT || function->build.level == JS_LEVEL_LINES)) {
        status = js_rows_clean_inlined(object, function);
    }
    if (status && status != JS_ENOMEM) { /* too large to follow: the variables are listed, without values */
        for (size_t i = 0; function->locals && i < function->nlocals; i++) {
            function->locals[i].nspans = 0;
        }
        status = JS_OK;
    }
    if (!status && function->region.parent) {
        show_region_index(function);
    }
    if (!status && function->region.parent && known) {
        status = js_region_name_locals(&object->arena, function, known);
    }
    if (!status && known && !function->region.parent) {
        name_result(function, known);
    }
    return status;
}

int js_program_find_truths(js_program *program, js_object *object)
{
    bool is_waiting = false;
    for (size_t i = 0; i < object->nfunctions; i++) {
        js_function *function = &object->functions[i];
        if (!function->has_debug_info || function->locals) {
            continue;
        }
        if (function->name.kind == JS_NAME_PARFOR && !function->region.parent) {
            is_waiting = true; /* its lines have no meaning before the parent is known */
            continue;
        }
        int status = find_truth(program, object, function);
        if (status) {
            return status;
        }
    }
    object->is_judged = !is_waiting;
    return JS_OK;
}
