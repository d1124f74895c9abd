/* Computes methods of arrays that give their elements, or new ones computed from each element or from those
 * before it. */
#include "expressions/functions/elements.h"

#include <string.h>

#include "expressions/core/array_list.h"
#include "expressions/core/common_type.h"
#include "expressions/core/dtypes.h"
#include "expressions/core/matmul.h"
#include "expressions/core/operators.h"
#include "expressions/core/subscripts.h"
#include "expressions/core/sums.h"
#include "expressions/core/take.h"
#include "expressions/functions/shapes.h"
#include "expressions/functions/ufuncs.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/numbers/loops.h"
#include "expressions/operands/arguments.h"

int js_method_item(const js_array_call *c, js_operand *out)
{
    int64_t index[32];
    unsigned count = 0;
    int status = js_integers_of(c, index, &count);
    if (status) {
        return status;
    }
    if (count) {
        js_operand of = js_operand_of_array(c->array), flat;
        if (count == 1) { /* an index into all elements, in C order */
            status = js_method_flatten(c, &flat);
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

int js_method_tolist(const js_array_call *c, js_operand *out)
{
    return js_array_list(c->e, c->array, out);
}

int js_method_copy(const js_array_call *c, js_operand *out)
{
    *out = js_operand_of_array(c->array);
    return JS_OK;
}

int js_method_astype(const js_array_call *c, js_operand *out)
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

int js_method_conjugate(const js_array_call *c, js_operand *out)
{
    const js_lazy *made = c->array;
    int status = js_number_is_complex(made->type)
                     ? js_lazy_map(c->e, JS_CONJ, made->type, JS_NOT_A_NUMBER, c->array, NULL, &made)
                     : JS_OK;
    return js_give_array(c->e, status, made, out);
}

int js_method_clip(const js_array_call *c, js_operand *out)
{
    static const char *const parameters[] = {"min", "max", NULL};
    const js_operand *given[2];
    int status = js_bind(c->e, c->name, parameters, c->given, given);
    *out = js_operand_of_array(c->array);
    for (unsigned i = 0; i < 2 && status == JS_OK; i++) {
        js_operand made;
        if (js_has_argument(given[i])) {
            status = js_extreme_of(c->e, i ? JS_MINIMUM : JS_MAXIMUM, out, given[i], &made);
            *out = made;
        }
    }
    return status;
}

/* Compute running sums or products, of the flattened array or along one axis. */
int js_method_accumulate(const js_array_call *c, js_operand *out)
{
    static const char *const parameters[] = {"axis", NULL};
    const js_operand *given[1] = {NULL};
    const js_lazy *flat = c->array, *kept, *made;
    unsigned axis = 0, axes[32], back[32];
    js_operand flattened;
    int status = js_bind(c->e, c->name, parameters, c->given, given);
    if (status == JS_OK && flat->type == JS_NOT_A_NUMBER) {
        return js_fail(c->e, JS_EUNSUP, "TypeError: %s() of %s is not known here", c->name,
                       flat->dtype->name);
    }
    bool is_flattened = !js_has_argument(given[0]) || flat->view.ndim == 0;
    if (status == JS_OK && js_has_argument(given[0])) {
        status = js_axis_of(c->e, given[0], is_flattened ? 1 : flat->view.ndim, &axis);
    }
    if (status == JS_OK && is_flattened) {
        status = js_method_flatten(c, &flattened);
        flat = flattened.array;
    }
    if (status) {
        return status;
    }
    unsigned ndim = flat->view.ndim;
    for (unsigned i = 0; i < ndim; i++) { /* move that axis to the end */
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

int js_method_nonzero(const js_array_call *c, js_operand *out)
{
    return js_nonzero(c->e, c->array, out);
}

int js_method_dot(const js_array_call *c, js_operand *out)
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

int js_method_array_round(const js_array_call *c, js_operand *out)
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
