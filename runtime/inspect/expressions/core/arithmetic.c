/* Python's arithmetic of scalars. Integers are exact: a result that does not fit in its type is an int of
 * Python. */
#include "expressions/core/arithmetic.h"

#include <float.h>
#include <math.h>

#include "expressions/lazy/evaluation.h"
#include "expressions/operands/operand.h"

static const struct {
    const char *sign, *ufunc;
} operators[JS_OPERATORS] = {
    [JS_ADD] = {"+", "add"},
    [JS_SUB] = {"-", "subtract"},
    [JS_MUL] = {"*", "multiply"},
    [JS_DIV] = {"/", "divide"},
    [JS_FLOORDIV] = {"//", "floor_divide"},
    [JS_MOD] = {"%", "remainder"},
    [JS_POW] = {"** or pow()", "power"},
    [JS_MATMUL] = {"@", "matmul"},
    [JS_LSHIFT] = {"<<", "left_shift"},
    [JS_RSHIFT] = {">>", "right_shift"},
    [JS_AND] = {"&", "bitwise_and"},
    [JS_OR] = {"|", "bitwise_or"},
    [JS_XOR] = {"^", "bitwise_xor"},
    [JS_LT] = {"<", "less"},
    [JS_LE] = {"<=", "less_equal"},
    [JS_EQ] = {"==", "equal"},
    [JS_NE] = {"!=", "not_equal"},
    [JS_GE] = {">=", "greater_equal"},
    [JS_GT] = {">", "greater"},
    [JS_NEG] = {"-", "negative"},
    [JS_POS] = {"+", "positive"},
    [JS_INVERT] = {"~", "invert"},
    [JS_ABS] = {"abs()", "absolute"},
    [JS_ISNAN] = {"isnan", "isnan"},
    [JS_ISINF] = {"isinf", "isinf"},
    [JS_ISFINITE] = {"isfinite", "isfinite"},
};

const char *js_operator_sign(js_operator op)
{
    return operators[op].sign;
}

const char *js_operator_ufunc(js_operator op)
{
    return operators[op].ufunc;
}

static const char *type_name(const js_number *number)
{
    js_operand operand = js_operand_of_number(*number);
    return js_operand_type(&operand);
}

static int unsupported(js_evaluation *e, js_operator op, const js_number *a, const js_number *b)
{
    return js_fail(e, JS_EUNSUP, "TypeError: unsupported operand type(s) for %s: '%s' and '%s'",
                   js_operator_sign(op), type_name(a), type_name(b));
}

static int too_large(js_evaluation *e)
{
    return js_fail(e, JS_ELIMIT, "OverflowError: the integer has more than 127 bits");
}

/* Give an exact result: in the type if it fits, else as an int of Python. */
static int integer(__int128 value, js_number_type type, bool is_weak, js_number *out)
{
    *out = (js_number){.type = type, .is_weak = is_weak, .integer = value};
    if (!js_number_fits(value, type)) {
        out->type = JS_INT64;
        out->is_weak = true;
    }
    return JS_OK;
}

static __int128 floor_div(__int128 x, __int128 y)
{
    return x / y - (x % y != 0 && (x < 0) != (y < 0));
}

static __int128 floor_mod(__int128 x, __int128 y)
{
    __int128 rest = x % y;
    return rest && (rest < 0) != (y < 0) ? rest + y : rest;
}

static bool power(__int128 base, __int128 exponent, __int128 *out)
{
    *out = 1;
    if (base == 0 || base == 1 || exponent == 0) {
        *out = exponent ? base : 1;
        return true;
    }
    if (base == -1) {
        *out = exponent % 2 ? -1 : 1;
        return true;
    }
    if (exponent > 127) {
        return false;
    }
    for (int i = 0; i < (int)exponent; i++) {
        if (__builtin_mul_overflow(*out, base, out)) {
            return false;
        }
    }
    return true;
}

static unsigned bits_of(unsigned __int128 value)
{
    uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
    return high ? 128 - (unsigned)__builtin_clzll(high) : low ? 64 - (unsigned)__builtin_clzll(low) : 0;
}

