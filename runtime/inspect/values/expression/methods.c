/* Methods of arrays that make no new memory in the target: reductions, other shapes, other types. */
#include <string.h>

#include "values/expression/methods.h"

/* ---- arguments ---- */

int js_bind(js_evaluation *e, const char *function, const char *const *parameters, const js_given *given,
            const js_operand **out)
{
    size_t most = 0;
    while (parameters[most]) {
        out[most++] = NULL;
    }
    for (size_t i = 0; i < given->count; i++) {
        const char *name = given->names[i];
        size_t k = name ? 0 : i;
        while (name && k < most && strcmp(parameters[k], name) != 0) {
            k++;
        }
        if (k >= most && name) {
            return js_fail(e, JS_EUNSUP, "TypeError: %s() got an unexpected keyword argument '%s'", function,
                           name);
        }
        if (k >= most) {
            return js_fail(e, JS_EUNSUP, "TypeError: %s() takes at most %zu argument%s (%zu given)", function,
                           most, most == 1 ? "" : "s", given->count);
        }
        if (out[k]) {
            return js_fail(e, JS_EUNSUP, "TypeError: %s() got multiple values for argument '%s'", function,
                           name);
        }
        out[k] = &given->arguments[i];
    }
    return JS_OK;
}

static bool is_given(const js_operand *operand)
{
    return operand && operand->kind != JS_OPERAND_NONE;
}

static int one_axis(js_evaluation *e, const js_operand *operand, unsigned ndim, unsigned *out)
{
    __int128 axis;
    if (!js_operand_index(operand, &axis)) {
        return js_fail(e, JS_EUNSUP, "TypeError: '%s' object cannot be interpreted as an integer",
                       js_operand_type(operand));
    }
    __int128 wrapped = axis < 0 ? axis + (__int128)ndim : axis;
    if (wrapped < 0 || wrapped >= (__int128)ndim) {
        return js_fail(e, JS_ELIMIT, "AxisError: axis %lld is out of bounds for array of dimension %u",
                       (long long)axis, ndim);
    }
    *out = (unsigned)wrapped;
    return JS_OK;
}

/* An axis, a tuple of them, or all. */
static int some_axes(js_evaluation *e, const js_operand *operand, unsigned ndim, bool *out)
{
    js_operand items;
    bool is_sequence = false;
    memset(out, !is_given(operand), 32 * sizeof *out);
    int status = is_given(operand) ? js_operand_items(e, operand, &items, &is_sequence) : JS_OK;
    if (status || !is_given(operand)) {
        return status;
    }
    const js_operand *axes = is_sequence ? items.items : operand;
    for (uint64_t i = 0; i < (is_sequence ? items.count : 1) && status == JS_OK; i++) {
        unsigned axis = 0;
        status = one_axis(e, &axes[i], ndim, &axis);
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
        return js_fail(c->e, JS_EUNSUP, "TypeError: a reduction of %s is not known here",
                       c->array->dtype->name);
    }
    int status = js_bind(c->e, c->name, is_spread ? spread : plain, c->given, given);
    status = status ? status : truth_of(c->e, given[is_spread ? 2 : 1], &keeps_axes);
    status = status ? status : some_axes(c->e, given[0], c->array->view.ndim, axes);
    double ddof = 0;
    if (status == JS_OK && is_spread && given[1]) {
        js_number number;
        status = js_operand_number(given[1], &number) ? JS_OK : js_wrong_argument(c->e, c->name, given[1]);
        ddof = status ? 0 : js_number_real(&number);
    }
    if (status == JS_OK && is_place && is_given(given[0]) && given[0]->kind == JS_OPERAND_SEQUENCE) {
        return js_fail(c->e, JS_EUNSUP, "TypeError: 'tuple' object cannot be interpreted as an integer");
    }
    if (status) {
        return status;
    }
    if (!is_given(given[0]) && !keeps_axes && ddof == 0) {
        *out = (js_operand){.kind = JS_OPERAND_NUMBER};
        return js_reduce(c->e, reduction, c->array, &out->number);
    }
    const js_lazy *made;
    status = js_reduce_axes(c->e, reduction, c->array, axes, keeps_axes, ddof, &made);
    return js_give_array(c->e, status, made, out);
}

