/* Computes operators on lanes with NumPy's results: integers wrap, floats follow
 * numpy/_core/src/npymath/npy_math_internal.h.src and numpy/_core/src/umath/loops*.src. */
#include "expressions/numbers/loops.h"

#include <math.h>
#include <string.h>

/* Loop over three pointers of a type, with x and y of that type. */
#define LOOP(TYPE, OUT, EXPRESSION)                                                                          \
    for (uint64_t i = 0; i < count; i++) {                                                                   \
        TYPE x = ((const TYPE *)a)[i];                                                                       \
        TYPE y = ((const TYPE *)b)[i];                                                                       \
        (void)x;                                                                                             \
        (void)y;                                                                                             \
        ((OUT *)out)[i] = (OUT)(EXPRESSION);                                                                 \
    }                                                                                                        \
    break

/* ---- integers ---- */

static int64_t floor_int(int64_t x, int64_t y)
{
    if (y == 0 || (x == INT64_MIN && y == -1)) {
        return y ? x : 0;
    }
    return x / y - ((x % y != 0) && ((x < 0) != (y < 0)));
}

static int64_t mod_int(int64_t x, int64_t y)
{
    if (y == 0 || y == -1) {
        return 0;
    }
    int64_t rest = x % y;
    return rest && (rest < 0) != (y < 0) ? rest + y : rest;
}

static uint64_t power_uint(uint64_t x, uint64_t y)
{
    uint64_t result = 1;
    for (; y; y >>= 1) {
        result *= y & 1 ? x : 1;
        x *= x;
    }
    return result;
}

static int64_t shift_right(int64_t x, int64_t y, unsigned bits)
{
    return y >= 0 && y < (int64_t)bits ? x >> y : x < 0 ? -1 : 0;
}

static void ints(js_operator op, uint64_t count, const void *a, const void *b, void *out, unsigned bits)
{
    switch (op) {
    case JS_ADD:
        LOOP(uint64_t, uint64_t, x + y);
    case JS_SUB:
        LOOP(uint64_t, uint64_t, x - y);
    case JS_MUL:
        LOOP(uint64_t, uint64_t, x * y);
    case JS_DIV:
        LOOP(int64_t, double, (double)x / (double)y);
    case JS_FLOORDIV:
        LOOP(int64_t, int64_t, floor_int(x, y));
    case JS_MOD:
        LOOP(int64_t, int64_t, mod_int(x, y));
    case JS_POW:
        LOOP(uint64_t, uint64_t, power_uint(x, y));
    case JS_LSHIFT:
        LOOP(uint64_t, uint64_t, y < bits ? x << y : 0);
    case JS_RSHIFT:
        LOOP(int64_t, int64_t, shift_right(x, y, bits));
    case JS_AND:
        LOOP(uint64_t, uint64_t, x & y);
    case JS_OR:
        LOOP(uint64_t, uint64_t, x | y);
    case JS_XOR:
        LOOP(uint64_t, uint64_t, x ^ y);
    case JS_LT:
        LOOP(int64_t, int64_t, x < y);
    case JS_LE:
        LOOP(int64_t, int64_t, x <= y);
    case JS_EQ:
        LOOP(int64_t, int64_t, x == y);
    case JS_NE:
        LOOP(int64_t, int64_t, x != y);
    case JS_GE:
        LOOP(int64_t, int64_t, x >= y);
    case JS_GT:
        LOOP(int64_t, int64_t, x > y);
    case JS_MAXIMUM:
        LOOP(int64_t, int64_t, x > y ? x : y);
    case JS_MINIMUM:
        LOOP(int64_t, int64_t, x < y ? x : y);
    default:
        memset(out, 0, count * 8);
    }
}