/* Compute x / y, rounded once, as long_true_divide in Objects/longobject.c does. False: it is too large. */
static bool true_divide(__int128 x, __int128 y, double *out)
{
    bool is_negative = (x < 0) != (y < 0);
    unsigned __int128 a = x < 0 ? -(unsigned __int128)x : (unsigned __int128)x;
    unsigned __int128 b = y < 0 ? -(unsigned __int128)y : (unsigned __int128)y;
    if (a == 0) {
        *out = is_negative ? -0.0 : 0.0;
        return true;
    }
    int shift = 57 + (int)bits_of(b) - (int)bits_of(a);
    if (bits_of(b) > 70) {
        return false;
    }
    unsigned __int128 quotient, rest;
    if (shift >= 0) {
        quotient = (a << shift) / b;
        rest = (a << shift) % b;
    } else {
        quotient = a / b;
        rest = a % b;
        shift = 0;
        while (bits_of(quotient) > 60) {
            rest |= quotient & 1;
            quotient >>= 1;
            shift--;
        }
    }
    double size = ldexp((double)(uint64_t)(quotient | (rest != 0)), -shift);
    *out = is_negative ? -size : size;
    return true;
}

static int shift(js_evaluation *e, bool is_right, __int128 x, __int128 y, js_number_type type, bool is_weak,
                 js_number *out)
{
    if (y < 0) {
        return js_fail(e, JS_EBAD, "ValueError: negative shift count");
    }
    if (is_right) {
        return integer(y > 126 ? (x < 0 ? -1 : 0) : x >> (int)y, type, is_weak, out);
    }
    if (x && (y > 126 || bits_of(x < 0 ? -(unsigned __int128)x : (unsigned __int128)x) + (unsigned)y > 126)) {
        return too_large(e);
    }
    return integer(x ? x * ((__int128)1 << (int)y) : 0, type, is_weak, out);
}

static int whole(js_evaluation *e, js_operator op, const js_number *a, const js_number *b,
                 js_number_type type, bool is_weak, js_number *out)
{
    __int128 x = a->integer, y = b->integer, result = 0;
    bool is_bitwise = op == JS_AND || op == JS_OR || op == JS_XOR;
    if (a->type == JS_BOOL && b->type == JS_BOOL && !is_bitwise) {
        type = JS_INT64;
    }
    switch (op) {
    case JS_ADD:
        return __builtin_add_overflow(x, y, &result) ? too_large(e) : integer(result, type, is_weak, out);
    case JS_SUB:
        return __builtin_sub_overflow(x, y, &result) ? too_large(e) : integer(result, type, is_weak, out);
    case JS_MUL:
        return __builtin_mul_overflow(x, y, &result) ? too_large(e) : integer(result, type, is_weak, out);
    case JS_DIV:
        if (y == 0) {
            return js_fail(e, JS_EBAD, "ZeroDivisionError: division by zero");
        }
        *out = (js_number){.type = JS_FLOAT64, .is_weak = is_weak};
        return true_divide(x, y, &out->real) ? JS_OK : too_large(e);
    case JS_FLOORDIV:
    case JS_MOD:
        if (y == 0) {
            return js_fail(e, JS_EBAD, "ZeroDivisionError: integer %s by zero",
                           op == JS_MOD ? "modulo" : "division or modulo");
        }
        if (y == -1) { /* the least integer has no opposite */
            result = op == JS_MOD || __builtin_sub_overflow((__int128)0, x, &result) ? 0 : result;
            return integer(result, type, is_weak, out);
        }
        return integer(op == JS_FLOORDIV ? floor_div(x, y) : floor_mod(x, y), type, is_weak, out);
    case JS_POW:
        if (y < 0) {
            if (x == 0) {
                return js_fail(e, JS_EBAD, "ZeroDivisionError: zero to a negative power");
            }
            *out = (js_number){.type = JS_FLOAT64, .is_weak = is_weak, .real = pow((double)x, (double)y)};
            return JS_OK;
        }
        return power(x, y, &result) ? integer(result, type, is_weak, out) : too_large(e);
    case JS_LSHIFT:
    case JS_RSHIFT:
        return shift(e, op == JS_RSHIFT, x, y, type, is_weak, out);
    case JS_AND:
        return integer(x & y, type, is_weak, out);
    case JS_OR:
        return integer(x | y, type, is_weak, out);
    case JS_XOR:
        return integer(x ^ y, type, is_weak, out);
    default:
        return unsupported(e, op, a, b);
    }
}

