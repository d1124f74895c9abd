/* Functions of the modules numpy and math, and numpy's types: those that only compute. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "values/expression/numpy.h"

typedef struct function function;
typedef int (*run_fn)(js_evaluation *e, const function *f, const js_given *given, js_operand *out);
struct function {
    const char *name;
    run_fn run;
    js_operator op;
    const char *other; /* the method, or the function that it is for */
};

/* ---- types ---- */

static const struct {
    const char *name;
    js_number_type type;
} types[] = {
    {"bool", JS_BOOL},
    {"bool_", JS_BOOL},
    {"?", JS_BOOL},
    {"int8", JS_INT8},
    {"i1", JS_INT8},
    {"int16", JS_INT16},
    {"i2", JS_INT16},
    {"int32", JS_INT32},
    {"i4", JS_INT32},
    {"int64", JS_INT64},
    {"i8", JS_INT64},
    {"int", JS_INT64},
    {"int_", JS_INT64},
    {"intp", JS_INT64},
    {"uint8", JS_UINT8},
    {"u1", JS_UINT8},
    {"uint16", JS_UINT16},
    {"u2", JS_UINT16},
    {"uint32", JS_UINT32},
    {"u4", JS_UINT32},
    {"uint64", JS_UINT64},
    {"u8", JS_UINT64},
    {"uintp", JS_UINT64},
    {"float16", JS_FLOAT16},
    {"f2", JS_FLOAT16},
    {"float32", JS_FLOAT32},
    {"f4", JS_FLOAT32},
    {"single", JS_FLOAT32},
    {"float64", JS_FLOAT64},
    {"f8", JS_FLOAT64},
    {"float", JS_FLOAT64},
    {"double", JS_FLOAT64},
    {"complex64", JS_COMPLEX64},
    {"c8", JS_COMPLEX64},
    {"complex", JS_COMPLEX128},
    {"complex128", JS_COMPLEX128},
    {"c16", JS_COMPLEX128},
};

static bool find_type(const char *name, size_t size, js_number_type *out)
{
    if (size && (*name == '<' || *name == '=' || *name == '|')) {
        name++;
        size--;
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strlen(types[i].name) == size && memcmp(types[i].name, name, size) == 0) {
            *out = types[i].type;
            return true;
        }
    }
    return false;
}

int js_dtype_of(js_evaluation *e, const js_operand *operand, js_number_type *out)
{
    char name[24] = "";
    size_t size = 0;
    const js_type *type = operand->kind == JS_OPERAND_VALUE ? operand->value.type : NULL;
    if (operand->kind == JS_OPERAND_FUNCTION) {
        if (find_type(operand->name, strlen(operand->name), out)) {
            return JS_OK;
        }
    } else if (type && type->literal && strncmp(type->literal, "dtype('", 7) == 0) { /* a.dtype */
        const char *at = type->literal + 7;
        if (find_type(at, strcspn(at, "'"), out)) {
            return JS_OK;
        }
    } else if (operand->kind == JS_OPERAND_TEXT && operand->count < sizeof name) {
        for (; size < operand->count && operand->codes[size] < 0x80; size++) {
            name[size] = (char)operand->codes[size];
        }
        if (size == operand->count && find_type(name, size, out)) {
            return JS_OK;
        }
    }
    return js_fail(e, JS_EUNSUP, "TypeError: data type not understood here");
}

static int convert(js_evaluation *e, const function *f, const js_given *given, js_operand *out)
{
    js_number_type type;
    const js_lazy *array, *made;
    if (given->count != 1 || !find_type(f->name, strlen(f->name), &type)) {
        return js_fail(e, JS_EUNSUP, "TypeError: %s() takes 1 argument (%zu given)", f->name, given->count);
    }
    int status = js_lazy_of(e, given->arguments, &array);
    if (status == JS_OK && array->type == JS_NOT_A_NUMBER) {
        return js_wrong_argument(e, f->name, given->arguments);
    }
    status = status ? status : js_lazy_map(e, JS_CAST, type, JS_NOT_A_NUMBER, array, NULL, &made);
    return js_give_array(e, status, made, out);
}