static void uints(js_operator op, uint64_t count, const void *a, const void *b, void *out, unsigned bits)
{
    switch (op) {
    case JS_DIV:
        LOOP(uint64_t, double, (double)x / (double)y);
    case JS_FLOORDIV:
        LOOP(uint64_t, uint64_t, y ? x / y : 0);
    case JS_MOD:
        LOOP(uint64_t, uint64_t, y ? x % y : 0);
    case JS_RSHIFT:
        LOOP(uint64_t, uint64_t, y < bits ? x >> y : 0);
    case JS_LT:
        LOOP(uint64_t, int64_t, x < y);
    case JS_LE:
        LOOP(uint64_t, int64_t, x <= y);
    case JS_GE:
        LOOP(uint64_t, int64_t, x >= y);
    case JS_GT:
        LOOP(uint64_t, int64_t, x > y);
    case JS_MAXIMUM:
        LOOP(uint64_t, uint64_t, x > y ? x : y);
    case JS_MINIMUM:
        LOOP(uint64_t, uint64_t, x < y ? x : y);
    default:
        ints(op, count, a, b, out, bits);
    }
}

/* ---- floats: npy_divmod, npy_remainder ---- */

/* Round a step that NumPy computes in float32. The result is equal to that, because double has more than
 * twice the digits. */
static double rounded(double value, bool is_single)
{
    return is_single ? (double)(float)value : value;
}

static double remainder_of(double x, double y, bool is_single)
{
    double rest = fmod(x, y);
    if (y == 0 || isnan(x) || isnan(y) || isinf(x)) {
        return rest;
    }
    if (rest != 0) {
        return (y < 0) != (rest < 0) ? rounded(rest + y, is_single) : rest;
    }
    return copysign(0.0, y);
}

static double floor_divide(double x, double y, bool is_single)
{
    if (y == 0) {
        return x / y;
    }
    double rest = fmod(x, y);
    double quotient = rounded(rounded(x - rest, is_single) / y, is_single);
    if (rest != 0 && (y < 0) != (rest < 0)) {
        quotient = rounded(quotient - 1.0, is_single);
    }
    if (quotient == 0) {
        return copysign(0.0, x / y);
    }
    double whole = floor(quotient);
    return quotient - whole > 0.5 ? whole + 1.0 : whole;
}

static void floats(js_operator op, uint64_t count, const void *a, const void *b, void *out, bool is_single)
{
    switch (op) {
    case JS_ADD:
        LOOP(double, double, x + y);
    case JS_SUB:
        LOOP(double, double, x - y);
    case JS_MUL:
        LOOP(double, double, x *y);
    case JS_DIV:
        LOOP(double, double, x / y);
    case JS_FLOORDIV:
        LOOP(double, double, floor_divide(x, y, is_single));
    case JS_MOD:
        LOOP(double, double, remainder_of(x, y, is_single));
    case JS_POW:
        LOOP(double, double, is_single ? (double)powf((float)x, (float)y) : pow(x, y));
    case JS_LT:
        LOOP(double, int64_t, x < y);
    case JS_LE:
        LOOP(double, int64_t, x <= y);
    case JS_EQ:
        LOOP(double, int64_t, x == y);
    case JS_NE:
        LOOP(double, int64_t, x != y);
    case JS_GE:
        LOOP(double, int64_t, x >= y);
    case JS_GT:
        LOOP(double, int64_t, x > y);
    case JS_MAXIMUM:
        LOOP(double, double, isnan(x) || x > y ? x : y);
    case JS_MINIMUM:
        LOOP(double, double, isnan(x) || x < y ? x : y);
    default:
        if (!js_loop_mathematics(op, count, a, b, out, is_single)) {
            memset(out, 0, count * 8);
        }
    }
}

/* ---- one operand ---- */

