/* Computes NumPy's functions that work on whole arrays. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expressions/core/arithmetic.h"
#include "expressions/core/common_type.h"
#include "expressions/core/compare.h"
#include "expressions/core/dtypes.h"
#include "expressions/core/matmul.h"
#include "expressions/core/nested.h"
#include "expressions/core/operators.h"
#include "expressions/core/reduce.h"
#include "expressions/core/take.h"
#include "expressions/core/truths.h"
#include "expressions/functions/attributes.h"
#include "expressions/functions/methods.h"
#include "expressions/functions/numpy.h"
#include "expressions/functions/ufuncs.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/operands/arguments.h"

int js_np_by_method(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out)
{
    const js_lazy *array;
    const js_given rest = {given->arguments + 1, given->count - 1, given->names + 1};
    if (!given->count || given->names[0]) {
        return js_fail(e, JS_EUNSUP, "TypeError: %s() missing an argument", f->name);
    }
    int status = js_lazy_of(e, given->arguments, &array);
    return status ? status : js_array_method(e, f->other ? f->other : f->name, array, &rest, out);
}

/* Compute nansum() and similar functions, of all elements. */
int js_np_without_nan(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out)
{
    const js_lazy *array, *mask, *some;
    const js_given none = {0};
    int status = js_arrays_of(e, f, given, 1, &array);
    status = status ? status : js_lazy_map(e, JS_ISNAN, JS_BOOL, JS_NOT_A_NUMBER, array, NULL, &mask);
    status = status ? status : js_lazy_map(e, JS_INVERT, JS_BOOL, JS_NOT_A_NUMBER, mask, NULL, &mask);
    status = status ? status : js_lazy_masked(e, array, mask, &some);
    return status ? status : js_array_method(e, f->other, some, &none, out);
}

int js_np_as_array(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out)
{
    static const char *const parameters[] = {"object", "dtype", NULL};
    const js_operand *of[2];
    const js_lazy *array;
    js_number_type type;
    int status = js_bind(e, f->name, parameters, given, of);
    if (status == JS_OK && !of[0]) {
        return js_fail(e, JS_EUNSUP, "TypeError: %s() missing an argument", f->name);
    }
    status = status ? status : js_lazy_of(e, of[0], &array);
    if (status == JS_OK && of[1] && of[1]->kind != JS_OPERAND_NONE) {
        status = js_dtype_of(e, of[1], &type);
        status = status ? status : js_lazy_map(e, JS_CAST, type, JS_NOT_A_NUMBER, array, NULL, &array);
    }
    *out = js_operand_of_array(array);
    return status;
}

int js_np_product(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out)
{
    const js_lazy *both[2];
    int status = js_arrays_of(e, f, given, 2, both);
    return status ? status : js_matmul(e, &given->arguments[0], &given->arguments[1], out);
}

int js_np_flat_nonzero(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out)
{
    const js_lazy *array;
    js_operand found;
    int status = js_arrays_of(e, f, given, 1, &array);
    int64_t count = status ? 0 : (int64_t)array->view.nitems;
    status = status ? status : js_lazy_picked(e, array, NULL, 1, &count, &array);
    status = status ? status : js_nonzero(e, array, &found);
    *out = status ? *out : found.items[0];
    return status;
}

int js_np_count_nonzero(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out)
{
    const js_lazy *array, *mask;
    int status = js_arrays_of(e, f, given, 1, &array);
    status = status ? status : js_truths_of(e, array, &mask);
    *out = js_operand_of_int(0);
    js_number total = {0};
    status = status ? status : js_reduce(e, JS_REDUCE_SUM, mask, &total);
    out->number.integer = total.integer;
    return status;
}

static int shorten(js_evaluation *e, js_array_view *view, void *context)
{
    (void)e;
    unsigned last = view->ndim - 1;
    if (view->shape[last] > 0) {
        view->shape[last]--;
        view->data += *(const bool *)context ? (uint64_t)view->strides[last] : 0;
    }
    return JS_OK;
}

int js_np_difference(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out)
{
    const js_lazy *array, *parts[2];
    int status = js_arrays_of(e, f, given, 1, &array);
    if (status == JS_OK && array->view.ndim == 0) {
        return js_fail(e, JS_EBAD, "ValueError: diff requires input that is at least one dimensional");
    }
    for (unsigned i = 0; i < 2 && status == JS_OK; i++) {
        bool is_after = i == 0;
        status = js_lazy_view(e, array, shorten, &is_after, &parts[i]);
    }
    if (status) {
        return status;
    }
    js_operand after = js_operand_of_array(parts[0]), before = js_operand_of_array(parts[1]);
    return array->type == JS_BOOL ? js_compare(e, JS_NE, &after, &before, out)
                                  : js_binary(e, JS_SUB, &after, &before, out);
}