/* ---- elementwise ---- */

static int arrays_of(js_evaluation *e, const function *f, const js_given *given, size_t count,
                     const js_lazy **out)
{
    for (size_t i = 0; i < given->count; i++) {
        if (given->names[i]) {
            return js_fail(e, JS_EUNSUP, "TypeError: the argument %s= is not known here", given->names[i]);
        }
    }
    if (given->count != count) {
        return js_fail(e, JS_EUNSUP, "TypeError: %s() takes %zu argument%s (%zu given)", f->name, count,
                       count == 1 ? "" : "s", given->count);
    }
    for (size_t i = 0; i < count; i++) {
        int status = js_lazy_of(e, &given->arguments[i], &out[i]);
        if (status == JS_OK && out[i]->type == JS_NOT_A_NUMBER) {
            return js_wrong_argument(e, f->name, &given->arguments[i]);
        }
        if (status) {
            return status;
        }
    }
    return JS_OK;
}

/* numpy/_core/code_generators/generate_umath.py: the first float with room for the integers. */
static js_number_type float_of(js_number_type type)
{
    switch (type) {
    case JS_BOOL:
    case JS_INT8:
    case JS_UINT8:
        return JS_FLOAT16;
    case JS_INT16:
    case JS_UINT16:
        return JS_FLOAT32;
    default:
        return js_number_is_whole(type) ? JS_FLOAT64 : type;
    }
}

static int of_one(js_evaluation *e, const function *f, const js_given *given, js_operand *out)
{
    const js_lazy *x, *made;
    int status = arrays_of(e, f, given, 1, &x);
    if (status) {
        return status;
    }
    bool keeps_type = f->op == JS_SQUARE || f->op == JS_SIGN;
    js_number_type type = keeps_type ? x->type : float_of(x->type);
    if (x->type == JS_BOOL && keeps_type) {
        return js_wrong_argument(e, f->name, given->arguments);
    }
    if (js_number_is_whole(x->type) && (f->op == JS_FLOOR || f->op == JS_CEIL || f->op == JS_TRUNC)) {
        return js_give_array(e, JS_OK, x, out);
    }
    if (js_number_is_complex(type)) {
        return js_fail(e, JS_EUNSUP, "TypeError: %s() of complex numbers is not known here", f->name);
    }
    if (type != x->type) {
        status = js_lazy_map(e, JS_CAST, type, JS_NOT_A_NUMBER, x, NULL, &x);
    }
    status = status ? status : js_lazy_map(e, f->op, type, JS_NOT_A_NUMBER, x, NULL, &made);
    return js_give_array(e, status, made, out);
}

static int by_operator(js_evaluation *e, const function *f, const js_given *given, js_operand *out)
{
    js_operand arrays[2];
    size_t count = f->op == JS_ABS || f->op == JS_NEG || f->op == JS_INVERT ? 1 : 2;
    const js_lazy *made[2];
    int status = arrays_of(e, f, given, count, made);
    for (size_t i = 0; i < count && status == JS_OK; i++) {
        bool is_number = given->arguments[i].kind == JS_OPERAND_NUMBER;
        arrays[i] = is_number ? given->arguments[i] : js_operand_of_array(made[i]);
    }
    if (status) {
        return status;
    }
    return count == 1                         ? js_unary(e, f->op, arrays, out)
           : f->op >= JS_LT && f->op <= JS_GT ? js_compare(e, f->op, &arrays[0], &arrays[1], out)
                                              : js_binary(e, f->op, &arrays[0], &arrays[1], out);
}