/* ---- shapes ---- */

/* Numbers that are given one by one or as one tuple. */
static int integers_of(const js_array_call *c, int64_t *out, unsigned *count)
{
    js_operand items = {.items = (js_operand *)(uintptr_t)c->given->arguments, .count = c->given->count};
    bool is_sequence;
    if (items.count == 1) {
        int status = js_operand_items(c->e, c->given->arguments, &items, &is_sequence);
        if (status) {
            return status;
        }
        items = is_sequence ? items
                            : (js_operand){.items = (js_operand *)(uintptr_t)c->given->arguments, .count = 1};
    }
    if (items.count > 32) {
        return js_fail(c->e, JS_EBAD, "ValueError: maximum supported dimension for an ndarray is 32 here");
    }
    for (uint64_t i = 0; i < items.count; i++) {
        __int128 number;
        if (!js_operand_index(&items.items[i], &number) || number > INT64_MAX || number < INT64_MIN) {
            return js_fail(c->e, JS_EUNSUP, "TypeError: '%s' object cannot be interpreted as an integer",
                           js_operand_type(&items.items[i]));
        }
        out[i] = (int64_t)number;
    }
    *count = (unsigned)items.count;
    return JS_OK;
}

static int give_shape(const js_array_call *c, unsigned ndim, const int64_t *shape, js_operand *out)
{
    const js_lazy *made;
    int status = js_lazy_picked(c->e, c->array, NULL, ndim, shape, &made);
    *out = js_operand_of_array(made);
    return status;
}

static int reshape(const js_array_call *c, js_operand *out)
{
    int64_t shape[32];
    unsigned ndim = 0, free_axis = 32;
    int status = integers_of(c, shape, &ndim);
    uint64_t size = 1;
    bool fits = true;
    for (unsigned i = 0; i < ndim && status == JS_OK; i++) {
        if (shape[i] < 0) {
            if (free_axis < 32 || shape[i] != -1) {
                return js_fail(c->e, JS_EBAD,
                               free_axis < 32 ? "ValueError: can only specify one unknown dimension"
                                              : "ValueError: negative dimensions not allowed");
            }
            free_axis = i;
        } else {
            fits &= !__builtin_mul_overflow(size, (uint64_t)shape[i], &size);
        }
    }
    if (status) {
        return status;
    }
    uint64_t count = c->array->view.nitems;
    if (free_axis < 32 && fits && size && count % size == 0) {
        shape[free_axis] = (int64_t)(count / size);
        size = count;
    }
    if (!fits || size != count || (free_axis < 32 && shape[free_axis] < 0)) {
        js_text wanted;
        js_text_init(&wanted, 0);
        js_put_tuple(&wanted, shape, ndim);
        status = js_fail(c->e, JS_EBAD, "ValueError: cannot reshape array of size %llu into shape %s",
                         (unsigned long long)count, wanted.data ? wanted.data : "");
        js_text_deinit(&wanted);
        return status;
    }
    return give_shape(c, ndim, shape, out);
}

static int flatten(const js_array_call *c, js_operand *out)
{
    int64_t count = (int64_t)c->array->view.nitems;
    return give_shape(c, 1, &count, out);
}

static int squeeze(const js_array_call *c, js_operand *out)
{
    int64_t shape[32];
    unsigned ndim = 0;
    for (unsigned i = 0; i < c->array->view.ndim; i++) {
        if (c->array->view.shape[i] != 1) {
            shape[ndim++] = c->array->view.shape[i];
        }
    }
    if (ndim == 0) {
        return js_operand_of_element(c->e, c->array, out);
    }
    return give_shape(c, ndim, shape, out);
}

