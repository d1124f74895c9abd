/* The tables of functions and types of the modules numpy and math: those that only compute. */
#include "expressions/functions/numpy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expressions/core/conversions.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/numbers/loops.h"

static const js_numpy_function numpy[] = {
    {"sqrt", js_np_unary, JS_SQRT, 0},
    {"exp", js_np_unary, JS_EXP, 0},
    {"exp2", js_np_unary, JS_EXP2, 0},
    {"expm1", js_np_unary, JS_EXPM1, 0},
    {"log", js_np_unary, JS_LOG, 0},
    {"log2", js_np_unary, JS_LOG2, 0},
    {"log10", js_np_unary, JS_LOG10, 0},
    {"log1p", js_np_unary, JS_LOG1P, 0},
    {"sin", js_np_unary, JS_SIN, 0},
    {"cos", js_np_unary, JS_COS, 0},
    {"tan", js_np_unary, JS_TAN, 0},
    {"arcsin", js_np_unary, JS_ARCSIN, 0},
    {"arccos", js_np_unary, JS_ARCCOS, 0},
    {"arctan", js_np_unary, JS_ARCTAN, 0},
    {"sinh", js_np_unary, JS_SINH, 0},
    {"cosh", js_np_unary, JS_COSH, 0},
    {"tanh", js_np_unary, JS_TANH, 0},
    {"cbrt", js_np_unary, JS_CBRT, 0},
    {"floor", js_np_unary, JS_FLOOR, 0},
    {"ceil", js_np_unary, JS_CEIL, 0},
    {"trunc", js_np_unary, JS_TRUNC, 0},
    {"rint", js_np_unary, JS_ROUND, 0},
    {"square", js_np_unary, JS_SQUARE, 0},
    {"sign", js_np_unary, JS_SIGN, 0},
    {"abs", js_np_by_operator, JS_ABS, 0},
    {"absolute", js_np_by_operator, JS_ABS, 0},
    {"fabs", js_np_by_operator, JS_ABS, 0},
    {"negative", js_np_by_operator, JS_NEG, 0},
    {"invert", js_np_by_operator, JS_INVERT, 0},
    {"add", js_np_by_operator, JS_ADD, 0},
    {"subtract", js_np_by_operator, JS_SUB, 0},
    {"multiply", js_np_by_operator, JS_MUL, 0},
    {"divide", js_np_by_operator, JS_DIV, 0},
    {"true_divide", js_np_by_operator, JS_DIV, 0},
    {"floor_divide", js_np_by_operator, JS_FLOORDIV, 0},
    {"mod", js_np_by_operator, JS_MOD, 0},
    {"remainder", js_np_by_operator, JS_MOD, 0},
    {"power", js_np_by_operator, JS_POW, 0},
    {"equal", js_np_by_operator, JS_EQ, 0},
    {"not_equal", js_np_by_operator, JS_NE, 0},
    {"less", js_np_by_operator, JS_LT, 0},
    {"less_equal", js_np_by_operator, JS_LE, 0},
    {"greater", js_np_by_operator, JS_GT, 0},
    {"greater_equal", js_np_by_operator, JS_GE, 0},
    {"bitwise_and", js_np_by_operator, JS_AND, 0},
    {"bitwise_or", js_np_by_operator, JS_OR, 0},
    {"bitwise_xor", js_np_by_operator, JS_XOR, 0},
    {"maximum", js_np_binary, JS_MAXIMUM, 0},
    {"minimum", js_np_binary, JS_MINIMUM, 0},
    {"hypot", js_np_binary, JS_HYPOT, 0},
    {"arctan2", js_np_binary, JS_ARCTAN2, 0},
    {"fmod", js_np_binary, JS_FMOD, 0},
    {"copysign", js_np_binary, JS_COPYSIGN, 0},
    {"logical_and", js_np_logical, JS_AND, 0},
    {"logical_or", js_np_logical, JS_OR, 0},
    {"logical_xor", js_np_logical, JS_XOR, 0},
    {"logical_not", js_np_logical, JS_INVERT, 0},
    {"where", js_np_where, 0, 0},
    {"sum", js_np_by_method, 0, 0},
    {"prod", js_np_by_method, 0, 0},
    {"min", js_np_by_method, 0, 0},
    {"max", js_np_by_method, 0, 0},
    {"amin", js_np_by_method, 0, "min"},
    {"amax", js_np_by_method, 0, "max"},
    {"argmin", js_np_by_method, 0, 0},
    {"argmax", js_np_by_method, 0, 0},
    {"any", js_np_by_method, 0, 0},
    {"all", js_np_by_method, 0, 0},
    {"mean", js_np_by_method, 0, 0},
    {"average", js_np_by_method, 0, "mean"},
    {"var", js_np_by_method, 0, 0},
    {"std", js_np_by_method, 0, 0},
    {"cumsum", js_np_by_method, 0, 0},
    {"cumprod", js_np_by_method, 0, 0},
    {"ravel", js_np_by_method, 0, 0},
    {"reshape", js_np_by_method, 0, 0},
    {"squeeze", js_np_by_method, 0, 0},
    {"transpose", js_np_by_method, 0, 0},
    {"diagonal", js_np_by_method, 0, 0},
    {"diag", js_np_by_method, 0, "diagonal"},
    {"trace", js_np_by_method, 0, 0},
    {"copy", js_np_by_method, 0, 0},
    {"clip", js_np_by_method, 0, 0},
    {"nonzero", js_np_by_method, 0, 0},
    {"round", js_np_by_method, 0, 0},
    {"around", js_np_by_method, 0, "round"},
    {"conj", js_np_by_method, 0, 0},
    {"conjugate", js_np_by_method, 0, 0},
    {"dot", js_np_by_method, 0, 0},
    {"matmul", js_np_product, 0, 0},
    {"nansum", js_np_without_nan, 0, "sum"},
    {"nanmean", js_np_without_nan, 0, "mean"},
    {"nanmin", js_np_without_nan, 0, "min"},
    {"nanmax", js_np_without_nan, 0, "max"},
    {"nanstd", js_np_without_nan, 0, "std"},
    {"nanvar", js_np_without_nan, 0, "var"},
    {"nanprod", js_np_without_nan, 0, "prod"},
    {"array", js_np_as_array, 0, 0},
    {"asarray", js_np_as_array, 0, 0},
    {"flatnonzero", js_np_flat_nonzero, 0, 0},
    {"count_nonzero", js_np_count_nonzero, 0, 0},
    {"diff", js_np_difference, 0, 0},
    {"sort", js_np_sort, 0, 0},
    {"unique", js_np_sort, 0, 0},
    {"median", js_np_sort, 0, 0},
    {"arange", js_np_arange, 0, 0},
    {"array_equal", js_np_array_equal, 0, 0},
    {"isclose", js_np_is_close, 0, 0},
    {"allclose", js_np_is_close, 0, 0},
    {"shape", js_np_attribute, 0, 0},
    {"size", js_np_attribute, 0, 0},
    {"ndim", js_np_attribute, 0, 0},
    {"real", js_np_attribute, 0, 0},
    {"imag", js_np_attribute, 0, 0},
    {"bool_", js_np_convert, 0, 0},
    {"int8", js_np_convert, 0, 0},
    {"int16", js_np_convert, 0, 0},
    {"int32", js_np_convert, 0, 0},
    {"int64", js_np_convert, 0, 0},
    {"intp", js_np_convert, 0, 0},
    {"uint8", js_np_convert, 0, 0},
    {"uint16", js_np_convert, 0, 0},
    {"uint32", js_np_convert, 0, 0},
    {"uint64", js_np_convert, 0, 0},
    {"float16", js_np_convert, 0, 0},
    {"float32", js_np_convert, 0, 0},
    {"float64", js_np_convert, 0, 0},
    {"complex64", js_np_convert, 0, 0},
    {"complex128", js_np_convert, 0, 0},
};

/* ---- math ---- */

static int of_floats(js_evaluation *e, const js_numpy_function *f, const js_given *given, js_operand *out)
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
        return js_fail_count(e, f->name, count, count, given->count);
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

static const js_numpy_function math[] = {
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

/* ---- finding functions ---- */

static const js_numpy_function *find(const char *module, const char *name)
{
    bool is_math = strcmp(module, "math") == 0;
    const js_numpy_function *all = is_math ? math : numpy;
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
    const js_numpy_function *f = find(module, name);
    return f->run(e, f, given, out);
}