int js_extreme_of(js_evaluation *e, js_operator op, const js_operand *a, const js_operand *b, js_operand *out)
{
    const js_lazy *x, *y, *made;
    int status = js_lazy_of(e, a, &x);
    status = status ? status : js_lazy_of(e, b, &y);
    if (status == JS_OK && (x->type == JS_NOT_A_NUMBER || y->type == JS_NOT_A_NUMBER)) {
        return js_fail(e, JS_EUNSUP, "TypeError: an order of these is not known here");
    }
    if (status) {
        return status;
    }
    js_number_type type = js_common_type(a, x, b, y);
    if (js_number_is_complex(type)) {
        return js_fail(e, JS_EUNSUP, "TypeError: an order of complex numbers is not known here");
    }
    status = js_lazy_map(e, op, type, type, x, y, &made);
    return js_give_array(e, status, made, out);
}

static int of_two(js_evaluation *e, const function *f, const js_given *given, js_operand *out)
{
    const js_lazy *both[2], *made;
    int status = arrays_of(e, f, given, 2, both);
    if (status) {
        return status;
    }
    const js_operand *a = &given->arguments[0], *b = &given->arguments[1];
    if (f->op == JS_MAXIMUM || f->op == JS_MINIMUM) {
        return js_extreme_of(e, f->op, a, b, out);
    }
    js_number_type type = float_of(js_common_type(a, both[0], b, both[1]));
    if (js_number_is_complex(type)) {
        return js_fail(e, JS_EUNSUP, "TypeError: %s() of complex numbers is not known here", f->name);
    }
    status = js_lazy_map(e, f->op, type, type, both[0], both[1], &made);
    return js_give_array(e, status, made, out);
}

static int truth_of(js_evaluation *e, const js_lazy *array, const js_lazy **out)
{
    const js_lazy *zero;
    js_number none = {.type = array->type};
    int status = js_lazy_number(e, &none, &zero);
    return status ? status : js_lazy_map(e, JS_NE, JS_BOOL, array->type, array, zero, out);
}

static int logical(js_evaluation *e, const function *f, const js_given *given, js_operand *out)
{
    const js_lazy *arrays[2], *made;
    size_t count = f->op == JS_INVERT ? 1 : 2;
    int status = arrays_of(e, f, given, count, arrays);
    for (size_t i = 0; i < count && status == JS_OK; i++) {
        status = truth_of(e, arrays[i], &arrays[i]);
    }
    status = status ? status
                    : js_lazy_map(e, f->op, JS_BOOL, count == 1 ? JS_NOT_A_NUMBER : JS_BOOL, arrays[0],
                                  count == 1 ? NULL : arrays[1], &made);
    return js_give_array(e, status, made, out);
}

static int where(js_evaluation *e, const function *f, const js_given *given, js_operand *out)
{
    const js_lazy *arrays[3], *mask, *made;
    int status = arrays_of(e, f, given, given->count == 1 ? 1 : 3, arrays);
    if (status || given->count == 1) {
        return status ? status : js_nonzero(e, arrays[0], out);
    }
    js_number_type type = js_common_type(&given->arguments[1], arrays[1], &given->arguments[2], arrays[2]);
    status = truth_of(e, arrays[0], &mask);
    status = status ? status : js_lazy_where(e, type, mask, arrays[1], arrays[2], &made);
    return js_give_array(e, status, made, out);
}

/* ---- of whole arrays ---- */

static int by_method(js_evaluation *e, const function *f, const js_given *given, js_operand *out)
{
    const js_lazy *array;
    const js_given rest = {given->arguments + 1, given->count - 1, given->names + 1};
    if (!given->count || given->names[0]) {
        return js_fail(e, JS_EUNSUP, "TypeError: %s() missing an argument", f->name);
    }
    int status = js_lazy_of(e, given->arguments, &array);
    return status ? status : js_array_method(e, f->other ? f->other : f->name, array, &rest, out);
}