static int transpose(const js_array_call *c, js_operand *out)
{
    int64_t given[32];
    unsigned axes[32], count = 0, ndim = c->array->view.ndim;
    bool seen[32] = {false};
    const js_lazy *made;
    int status = integers_of(c, given, &count);
    if (status == JS_OK && count && count != ndim) {
        return js_fail(c->e, JS_EBAD, "ValueError: axes don't match array");
    }
    for (unsigned i = 0; i < ndim && status == JS_OK; i++) {
        js_operand axis = js_operand_of_int(count ? given[i] : (int64_t)(ndim - 1 - i));
        status = one_axis(c->e, &axis, ndim, &axes[i]);
        if (status == JS_OK && seen[axes[i]]) {
            return js_fail(c->e, JS_EBAD, "ValueError: repeated axis in transpose");
        }
        seen[status ? 0 : axes[i]] = true;
    }
    status = status ? status : js_lazy_permuted(c->e, c->array, axes, &made);
    *out = js_operand_of_array(made);
    return status;
}

static int diagonal(const js_array_call *c, js_operand *out)
{
    const js_array_view *view = &c->array->view;
    if (view->ndim != 2) {
        return js_fail(c->e, JS_EBAD, "ValueError: %s() of an array of %u dimensions is not known here",
                       c->name, view->ndim);
    }
    uint64_t count = (uint64_t)(view->shape[0] < view->shape[1] ? view->shape[0] : view->shape[1]);
    uint64_t *ordinals =
        count > JS_EXPRESSION_ELEMENTS ? NULL : js_arena_alloc(&c->e->arena, (count + 1) * sizeof *ordinals);
    if (!ordinals) {
        return js_no_memory(c->e);
    }
    for (uint64_t i = 0; i < count; i++) {
        ordinals[i] = i * ((uint64_t)view->shape[1] + 1);
    }
    const js_lazy *made;
    int64_t shape = (int64_t)count;
    int status = js_lazy_picked(c->e, c->array, ordinals, 1, &shape, &made);
    if (status || *c->name == 'd') {
        *out = js_operand_of_array(made);
        return status;
    }
    *out = (js_operand){.kind = JS_OPERAND_NUMBER};
    return made->type == JS_NOT_A_NUMBER ? js_wrong_argument(c->e, c->name, out)
                                         : js_reduce(c->e, JS_REDUCE_SUM, made, &out->number);
}

/* ---- elements ---- */

static int item(const js_array_call *c, js_operand *out)
{
    int64_t index[32];
    unsigned count = 0;
    int status = integers_of(c, index, &count);
    if (status) {
        return status;
    }
    if (count) {
        js_operand of = js_operand_of_array(c->array), flat;
        if (count == 1) { /* of all elements, in order */
            status = flatten(c, &flat);
            return status ? status : js_item(c->e, &flat, index[0], out);
        }
        js_operand key = {.kind = JS_OPERAND_SEQUENCE,
                          .count = count,
                          .items = (js_operand *)(uintptr_t)c->given->arguments};
        return js_subscript(c->e, &of, &key, out);
    }
    if (c->array->view.nitems != 1) {
        return js_fail(c->e, JS_EBAD, "ValueError: can only convert an array of size 1 to a Python scalar");
    }
    return js_operand_of_element(c->e, c->array, out);
}

int js_array_list(js_evaluation *e, const js_lazy *array, js_operand *out)
{
    const js_array_view *view = &array->view;
    if (view->ndim == 0) {
        return js_operand_of_element(e, array, out);
    }
    if (view->nitems > JS_EXPRESSION_ITEMS || view->shape[0] > JS_EXPRESSION_ITEMS) {
        return js_fail(e, JS_ENOMEM, "MemoryError: a list of %llu items is too long to hold here",
                       (unsigned long long)view->nitems);
    }
    uint64_t count = (uint64_t)view->shape[0];
    js_operand of = js_operand_of_array(array);
    *out = (js_operand){.kind = JS_OPERAND_SEQUENCE, .is_list = true, .count = count};
    out->items = js_arena_alloc(&e->arena, (count + 1) * sizeof *out->items);
    int status = out->items ? JS_OK : js_no_memory(e);
    for (uint64_t i = 0; i < count && status == JS_OK; i++) {
        js_operand row;
        status = js_item(e, &of, (int64_t)i, &row);
        out->items[i] = row;
        if (status == JS_OK && row.kind == JS_OPERAND_ARRAY) {
            status = js_array_list(e, row.array, &out->items[i]);
        } else if (row.kind == JS_OPERAND_NUMBER && js_number_is_whole(row.number.type)) {
            out->items[i].number.is_weak = row.number.type != JS_BOOL;
        }
        status = status ? status : js_polled(e, 1, i, count);
    }
    return status;
}