/* Objects/floatobject.c: _float_div_mod */
static void divide_modulo(double x, double y, double *quotient, double *rest)
{
    *rest = fmod(x, y);
    double divided = (x - *rest) / y;
    if (*rest != 0) {
        if ((y < 0) != (*rest < 0)) {
            *rest += y;
            divided -= 1.0;
        }
    } else {
        *rest = copysign(0.0, y);
    }
    if (divided != 0) {
        *quotient = floor(divided);
        *quotient += divided - *quotient > 0.5 ? 1.0 : 0.0;
    } else {
        *quotient = copysign(0.0, x / y);
    }
}

static int zero_division(js_evaluation *e, js_operator op)
{
    return js_fail(e, JS_EBAD, "ZeroDivisionError: %s",
                   op == JS_DIV        ? "division by zero"
                   : op == JS_FLOORDIV ? "float floor division by zero"
                                       : "float modulo by zero");
}

static int real(js_evaluation *e, js_operator op, const js_number *a, const js_number *b, js_number *out)
{
    double x = js_number_real(a), y = js_number_real(b), rest;
    switch (op) {
    case JS_ADD:
        out->real = x + y;
        break;
    case JS_SUB:
        out->real = x - y;
        break;
    case JS_MUL:
        out->real = x * y;
        break;
    case JS_DIV:
    case JS_FLOORDIV:
    case JS_MOD:
        if (y == 0) {
            return zero_division(e, op);
        }
        if (op == JS_DIV) {
            out->real = x / y;
        } else {
            double quotient;
            divide_modulo(x, y, &quotient, &rest);
            out->real = op == JS_MOD ? rest : quotient;
        }
        break;
    case JS_POW:
        if (x == 0 && y < 0 && !isinf(y)) {
            return js_fail(e, JS_EBAD, "ZeroDivisionError: zero to a negative power");
        }
        if (x < 0 && isfinite(x) && isfinite(y) && floor(y) != y) {
            return js_fail(
                e, JS_EUNSUP,
                "ValueError: a negative number to a fractional power is complex, which is not known here");
        }
        out->real = pow(x, y);
        if (isinf(out->real) && isfinite(x) && isfinite(y)) {
            return js_fail(e, JS_ELIMIT, "OverflowError: (34, 'Numerical result out of range')");
        }
        break;
    default:
        return unsupported(e, op, a, b);
    }
    return JS_OK;
}

/* Compute an operator on complex numbers; the quotient is Smith's, as in Objects/complexobject.c. */
static int imaginary(js_evaluation *e, js_operator op, const js_number *a, const js_number *b, js_number *out)
{
    double x = js_number_real(a), xi = a->imag, y = js_number_real(b), yi = b->imag;
    switch (op) {
    case JS_ADD:
        out->real = x + y;
        out->imag = xi + yi;
        return JS_OK;
    case JS_SUB:
        out->real = x - y;
        out->imag = xi - yi;
        return JS_OK;
    case JS_MUL:
        out->real = x * y - xi * yi;
        out->imag = x * yi + xi * y;
        return JS_OK;
    case JS_DIV:
        if (y == 0 && yi == 0) {
            return zero_division(e, op);
        }
        if (fabs(y) >= fabs(yi)) {
            double ratio = yi / y, scale = y + yi * ratio;
            out->real = (x + xi * ratio) / scale;
            out->imag = (xi - x * ratio) / scale;
        } else {
            double ratio = y / yi, scale = y * ratio + yi;
            out->real = (x * ratio + xi) / scale;
            out->imag = (xi * ratio - x) / scale;
        }
        return JS_OK;
    default:
        return js_fail(e, JS_EUNSUP, "TypeError: %s of complex numbers is not known here",
                       js_operator_sign(op));
    }
}