/* nansum() and its like, of all elements. */
static int without_nan(js_evaluation *e, const function *f, const js_given *given, js_operand *out)
{
    const js_lazy *array, *mask, *some;
    const js_given none = {0};
    int status = arrays_of(e, f, given, 1, &array);
    status = status ? status : js_lazy_map(e, JS_ISNAN, JS_BOOL, JS_NOT_A_NUMBER, array, NULL, &mask);
    status = status ? status : js_lazy_map(e, JS_INVERT, JS_BOOL, JS_NOT_A_NUMBER, mask, NULL, &mask);
    status = status ? status : js_lazy_masked(e, array, mask, &some);
    return status ? status : js_array_method(e, f->other, some, &none, out);
}

static int as_array(js_evaluation *e, const function *f, const js_given *given, js_operand *out)
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

static int product(js_evaluation *e, const function *f, const js_given *given, js_operand *out)
{
    const js_lazy *both[2];
    int status = arrays_of(e, f, given, 2, both);
    return status ? status : js_matmul(e, &given->arguments[0], &given->arguments[1], out);
}

static int flat_nonzero(js_evaluation *e, const function *f, const js_given *given, js_operand *out)
{
    const js_lazy *array;
    js_operand found;
    int status = arrays_of(e, f, given, 1, &array);
    int64_t count = status ? 0 : (int64_t)array->view.nitems;
    status = status ? status : js_lazy_picked(e, array, NULL, 1, &count, &array);
    status = status ? status : js_nonzero(e, array, &found);
    *out = status ? *out : found.items[0];
    return status;
}