static int tolist(const js_array_call *c, js_operand *out)
{
    return js_array_list(c->e, c->array, out);
}

static int same(const js_array_call *c, js_operand *out)
{
    *out = js_operand_of_array(c->array);
    return JS_OK;
}

static int astype(const js_array_call *c, js_operand *out)
{
    static const char *const parameters[] = {"dtype", NULL};
    const js_operand *given[1];
    js_number_type type;
    const js_lazy *made;
    int status = js_bind(c->e, c->name, parameters, c->given, given);
    if (status == JS_OK && !given[0]) {
        return js_fail(c->e, JS_EUNSUP, "TypeError: astype() missing required argument 'dtype' (pos 0)");
    }
    status = status ? status : js_dtype_of(c->e, given[0], &type);
    if (status == JS_OK && c->array->type == JS_NOT_A_NUMBER) {
        return js_fail(c->e, JS_EUNSUP, "TypeError: astype() of %s is not known here", c->array->dtype->name);
    }
    status = status ? status : js_lazy_map(c->e, JS_CAST, type, JS_NOT_A_NUMBER, c->array, NULL, &made);
    return js_give_array(c->e, status, made, out);
}

static int conjugate(const js_array_call *c, js_operand *out)
{
    const js_lazy *made = c->array;
    int status = js_number_is_complex(made->type)
                     ? js_lazy_map(c->e, JS_CONJ, made->type, JS_NOT_A_NUMBER, c->array, NULL, &made)
                     : JS_OK;
    return js_give_array(c->e, status, made, out);
}

static int clip(const js_array_call *c, js_operand *out)
{
    static const char *const parameters[] = {"min", "max", NULL};
    const js_operand *given[2];
    int status = js_bind(c->e, c->name, parameters, c->given, given);
    *out = js_operand_of_array(c->array);
    for (unsigned i = 0; i < 2 && status == JS_OK; i++) {
        js_operand made;
        if (is_given(given[i])) {
            status = js_extreme_of(c->e, i ? JS_MINIMUM : JS_MAXIMUM, out, given[i], &made);
            *out = made;
        }
    }
    return status;
}

/* Running sums or products, of the flattened array or along one axis. */
static int accumulate(const js_array_call *c, js_operand *out)
{
    static const char *const parameters[] = {"axis", NULL};
    const js_operand *given[1];
    const js_lazy *flat = c->array, *kept, *made;
    unsigned axis = 0, axes[32], back[32];
    js_operand flattened;
    int status = js_bind(c->e, c->name, parameters, c->given, given);
    if (status == JS_OK && flat->type == JS_NOT_A_NUMBER) {
        return js_fail(c->e, JS_EUNSUP, "TypeError: %s() of %s is not known here", c->name,
                       flat->dtype->name);
    }
    if (status == JS_OK && !is_given(given[0])) {
        status = flatten(c, &flattened);
        flat = flattened.array;
    } else if (status == JS_OK) {
        status = one_axis(c->e, given[0], flat->view.ndim, &axis);
    }
    if (status) {
        return status;
    }
    unsigned ndim = flat->view.ndim;
    for (unsigned i = 0; i < ndim; i++) { /* that axis last */
        axes[i] = i < axis ? i : i + 1 < ndim ? i + 1 : axis;
        back[axes[i]] = i;
    }
    js_number_type type = js_sum_type(flat->type);
    status = js_lazy_permuted(c->e, flat, axes, &flat);
    status = status ? status : js_lazy_map(c->e, JS_CAST, type, JS_NOT_A_NUMBER, flat, NULL, &flat);
    status = status ? status : js_lazy_kept(c->e, flat, &kept);
    if (status) {
        return status;
    }
    uint64_t size = kept->view.itemsize, length = (uint64_t)kept->view.shape[ndim - 1];
    uint8_t *all = (uint8_t *)(uintptr_t)kept->local;
    double sum[2], next[2];
    for (uint64_t i = 0; i < kept->view.nitems; i++) {
        js_lanes_load(type, all + i * size, 1, i % length ? next : sum);
        if (i % length) {
            js_loop(strcmp(c->name, "cumsum") == 0 ? JS_ADD : JS_MUL, type, 1, sum, next, sum, type);
            js_lanes_store(type, sum, 1, all + i * size);
        }
    }
    status = js_lazy_permuted(c->e, kept, back, &made);
    return js_give_array(c->e, status, made, out);
}