static int is_less(const js_number *a, const js_number *b)
{
    bool a_nan = isnan(a->real), b_nan = isnan(b->real);
    return a_nan || b_nan ? !a_nan && b_nan : js_scalar_compare(JS_LT, a, b); /* NaNs are last */
}

static int by_size(const void *left, const void *right)
{
    return is_less(left, right) ? -1 : is_less(right, left);
}

/* Compute sort(), unique() or median() of a vector. */
int js_np_sort(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out)
{
    const js_lazy *array, *kept, *made;
    int status = js_arrays_of(e, f, given, 1, &array);
    bool is_sort = strcmp(f->name, "sort") == 0, is_unique = strcmp(f->name, "unique") == 0;
    if (status == JS_OK && js_number_is_complex(array->type)) {
        return js_fail(e, JS_EUNSUP, "TypeError: %s() of %s is not known here", f->name, array->dtype->name);
    }
    if (status == JS_OK && is_sort && array->view.ndim != 1) {
        return js_fail(e, JS_EUNSUP, "TypeError: %s() of a %u-dimensional array is not known here", f->name,
                       array->view.ndim);
    }
    status = status ? status : js_lazy_kept(e, array, &kept);
    uint64_t count = status ? 0 : kept->view.nitems, size = status ? 0 : kept->view.itemsize, left = 0;
    js_number *numbers = malloc((count + 1) * sizeof *numbers);
    if (status == JS_OK && !numbers) {
        status = js_no_memory(e);
    }
    for (uint64_t i = 0; i < count && status == JS_OK; i++) {
        js_number_load(&numbers[i], kept->type, kept->local + i * size);
    }
    if (status == JS_OK) {
        qsort(numbers, count, sizeof *numbers, by_size);
    }
    for (uint64_t i = 0; i < count && status == JS_OK; i++) {
        if (!is_unique || !left || by_size(&numbers[left - 1], &numbers[i])) {
            numbers[left++] = numbers[i];
        }
    }
    if (status == JS_OK && !is_sort && !is_unique) {
        js_number middle = {.type = JS_FLOAT64, .real = NAN};
        if (count && !isnan(numbers[count - 1].real)) {
            double low = js_number_real(&numbers[(count - 1) / 2]),
                   high = js_number_real(&numbers[count / 2]);
            middle.real = low == high ? low : (low + high) / 2;
        }
        middle.type = js_number_is_float(kept->type) ? kept->type : JS_FLOAT64;
        js_number_cast(&middle, middle.type);
        *out = js_operand_of_number(middle);
    } else if (status == JS_OK) {
        uint8_t *contents = js_arena_alloc(&e->arena, left * size + 1);
        for (uint64_t i = 0; i < left && contents; i++) {
            js_number_store(&numbers[i], contents + i * size);
        }
        status = contents ? js_lazy_local(e, kept->type, contents, left, &made) : js_no_memory(e);
        *out = js_operand_of_array(made);
    }
    free(numbers);
    return status;
}

int js_np_arange(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out)
{
    __int128 parts[3] = {0, 0, 1};
    const js_lazy *none[3], *made;
    int status = given->count && given->count <= 3
                     ? js_arrays_of(e, f, given, given->count, none)
                     : js_fail(e, JS_EUNSUP, "TypeError: arange() takes 1 to 3 arguments");
    for (size_t i = 0; i < given->count && status == JS_OK; i++) {
        if (!js_operand_index(&given->arguments[i], &parts[given->count == 1 ? 1 : i])) {
            return js_wrong_argument(e, f->name, &given->arguments[i]);
        }
    }
    if (status) {
        return status;
    }
    __int128 step = parts[2], count = step ? (parts[1] - parts[0] + step - (step > 0 ? 1 : -1)) / step : -1;
    if (step == 0) {
        return js_fail(e, JS_EBAD, "ZeroDivisionError: division by zero");
    }
    count = count < 0 ? 0 : count;
    int64_t *contents = count > JS_EXPRESSION_ELEMENTS
                            ? NULL
                            : js_arena_alloc(&e->arena, ((uint64_t)count + 1) * sizeof *contents);
    if (!contents) {
        return js_no_memory(e);
    }
    for (int64_t i = 0; i < (int64_t)count; i++) {
        contents[i] = (int64_t)(parts[0] + i * step);
    }
    status = js_lazy_local(e, JS_INT64, contents, (uint64_t)count, &made);
    *out = js_operand_of_array(made);
    return status;
}