static int count_nonzero(js_evaluation *e, const function *f, const js_given *given, js_operand *out)
{
    const js_lazy *array, *mask;
    int status = arrays_of(e, f, given, 1, &array);
    status = status ? status : truth_of(e, array, &mask);
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

static int difference(js_evaluation *e, const function *f, const js_given *given, js_operand *out)
{
    const js_lazy *array, *parts[2];
    int status = arrays_of(e, f, given, 1, &array);
    if (status == JS_OK && array->view.ndim == 0) {
        return js_fail(e, JS_EBAD, "ValueError: diff requires input that is at least one dimensional");
    }
    for (unsigned i = 0; i < 2 && status == JS_OK; i++) {
        bool is_behind = i == 0;
        status = js_lazy_view(e, array, shorten, &is_behind, &parts[i]);
    }
    if (status) {
        return status;
    }
    js_operand behind = js_operand_of_array(parts[0]), before = js_operand_of_array(parts[1]);
    return array->type == JS_BOOL ? js_compare(e, JS_NE, &behind, &before, out)
                                  : js_binary(e, JS_SUB, &behind, &before, out);
}

static int is_less(const js_number *a, const js_number *b)
{
    bool a_nan = isnan(a->real), b_nan = isnan(b->real);
    return a_nan || b_nan ? !a_nan && b_nan : js_scalar_compare(JS_LT, a, b); /* NaN is last */
}

static int by_size(const void *left, const void *right)
{
    return is_less(left, right) ? -1 : is_less(right, left);
}

/* sort(), unique() and median() of a vector. */
static int sort(js_evaluation *e, const function *f, const js_given *given, js_operand *out)
{
    const js_lazy *array, *kept, *made;
    int status = arrays_of(e, f, given, 1, &array);
    bool is_sort = strcmp(f->name, "sort") == 0, is_unique = strcmp(f->name, "unique") == 0;
    if (status == JS_OK && (js_number_is_complex(array->type) || (is_sort && array->view.ndim != 1))) {
        return js_fail(e, JS_EUNSUP, "TypeError: such a %s() is not known here", f->name);
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

static int arange(js_evaluation *e, const function *f, const js_given *given, js_operand *out)
{
    __int128 parts[3] = {0, 0, 1};
    const js_lazy *none[3], *made;
    int status = given->count && given->count <= 3
                     ? arrays_of(e, f, given, given->count, none)
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

/* ---- are they the same? ---- */

static int array_equal(js_evaluation *e, const function *f, const js_given *given, js_operand *out)
{
    const js_lazy *both[2];
    js_operand same;
    int status = arrays_of(e, f, given, 2, both);
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

/* numpy/_core/numeric.py, isclose: |a - b| <= atol + rtol * |b|, with the same infinities. */
static int is_close(js_evaluation *e, const function *f, const js_given *given, js_operand *out)
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

static int about(js_evaluation *e, const function *f, const js_given *given, js_operand *out)
{
    const js_lazy *array;
    js_operand of;
    int status = arrays_of(e, f, given, 1, &array);
    of = js_operand_of_array(array);
    return status ? status : js_attribute(e, &of, f->name, out);
}

static const function numpy[] = {
    {"sqrt", of_one, JS_SQRT, 0},
    {"exp", of_one, JS_EXP, 0},
    {"exp2", of_one, JS_EXP2, 0},
    {"expm1", of_one, JS_EXPM1, 0},
    {"log", of_one, JS_LOG, 0},
    {"log2", of_one, JS_LOG2, 0},
    {"log10", of_one, JS_LOG10, 0},
    {"log1p", of_one, JS_LOG1P, 0},
    {"sin", of_one, JS_SIN, 0},
    {"cos", of_one, JS_COS, 0},
    {"tan", of_one, JS_TAN, 0},
    {"arcsin", of_one, JS_ARCSIN, 0},
    {"arccos", of_one, JS_ARCCOS, 0},
    {"arctan", of_one, JS_ARCTAN, 0},
    {"sinh", of_one, JS_SINH, 0},
    {"cosh", of_one, JS_COSH, 0},
    {"tanh", of_one, JS_TANH, 0},
    {"cbrt", of_one, JS_CBRT, 0},
    {"floor", of_one, JS_FLOOR, 0},
    {"ceil", of_one, JS_CEIL, 0},
    {"trunc", of_one, JS_TRUNC, 0},
    {"rint", of_one, JS_ROUND, 0},
    {"square", of_one, JS_SQUARE, 0},
    {"sign", of_one, JS_SIGN, 0},
    {"abs", by_operator, JS_ABS, 0},
    {"absolute", by_operator, JS_ABS, 0},
    {"fabs", by_operator, JS_ABS, 0},
    {"negative", by_operator, JS_NEG, 0},
    {"invert", by_operator, JS_INVERT, 0},
    {"add", by_operator, JS_ADD, 0},
    {"subtract", by_operator, JS_SUB, 0},
    {"multiply", by_operator, JS_MUL, 0},
    {"divide", by_operator, JS_DIV, 0},
    {"true_divide", by_operator, JS_DIV, 0},
    {"floor_divide", by_operator, JS_FLOORDIV, 0},
    {"mod", by_operator, JS_MOD, 0},
    {"remainder", by_operator, JS_MOD, 0},
    {"power", by_operator, JS_POW, 0},
    {"equal", by_operator, JS_EQ, 0},
    {"not_equal", by_operator, JS_NE, 0},
    {"less", by_operator, JS_LT, 0},
    {"less_equal", by_operator, JS_LE, 0},
    {"greater", by_operator, JS_GT, 0},
    {"greater_equal", by_operator, JS_GE, 0},
    {"bitwise_and", by_operator, JS_AND, 0},
    {"bitwise_or", by_operator, JS_OR, 0},
    {"bitwise_xor", by_operator, JS_XOR, 0},
    {"maximum", of_two, JS_MAXIMUM, 0},
    {"minimum", of_two, JS_MINIMUM, 0},
    {"hypot", of_two, JS_HYPOT, 0},
    {"arctan2", of_two, JS_ARCTAN2, 0},
    {"fmod", of_two, JS_FMOD, 0},
    {"copysign", of_two, JS_COPYSIGN, 0},
    {"logical_and", logical, JS_AND, 0},
    {"logical_or", logical, JS_OR, 0},
    {"logical_xor", logical, JS_XOR, 0},
    {"logical_not", logical, JS_INVERT, 0},
    {"where", where, 0, 0},
    {"sum", by_method, 0, 0},
    {"prod", by_method, 0, 0},
    {"min", by_method, 0, 0},
    {"max", by_method, 0, 0},
    {"amin", by_method, 0, "min"},
    {"amax", by_method, 0, "max"},
    {"argmin", by_method, 0, 0},
    {"argmax", by_method, 0, 0},
    {"any", by_method, 0, 0},
    {"all", by_method, 0, 0},
    {"mean", by_method, 0, 0},
    {"average", by_method, 0, "mean"},
    {"var", by_method, 0, 0},
    {"std", by_method, 0, 0},
    {"cumsum", by_method, 0, 0},
    {"cumprod", by_method, 0, 0},
    {"ravel", by_method, 0, 0},
    {"reshape", by_method, 0, 0},
    {"squeeze", by_method, 0, 0},
    {"transpose", by_method, 0, 0},
    {"diagonal", by_method, 0, 0},
    {"diag", by_method, 0, "diagonal"},
    {"trace", by_method, 0, 0},
    {"copy", by_method, 0, 0},
    {"clip", by_method, 0, 0},
    {"nonzero", by_method, 0, 0},
    {"round", by_method, 0, 0},
    {"around", by_method, 0, "round"},
    {"conj", by_method, 0, 0},
    {"conjugate", by_method, 0, 0},
    {"dot", by_method, 0, 0},
    {"matmul", product, 0, 0},
    {"nansum", without_nan, 0, "sum"},
    {"nanmean", without_nan, 0, "mean"},
    {"nanmin", without_nan, 0, "min"},
    {"nanmax", without_nan, 0, "max"},
    {"nanstd", without_nan, 0, "std"},
    {"nanvar", without_nan, 0, "var"},
    {"nanprod", without_nan, 0, "prod"},
    {"array", as_array, 0, 0},
    {"asarray", as_array, 0, 0},
    {"flatnonzero", flat_nonzero, 0, 0},
    {"count_nonzero", count_nonzero, 0, 0},
    {"diff", difference, 0, 0},
    {"sort", sort, 0, 0},
    {"unique", sort, 0, 0},
    {"median", sort, 0, 0},
    {"arange", arange, 0, 0},
    {"array_equal", array_equal, 0, 0},
    {"isclose", is_close, 0, 0},
    {"allclose", is_close, 0, 0},
    {"shape", about, 0, 0},
    {"size", about, 0, 0},
    {"ndim", about, 0, 0},
    {"real", about, 0, 0},
    {"imag", about, 0, 0},
    {"bool_", convert, 0, 0},
    {"int8", convert, 0, 0},
    {"int16", convert, 0, 0},
    {"int32", convert, 0, 0},
    {"int64", convert, 0, 0},
    {"intp", convert, 0, 0},
    {"uint8", convert, 0, 0},
    {"uint16", convert, 0, 0},
    {"uint32", convert, 0, 0},
    {"uint64", convert, 0, 0},
    {"float16", convert, 0, 0},
    {"float32", convert, 0, 0},
    {"float64", convert, 0, 0},
    {"complex64", convert, 0, 0},
    {"complex128", convert, 0, 0},
};

/* ---- math ---- */

static int of_floats(js_evaluation *e, const function *f, const js_given *given, js_operand *out)
{
    size_t count = f->op >= JS_HYPOT ? 2 : 1;
    double x[2] = {0}, made;
    for (size_t i = 0; i < given->count && i < count; i++) {
        js_number number;
        if (!js_operand_number(&given->arguments[i], &number) || js_number_is_complex(number.type)) {
            return js_fail(e, JS_EUNSUP, "TypeError: must be real number, not %s",
                           js_operand_type(&given->arguments[i]));
        }
        x[i] = js_number_real(&number);
    }
    if (given->count != count) {
        return js_fail(e, JS_EUNSUP, "TypeError: %s() takes exactly %zu argument%s (%zu given)", f->name,
                       count, count == 1 ? "" : "s", given->count);
    }
    js_loop_mathematics(f->op, 1, &x[0], count == 2 ? &x[1] : NULL, &made, false);
    if (isnan(made) && !isnan(x[0]) && !isnan(x[1])) {
        return js_fail(e, JS_EBAD, "ValueError: math domain error");
    }
    if (isinf(made) && !isinf(x[0]) && !isinf(x[1])) {
        bool is_log = f->op >= JS_LOG && f->op <= JS_LOG1P;
        return is_log ? js_fail(e, JS_EBAD, "ValueError: math domain error")
                      : js_fail(e, JS_ELIMIT, "OverflowError: math range error");
    }
    js_operand number = js_operand_of_number((js_number){.type = JS_FLOAT64, .is_weak = true, .real = made});
    bool is_whole = f->op == JS_FLOOR || f->op == JS_CEIL || f->op == JS_TRUNC;
    if (is_whole && js_number_is_whole(given->arguments->number.type)) {
        *out = js_operand_of_int(given->arguments->number.integer);
        return JS_OK;
    }
    *out = number;
    return is_whole ? js_call_convert(e, "int", &number, 1, out) : JS_OK;
}

static const function math[] = {
    {"sqrt", of_floats, JS_SQRT, 0},         {"exp", of_floats, JS_EXP, 0},
    {"expm1", of_floats, JS_EXPM1, 0},       {"log", of_floats, JS_LOG, 0},
    {"log2", of_floats, JS_LOG2, 0},         {"log10", of_floats, JS_LOG10, 0},
    {"log1p", of_floats, JS_LOG1P, 0},       {"sin", of_floats, JS_SIN, 0},
    {"cos", of_floats, JS_COS, 0},           {"tan", of_floats, JS_TAN, 0},
    {"asin", of_floats, JS_ARCSIN, 0},       {"acos", of_floats, JS_ARCCOS, 0},
    {"atan", of_floats, JS_ARCTAN, 0},       {"sinh", of_floats, JS_SINH, 0},
    {"cosh", of_floats, JS_COSH, 0},         {"tanh", of_floats, JS_TANH, 0},
    {"floor", of_floats, JS_FLOOR, 0},       {"ceil", of_floats, JS_CEIL, 0},
    {"trunc", of_floats, JS_TRUNC, 0},       {"hypot", of_floats, JS_HYPOT, 0},
    {"atan2", of_floats, JS_ARCTAN2, 0},     {"fmod", of_floats, JS_FMOD, 0},
    {"copysign", of_floats, JS_COPYSIGN, 0},
};

/* ---- finding them ---- */

static const function *find(const char *module, const char *name)
{
    bool is_math = strcmp(module, "math") == 0;
    const function *all = is_math ? math : numpy;
    size_t count = is_math ? sizeof math / sizeof math[0] : sizeof numpy / sizeof numpy[0];
    for (size_t i = 0; i < count; i++) {
        if (strcmp(all[i].name, name) == 0) {
            return &all[i];
        }
    }
    return NULL;
}

bool js_module_has(const char *module, const char *name)
{
    return find(module, name);
}

bool js_module_constant(const char *module, const char *name, js_operand *out)
{
    static const struct {
        const char *name;
        double value;
    } constants[] = {{"pi", 3.141592653589793}, {"e", 2.718281828459045}, {"inf", INFINITY}, {"nan", NAN}};
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
        if (strcmp(constants[i].name, name) == 0) {
            *out = js_operand_of_number(
                (js_number){.type = JS_FLOAT64, .is_weak = true, .real = constants[i].value});
            return true;
        }
    }
    *out = (js_operand){.kind = JS_OPERAND_NONE};
    return strcmp(name, "newaxis") == 0 && strcmp(module, "math") != 0;
}

int js_module_call(js_evaluation *e, const char *module, const char *name, const js_given *given,
                   js_operand *out)
{
    const function *f = find(module, name);
    return f->run(e, f, given, out);
}