static int nonzero(const js_array_call *c, js_operand *out)
{
    return js_nonzero(c->e, c->array, out);
}

static int dot(const js_array_call *c, js_operand *out)
{
    static const char *const parameters[] = {"b", NULL};
    const js_operand *given[1], of = js_operand_of_array(c->array);
    int status = js_bind(c->e, c->name, parameters, c->given, given);
    if (status || !given[0]) {
        return status ? status : js_fail(c->e, JS_EUNSUP, "TypeError: dot() missing an argument");
    }
    return given[0]->kind == JS_OPERAND_NUMBER || c->array->view.ndim == 0
               ? js_binary(c->e, JS_MUL, &of, given[0], out)
               : js_matmul(c->e, &of, given[0], out);
}

static int array_round(const js_array_call *c, js_operand *out)
{
    static const char *const parameters[] = {"decimals", NULL};
    const js_operand *given[1], of = js_operand_of_array(c->array);
    __int128 places = 0;
    int status = js_bind(c->e, c->name, parameters, c->given, given);
    if (status == JS_OK && given[0] && !js_operand_index(given[0], &places)) {
        return js_wrong_argument(c->e, c->name, given[0]);
    }
    js_number_type type = c->array->type;
    if (status || js_number_is_whole(type)) {
        *out = of;
        return status ? status : places >= 0 ? JS_OK : js_wrong_argument(c->e, c->name, &of);
    }
    if (!js_number_is_float(type) || places > 22 || places < -22) {
        return js_fail(c->e, JS_EUNSUP, "TypeError: such a round() is not known here");
    }
    /* numpy/_core/src/multiarray/calculation.c, PyArray_Round: multiply, rint, divide */
    double power = 1;
    for (__int128 i = places < 0 ? -places : places; i > 0; i--) {
        power *= 10;
    }
    js_operand factor = js_operand_of_number((js_number){.type = JS_FLOAT64, .is_weak = true, .real = power});
    js_operand scaled = of, whole;
    const js_lazy *made;
    status = places ? js_binary(c->e, places < 0 ? JS_DIV : JS_MUL, &of, &factor, &scaled) : JS_OK;
    if (status == JS_OK && scaled.kind != JS_OPERAND_ARRAY) {
        return js_wrong_argument(c->e, c->name, &of);
    }
    status = status ? status : js_lazy_map(c->e, JS_ROUND, type, JS_NOT_A_NUMBER, scaled.array, NULL, &made);
    whole = js_operand_of_array(made);
    *out = whole;
    return status || !places ? status : js_binary(c->e, places < 0 ? JS_MUL : JS_DIV, &whole, &factor, out);
}

static const struct {
    const char *name;
    int (*run)(const js_array_call *call, js_operand *out);
} methods[] = {
    {"item", item},           {"reshape", reshape}, {"ravel", flatten},
    {"flatten", flatten},     {"squeeze", squeeze}, {"transpose", transpose},
    {"diagonal", diagonal},   {"trace", diagonal},  {"tolist", tolist},
    {"copy", same},           {"astype", astype},   {"conj", conjugate},
    {"conjugate", conjugate}, {"clip", clip},       {"cumsum", accumulate},
    {"cumprod", accumulate},  {"nonzero", nonzero}, {"dot", dot},
    {"round", array_round},
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
