/* Adds variables that even unoptimised code does not have: Numba removes assignments that nothing reads in
 * parallel functions and in those with array comprehensions. The source has their names; their types are
 * known where the source computes each of their values from numbers and from variables that are described. */
#include "program/validity/variables/removed_variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/names/numba/legal_names.h"
#include "program/source/formula.h"
#include "program/validity/locations/scalar_kind.h"
#include "program/validity/variables/loop_indices.h"

enum { DEAD_TYPE = 512 };

typedef struct dead {
    js_types *types;
    const js_function *function;
    const char *own; /* the name whose type is looked for */
    const js_type *type;
    int status;
} dead;

static const js_type *get(dead *ctx, const char *name)
{
    const js_type *type = NULL;
    int status = js_types_get(ctx->types, name, NULL, &type);
    ctx->status = ctx->status == JS_OK && status == JS_ENOMEM ? status : ctx->status;
    return status == JS_OK ? type : NULL;
}

/* Return the one type that all versions of a name have, if it is a number's; for a Literal, the type of its
 * value. */
static const js_type *type_of_name(dead *ctx, const char *name)
{
    const js_type *found = strcmp(name, ctx->own) == 0 ? ctx->type : NULL;
    for (size_t i = 0; i < ctx->function->nvariables; i++) {
        const js_variable *variable = &ctx->function->variables[i];
        if (strcmp(variable->base, name) != 0) {
            continue;
        }
        bool is_int = js_scalar_is_literal(variable->type) || js_scalar_is_whole(variable);
        const js_type *type = is_int ? get(ctx, "int64") : variable->type;
        bool is_known =
            type && (js_scalar_is_int(type) || js_scalar_is_bool(type) || js_scalar_is_float(type));
        if (!is_known || (found && found != type)) {
            return NULL;
        }
        found = type;
    }
    return found;
}

static const js_type *infer(dead *ctx, const js_node *formula);

static const js_type *infer_tuple(dead *ctx, const js_node *tuple)
{
    char text[DEAD_TYPE] = "Tuple(";
    const js_type *first = NULL;
    bool is_uniform = true;
    size_t used = strlen(text);
    size_t nparts = js_formula_nparts(tuple);
    for (size_t i = 0; i < nparts; i++) {
        const js_type *type = infer(ctx, js_formula_part(tuple, i));
        if (!type || used + strlen(type->name) + 4 > sizeof(text)) {
            return NULL;
        }
        is_uniform = is_uniform && (!first || first == type);
        first = type;
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", i ? ", " : "", type->name);
    }
    snprintf(text + used, sizeof(text) - used, ")");
    if (first && is_uniform) {
        snprintf(text, sizeof(text), "UniTuple(%s x %zu)", first->name, nparts);
    }
    return first ? get(ctx, text) : NULL;
}

/* Return the type of an operation on numbers; NULL: unknown. */
static const js_type *infer_operation(dead *ctx, const js_node *formula)
{
    js_formula_kind kind = js_formula_kind_of(formula);
    const js_type *left = infer(ctx, js_formula_part(formula, 0));
    const js_type *right = js_formula_nparts(formula) == 1 ? left : infer(ctx, js_formula_part(formula, 1));
    if (!left || !right || left->kind == JS_KIND_TUPLE || right->kind == JS_KIND_TUPLE) {
        return NULL;
    }
    if (js_formula_is_comparison(formula) || kind == JS_FORMULA_NOT) {
        return get(ctx, "bool");
    }
    bool is_joint = kind == JS_FORMULA_AND || kind == JS_FORMULA_OR;
    bool is_bool = js_scalar_is_bool(left) || js_scalar_is_bool(right);
    if (is_joint || is_bool) {
        return is_joint && left == right && js_scalar_is_bool(left) ? left : NULL;
    }
    bool is_float = js_scalar_is_float(left) || js_scalar_is_float(right) || kind == JS_FORMULA_DIVIDE;
    return get(ctx, is_float ? "float64" : "int64");
}

/* Return the type that Numba infers for a formula over numbers; NULL: unknown. */
static const js_type *infer(dead *ctx, const js_node *formula)
{
    const js_type *then;
    switch (js_formula_kind_of(formula)) {
    case JS_FORMULA_NUMBER:
        return get(ctx, strpbrk(js_formula_text(formula), ".en") ? "float64" : "int64");
    case JS_FORMULA_NAME:
    case JS_FORMULA_ENTRY:
        return type_of_name(ctx, js_formula_text(formula));
    case JS_FORMULA_TUPLE:
        return infer_tuple(ctx, formula);
    case JS_FORMULA_IF:
        then = infer(ctx, js_formula_part(formula, 1));
        return infer(ctx, js_formula_part(formula, 0)) && then == infer(ctx, js_formula_part(formula, 2))
                   ? then
                   : NULL;
    case JS_FORMULA_LENGTH: /* the variable may have any type */
        return get(ctx, "int64");
    case JS_FORMULA_TEXT:
    case JS_FORMULA_NONE:
    case JS_FORMULA_WHOLE:
    case JS_FORMULA_VIEW:
    case JS_FORMULA_OTHER:
        return NULL;
    default:
        return infer_operation(ctx, formula);
    }
}

/* Return the type that all assignments give; NULL: unknown. */
static const js_type *type_of_all(dead *ctx, const js_flow *flow, const char *name)
{
    ctx->own = name;
    ctx->type = NULL;
    for (size_t i = 0; i < flow->ndefs; i++) {
        const js_flow_def *def = &flow->defs[i];
        if (strcmp(def->name, name) != 0) {
            continue;
        }
        const js_type *type = def->gives && !def->step && !def->is_parallel ? infer(ctx, def->gives) : NULL;
        if (!type || (ctx->type && ctx->type != type)) {
            return NULL;
        }
        ctx->type = type;
    }
    return ctx->type;
}

/* True if the kernel has a version of the name, as kernels write it. */
static bool is_kernels(const js_function *function, const char *name)
{
    bool found = false;
    for (size_t i = 0; function->region.parent && i < function->nvariables && !found; i++) {
        found = js_numba_legal_is(function->variables[i].base, name);
    }
    return found;
}

int js_truth_add_removed_variables(js_types *types, js_truth *truth)
{
    js_function *function = truth->function;
    const js_flow *flow = truth->flow;
    dead ctx = {.types = types, .function = function};
    bool is_function = function->name.kind == JS_NAME_FUNCTION && !function->name.is_object_mode;
    if (!flow || (!is_function && !function->region.parent) || !js_truth_is_kept_whole(function)) {
        return JS_OK;
    }
    js_variable *all = NULL;
    for (size_t i = 0; i < flow->ndefs && ctx.status == JS_OK; i++) {
        const js_flow_def *def = &flow->defs[i];
        bool is_made = !js_truth_is_described(function, def->name) && !is_kernels(function, def->name);
        const js_type *type = is_made ? type_of_all(&ctx, flow, def->name) : NULL;
        if (type && ctx.status == JS_OK) {
            ctx.status = js_truth_add_variable(truth, &all, def, type);
        }
    }
    return ctx.status;
}
