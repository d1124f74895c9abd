/* Computes NumPy's functions that work on each element. */
#include "expressions/functions/ufuncs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expressions/core/common_type.h"
#include "expressions/core/compare.h"
#include "expressions/core/nested.h"
#include "expressions/core/operators.h"
#include "expressions/core/take.h"
#include "expressions/core/truths.h"
#include "expressions/functions/numpy.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/operands/arguments.h"

int js_arrays_of(js_evaluation *e, const js_numpy_function *f, const js_given *given, size_t count,
                 const js_lazy **out)
{
    for (size_t i = 0; i < given->count; i++) {
        if (given->names[i]) {
            return js_fail(e, JS_EUNSUP, "TypeError: the argument %s= of %s() is not known here",
                           given->names[i], f->name);
        }
    }
    if (given->count != count) {
        return js_fail_count(e, f->name, count, count, given->count);
    }
    for (size_t i = 0; i < count; i++) {
        const js_operand *argument = &given->arguments[i];
        bool is_whole = argument->kind == JS_OPERAND_NUMBER && js_number_is_whole(argument->number.type);
        if (is_whole && !js_number_fits(argument->number.integer, argument->number.type)) {
            return js_fail(e, JS_ELIMIT,
                           "OverflowError: %s() of an integer of more than 64 bits is not known here",
                           f->name);
        }
        int status = js_lazy_of(e, argument, &out[i]);
        if (status == JS_OK && out[i]->type == JS_NOT_A_NUMBER) {
            return js_wrong_argument(e, f->name, &given->arguments[i]);
        }
        if (status) {
            return status;
        }
    }
    return JS_OK;
}

/* Return the first float type with room for the integers of a type
 * (numpy/_core/code_generators/generate_umath.py). */
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

int js_np_unary(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out)
{
    const js_lazy *x, *made;
    int status = js_arrays_of(e, f, given, 1, &x);
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

int js_np_by_operator(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out)
{
    js_operand arrays[2];
    size_t count = f->op == JS_ABS || f->op == JS_NEG || f->op == JS_INVERT ? 1 : 2;
    const js_lazy *made[2];
    int status = js_arrays_of(e, f, given, count, made);
    bool has_typed = false;
    for (size_t i = 0; i < count && status == JS_OK; i++) {
        const js_operand *argument = &given->arguments[i];
        bool is_literal = argument->kind == JS_OPERAND_NUMBER && argument->number.is_weak;
        arrays[i] = is_literal ? *argument : js_operand_of_array(made[i]);
        has_typed |= !is_literal;
    }
    if (status) {
        return status;
    }
    arrays[0] = has_typed ? arrays[0] : js_operand_of_array(made[0]); /* a number of NumPy, not of Python */
    if (count == 1) {
        return js_unary(e, f->op, arrays, out);
    }
    return f->op >= JS_LT && f->op <= JS_GT ? js_compare(e, f->op, &arrays[0], &arrays[1], out)
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
    status = js_check_literal(e, a, type);
    status = status ? status : js_check_literal(e, b, type);
    if (status) {
        return status;
    }
    if (js_number_is_complex(type)) {
        return js_fail(e, JS_EUNSUP, "TypeError: an order of complex numbers is not known here");
    }
    status = js_lazy_map(e, op, type, type, x, y, &made);
    return js_give_array(e, status, made, out);
}

int js_np_binary(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out)
{
    const js_lazy *both[2], *made;
    int status = js_arrays_of(e, f, given, 2, both);
    if (status) {
        return status;
    }
    const js_operand *a = &given->arguments[0], *b = &given->arguments[1];
    if (f->op == JS_MAXIMUM || f->op == JS_MINIMUM) {
        return js_extreme_of(e, f->op, a, b, out);
    }
    js_number_type common = js_common_type(a, both[0], b, both[1]), type = float_of(common);
    if (js_number_is_complex(type) || (f->op == JS_FMOD && js_number_is_whole(common))) {
        return js_fail(e, JS_EUNSUP, "TypeError: %s() of %s numbers is not known here", f->name,
                       js_number_name(common));
    }
    status = js_lazy_map(e, f->op, type, type, both[0], both[1], &made);
    return js_give_array(e, status, made, out);
}

int js_np_logical(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out)
{
    const js_lazy *arrays[2], *made;
    size_t count = f->op == JS_INVERT ? 1 : 2;
    int status = js_arrays_of(e, f, given, count, arrays);
    for (size_t i = 0; i < count && status == JS_OK; i++) {
        status = js_truths_of(e, arrays[i], &arrays[i]);
    }
    status = status ? status
                    : js_lazy_map(e, f->op, JS_BOOL, count == 1 ? JS_NOT_A_NUMBER : JS_BOOL, arrays[0],
                                  count == 1 ? NULL : arrays[1], &made);
    return js_give_array(e, status, made, out);
}

int js_np_where(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out)
{
    const js_lazy *arrays[3], *mask, *made;
    int status = js_arrays_of(e, f, given, given->count == 1 ? 1 : 3, arrays);
    if (status || given->count == 1) {
        return status ? status : js_nonzero(e, arrays[0], out);
    }
    js_number_type type = js_common_type(&given->arguments[1], arrays[1], &given->arguments[2], arrays[2]);
    status = js_check_literal(e, &given->arguments[1], type);
    status = status ? status : js_check_literal(e, &given->arguments[2], type);
    status = status ? status : js_truths_of(e, arrays[0], &mask);
    status = status ? status : js_lazy_where(e, type, mask, arrays[1], arrays[2], &made);
    if (status == JS_OK) {
        *out = js_operand_of_array(made); /* an array without axes stays an array */
    }
    return status;
}