static void unary_ints(js_operator op, uint64_t count, const void *a, void *out, bool is_bool,
                       bool is_unsigned)
{
    const void *b = a;
    switch (op) {
    case JS_NEG:
        LOOP(uint64_t, uint64_t, 0 - x);
    case JS_INVERT:
        LOOP(uint64_t, uint64_t, is_bool ? x == 0 : ~x);
    case JS_ABS:
        LOOP(int64_t, uint64_t, x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
    case JS_ISNAN:
    case JS_ISINF:
    case JS_IMAG:
        memset(out, 0, count * 8);
        break;
    case JS_ISFINITE:
        LOOP(uint64_t, uint64_t, 1);
    case JS_SQUARE:
        LOOP(uint64_t, uint64_t, x * x);
    case JS_SIGN:
        if (is_unsigned) {
            LOOP(uint64_t, uint64_t, x != 0);
        }
        LOOP(int64_t, int64_t, (x > 0) - (x < 0));
    default:
        memmove(out, a, count * 8);
    }
}

static void unary_floats(js_operator op, uint64_t count, const void *a, void *out, bool is_single)
{
    const void *b = a;
    switch (op) {
    case JS_NEG:
        LOOP(double, double, -x);
    case JS_ABS:
        LOOP(double, double, fabs(x));
    case JS_ISNAN:
        LOOP(double, int64_t, x != x);
    case JS_ISINF:
        LOOP(double, int64_t, isinf(x) != 0);
    case JS_ISFINITE:
        LOOP(double, int64_t, isfinite(x) != 0);
    case JS_IMAG:
        memset(out, 0, count * 8);
        break;
    case JS_ROUND:
        LOOP(double, double, rint(x));
    case JS_SQUARE:
        LOOP(double, double, x *x);
    case JS_SIGN:
        LOOP(double, double, isnan(x) ? x : (double)((x > 0) - (x < 0)));
    default:
        if (!js_loop_mathematics(op, count, a, NULL, out, is_single)) {
            memmove(out, a, count * 8);
        }
    }
}

void js_loop_mixed(js_operator op, uint64_t count, const int64_t *a, const uint64_t *b, int64_t *out)
{
    for (uint64_t i = 0; i < count; i++) {
        int order = a[i] < 0 || (uint64_t)a[i] < b[i] ? -1 : (uint64_t)a[i] > b[i];
        switch (op) {
        case JS_LT:
            out[i] = order < 0;
            break;
        case JS_LE:
            out[i] = order <= 0;
            break;
        case JS_EQ:
            out[i] = order == 0;
            break;
        case JS_NE:
            out[i] = order != 0;
            break;
        case JS_GE:
            out[i] = order >= 0;
            break;
        default:
            out[i] = order > 0;
        }
    }
}

/* Compute an operator. NumPy computes float16 in float32, so each result is rounded to float32's precision
 * first: for + - * / the result is equal, because double has more than twice the digits and one. */
void js_loop(js_operator op, js_number_type type, uint64_t count, const void *a, const void *b, void *out,
             js_number_type result)
{
    js_lane lane = js_number_lane(type);
    bool is_single = type == JS_FLOAT32 || type == JS_FLOAT16 || type == JS_COMPLEX64;
    js_number_type made = type;
    if (!b) {
        if (op == JS_CAST) {
            js_lanes_cast(type, result, count, a, out);
            return;
        }
        if (lane == JS_LANE_FLOAT) {
            unary_floats(op, count, a, out, is_single);
        } else if (lane == JS_LANE_COMPLEX) {
            js_loop_complex_unary(op, count, a, out, is_single);
        } else {
            unary_ints(op, count, a, out, type == JS_BOOL, lane == JS_LANE_UINT);
        }
    } else if (lane == JS_LANE_INT) {
        ints(op, count, a, b, out, (unsigned)js_number_size(type) * 8);
    } else if (lane == JS_LANE_UINT) {
        uints(op, count, a, b, out, (unsigned)js_number_size(type) * 8);
    } else if (lane == JS_LANE_FLOAT) {
        floats(op, count, a, b, out, is_single);
    } else {
        js_loop_complex(op, count, a, b, out, is_single);
    }
    if (result == JS_BOOL || js_number_lane(result) == JS_LANE_COMPLEX) {
        return;
    }
    /* The result may have more digits than its type. */
    made = js_number_lane(result) == JS_LANE_FLOAT  ? JS_FLOAT64
           : js_number_lane(result) == JS_LANE_UINT ? JS_UINT64
                                                    : JS_INT64;
    if (made != result) {
        js_lanes_cast(made, result, count, out, out);
    }
}