int js_np_array_equal(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out)
{
    const js_lazy *both[2];
    js_operand same;
    int status = js_arrays_of(e, f, given, 2, both);
    *out = js_operand_of_bool(false);
    if (status || both[0]->view.ndim != both[1]->view.ndim ||
        memcmp(both[0]->view.shape, both[1]->view.shape, both[0]->view.ndim * sizeof(int64_t)) != 0) {
        return status;
    }
    js_operand a = js_operand_of_array(both[0]), b = js_operand_of_array(both[1]);
    status = js_compare(e, JS_EQ, &a, &b, &same);
    if (status || same.kind != JS_OPERAND_ARRAY) {
        *out = same;
        return status;
    }
    return js_reduce(e, JS_REDUCE_ALL, same.array, &out->number);
}

/* Compute isclose(): |a - b| <= atol + rtol * |b|, where equal infinities are close (numpy/_core/numeric.py).
 */
int js_np_is_close(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out)
{
    static const char *const parameters[] = {"a", "b", "rtol", "atol", NULL};
    const js_operand *of[4];
    const js_lazy *both[2];
    js_operand tolerances[2] = {
        js_operand_of_number((js_number){.type = JS_FLOAT64, .is_weak = true, .real = 1e-5}),
        js_operand_of_number((js_number){.type = JS_FLOAT64, .is_weak = true, .real = 1e-8})};
    int status = js_bind(e, f->name, parameters, given, of);
    if (status == JS_OK && (!of[0] || !of[1])) {
        return js_fail(e, JS_EUNSUP, "TypeError: %s() missing an argument", f->name);
    }
    for (unsigned i = 0; i < 2 && status == JS_OK; i++) {
        status = js_lazy_of(e, of[i], &both[i]);
        if (status == JS_OK && (both[i]->type == JS_NOT_A_NUMBER || js_number_is_complex(both[i]->type))) {
            return js_wrong_argument(e, f->name, of[i]);
        }
        tolerances[i] = of[2 + i] ? *of[2 + i] : tolerances[i];
        if (status == JS_OK && js_number_is_whole(both[i]->type)) {
            status = js_lazy_map(e, JS_CAST, JS_FLOAT64, JS_NOT_A_NUMBER, both[i], NULL, &both[i]);
        }
    }
    js_operand a = js_operand_of_array(both[0]), b = js_operand_of_array(both[1]), apart, size, limit, near;
    js_operand same, finite;
    status = status ? status : js_binary(e, JS_SUB, &a, &b, &apart);
    status = status ? status : js_unary(e, JS_ABS, &apart, &size);
    status = status ? status : js_unary(e, JS_ABS, &b, &limit);
    js_operand scaled, allowed;
    status = status ? status : js_binary(e, JS_MUL, &tolerances[0], &limit, &scaled);
    status = status ? status : js_binary(e, JS_ADD, &tolerances[1], &scaled, &allowed);
    status = status ? status : js_compare(e, JS_LE, &size, &allowed, &near);
    const js_lazy *lazies[3], *made;
    if (status) {
        return status;
    }
    /* finite(b) & near | a == b */
    status = js_lazy_map(e, JS_ISFINITE, JS_BOOL, JS_NOT_A_NUMBER, both[1], NULL, &lazies[0]);
    finite = js_operand_of_array(lazies[0]);
    status = status ? status : js_lazy_of(e, &near, &lazies[1]);
    status = status ? status : js_lazy_map(e, JS_AND, JS_BOOL, JS_BOOL, finite.array, lazies[1], &lazies[1]);
    status = status ? status : js_compare(e, JS_EQ, &a, &b, &same);
    status = status ? status : js_lazy_of(e, &same, &lazies[2]);
    status = status ? status : js_lazy_map(e, JS_OR, JS_BOOL, JS_BOOL, lazies[1], lazies[2], &made);
    if (status == JS_OK && strcmp(f->name, "allclose") == 0) {
        *out = (js_operand){.kind = JS_OPERAND_NUMBER};
        return js_reduce(e, JS_REDUCE_ALL, made, &out->number);
    }
    return js_give_array(e, status, made, out);
}

int js_np_attribute(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out)
{
    const js_lazy *array;
    js_operand of;
    int status = js_arrays_of(e, f, given, 1, &array);
    of = js_operand_of_array(array);
    return status ? status : js_attribute(e, &of, f->name, out);
}