int js_scalar_binary(js_evaluation *e, js_operator op, const js_number *a, const js_number *b, js_number *out)
{
    bool is_weak = a->is_weak && b->is_weak;
    js_number_type type = a->is_weak == b->is_weak ? js_number_promote(a->type, b->type)
                          : a->is_weak             ? js_number_promote_weak(a->type, b->type)
                                                   : js_number_promote_weak(b->type, a->type);
    if (js_number_is_whole(a->type) && js_number_is_whole(b->type)) {
        if (!js_number_is_whole(type)) {
            type = JS_INT64; /* int64 with uint64: the integers are exact nevertheless */
        }
        return whole(e, op, a, b, type, is_weak, out);
    }
    *out = (js_number){.type = type, .is_weak = is_weak};
    int status = js_number_is_complex(type) ? imaginary(e, op, a, b, out) : real(e, op, a, b, out);
    if (status == JS_OK) {
        js_number_cast(out, type);
    }
    return status;
}

int js_scalar_unary(js_evaluation *e, js_operator op, const js_number *a, js_number *out)
{
    js_number_type type = a->type == JS_BOOL ? JS_INT64 : a->type;
    *out = *a;
    out->type = type;
    if (js_number_is_whole(type) && a->integer == -((__int128)1 << 126) * 2) {
        return too_large(e); /* the least integer has no opposite */
    }
    switch (op) {
    case JS_NEG:
        if (js_number_is_whole(type)) {
            return integer(-a->integer, type, a->is_weak, out);
        }
        out->real = -a->real;
        out->imag = js_number_is_complex(type) ? -a->imag : 0;
        return JS_OK;
    case JS_POS:
        return JS_OK;
    case JS_INVERT:
        if (!js_number_is_whole(type)) {
            return js_fail(e, JS_EUNSUP, "TypeError: bad operand type for unary ~: '%s'", type_name(a));
        }
        return integer(-1 - a->integer, type, a->is_weak, out);
    case JS_ABS:
        if (js_number_is_whole(type)) {
            return integer(a->integer < 0 ? -a->integer : a->integer, type, a->is_weak, out);
        }
        out->type = js_number_part(type);
        out->real = js_number_is_complex(type) ? hypot(a->real, a->imag) : fabs(a->real);
        out->imag = 0;
        js_number_cast(out, out->type);
        return JS_OK;
    default:
        return JS_EARG;
    }
}

/* Return -1, 0 or 1; 2 if one is NaN. An integer and a float are compared by their values. */
static int order(const js_number *a, const js_number *b)
{
    bool a_whole = js_number_is_whole(a->type), b_whole = js_number_is_whole(b->type);
    if (a_whole && b_whole) {
        return a->integer < b->integer ? -1 : a->integer > b->integer;
    }
    if (!a_whole && !b_whole) {
        return a->real < b->real ? -1 : a->real > b->real ? 1 : a->real == b->real ? 0 : 2;
    }
    __int128 integer = a_whole ? a->integer : b->integer;
    double value = a_whole ? b->real : a->real;
    if (isnan(value)) {
        return 2;
    }
    int found;
    if (fabs(value) >= 0x1p126) {
        found = value > 0 ? -1 : 1;
    } else {
        __int128 below = (__int128)floor(value);
        found = integer < below ? -1 : integer > below ? 1 : value > floor(value) ? -1 : 0;
    }
    return a_whole ? found : -found;
}

bool js_scalar_compare(js_operator op, const js_number *a, const js_number *b)
{
    int found = order(a, b);
    bool same = found == 0 && a->imag == b->imag;
    switch (op) {
    case JS_LT:
        return found == -1;
    case JS_LE:
        return found == -1 || found == 0;
    case JS_EQ:
        return same;
    case JS_NE:
        return !same;
    case JS_GE:
        return found == 1 || found == 0;
    default:
        return found == 1;
    }
}
