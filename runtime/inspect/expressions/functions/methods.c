/* Computes the methods of arrays that make no new memory in the target: reductions, other shapes, other
 * types. */
#include "expressions/functions/methods.h"

#include <string.h>

#include "expressions/core/common_type.h"
#include "expressions/functions/axes.h"
#include "expressions/functions/elements.h"
#include "expressions/functions/shapes.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/operands/arguments.h"
#include "expressions/operands/sequences.h"

/* ---- arguments ---- */

/* Read an argument that is an axis, a tuple of axes, or None for all. is_ufunc: the reduction is one of
 * NumPy's in C. */
static int some_axes(js_evaluation *e, const js_operand *operand, unsigned ndim, bool is_ufunc, bool *out)
{
    js_operand items;
    bool is_sequence = false;
    memset(out, !js_has_argument(operand), 32 * sizeof *out);
    int status = js_has_argument(operand) ? js_operand_items(e, operand, &items, &is_sequence) : JS_OK;
    if (status || !js_has_argument(operand)) {
        return status;
    }
    const js_operand *axes = is_sequence ? items.items : operand;
    for (uint64_t i = 0; i < (is_sequence ? items.count : 1) && status == JS_OK; i++) {
        unsigned axis = 0;
        __int128 number;
        if (is_ufunc && ndim == 0 && js_operand_index(&axes[i], &number) && (number == 0 || number == -1)) {
            continue; /* which NumPy accepts */
        }
        status = js_axis_of(e, &axes[i], ndim, &axis);
        if (status == JS_OK && out[axis]) {
            return js_fail(e, JS_EBAD, "ValueError: duplicate value in 'axis'");
        }
        out[axis] = true;
    }
    return status;
}

static int truth_of(js_evaluation *e, const js_operand *operand, bool *out)
{
    *out = false;
    return operand ? js_operand_truth(e, operand, out) : JS_OK;
}

/* ---- reductions ---- */

static const struct {
    const char *name;
    js_reduction reduction;
} reductions[] = {
    {"sum", JS_REDUCE_SUM}, {"prod", JS_REDUCE_PROD},     {"min", JS_REDUCE_MIN},
    {"max", JS_REDUCE_MAX}, {"argmin", JS_REDUCE_ARGMIN}, {"argmax", JS_REDUCE_ARGMAX},
    {"any", JS_REDUCE_ANY}, {"all", JS_REDUCE_ALL},       {"mean", JS_REDUCE_MEAN},
    {"var", JS_REDUCE_VAR}, {"std", JS_REDUCE_STD},
};
enum { REDUCTIONS = sizeof reductions / sizeof reductions[0] };

static int reduce(const js_array_call *c, js_operand *out)
{
    static const char *const plain[] = {"axis", "keepdims", NULL};
    static const char *const spread[] = {"axis", "ddof", "keepdims", NULL};
    size_t i = 0;
    while (strcmp(reductions[i].name, c->name) != 0) {
        i++;
    }
    js_reduction reduction = reductions[i].reduction;
    bool is_spread = reduction == JS_REDUCE_VAR || reduction == JS_REDUCE_STD;
    bool is_place = reduction == JS_REDUCE_ARGMIN || reduction == JS_REDUCE_ARGMAX;
    const js_operand *given[3];
    bool axes[32], keeps_axes;
    if (c->array->type == JS_NOT_A_NUMBER) {
        return js_fail(c->e, JS_EUNSUP, "TypeError: %s() of %s is not known here", c->name,
                       c->array->dtype->name);
    }
    int status = js_bind(c->e, c->name, is_spread ? spread : plain, c->given, given);
    status = status ? status : truth_of(c->e, given[is_spread ? 2 : 1], &keeps_axes);
    bool is_ufunc = !is_spread && reduction != JS_REDUCE_MEAN;
    status = status ? status : some_axes(c->e, given[0], c->array->view.ndim, is_ufunc, axes);
    double ddof = 0;
    if (status == JS_OK && is_spread && given[1]) {
        js_number number;
        status = js_operand_number(given[1], &number) ? JS_OK : js_wrong_argument(c->e, c->name, given[1]);
        ddof = status ? 0 : js_number_real(&number);
    }
    if (status == JS_OK && is_place && js_has_argument(given[0]) && given[0]->kind == JS_OPERAND_SEQUENCE) {
        return js_fail(c->e, JS_EUNSUP, "TypeError: 'tuple' object cannot be interpreted as an integer");
    }
    if (status) {
        return status;
    }
    if (!js_has_argument(given[0]) && !keeps_axes && ddof == 0) {
        *out = (js_operand){.kind = JS_OPERAND_NUMBER};
        return js_reduce(c->e, reduction, c->array, &out->number);
    }
    const js_lazy *made;
    status = js_reduce_axes(c->e, reduction, c->array, axes, keeps_axes, ddof, &made);
    return js_give_array(c->e, status, made, out);
}

static const struct {
    const char *name;
    int (*run)(const js_array_call *call, js_operand *out);
} methods[] = {
    {"item", js_method_item},           {"reshape", js_method_reshape}, {"ravel", js_method_flatten},
    {"flatten", js_method_flatten},     {"squeeze", js_method_squeeze}, {"transpose", js_method_transpose},
    {"diagonal", js_method_diagonal},   {"trace", js_method_diagonal},  {"tolist", js_method_tolist},
    {"copy", js_method_copy},           {"astype", js_method_astype},   {"conj", js_method_conjugate},
    {"conjugate", js_method_conjugate}, {"clip", js_method_clip},       {"cumsum", js_method_accumulate},
    {"cumprod", js_method_accumulate},  {"nonzero", js_method_nonzero}, {"dot", js_method_dot},
    {"round", js_method_array_round},
};

static int (*find(const char *name))(const js_array_call *, js_operand *)
{
    for (size_t i = 0; i < REDUCTIONS; i++) {
        if (strcmp(reductions[i].name, name) == 0) {
            return reduce;
        }
    }
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        if (strcmp(methods[i].name, name) == 0) {
            return methods[i].run;
        }
    }
    return NULL;
}

bool js_array_has_method(const char *name)
{
    return find(name);
}

int js_array_method(js_evaluation *e, const char *name, const js_lazy *array, const js_given *given,
                    js_operand *out)
{
    const js_array_call call = {e, name, array, given};
    return find(name)(&call, out);
}
