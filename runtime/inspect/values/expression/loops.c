/* Elementwise operators on lanes, with NumPy's results: integers wrap, floats follow
 * numpy/_core/src/npymath/npy_math_internal.h.src and numpy/_core/src/umath/loops*.src. */
#include <math.h>
#include <string.h>

#include "values/expression/lazy.h"

/* One loop over three pointers of a type, with x and y of it. */
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
    default:
        ints(op, count, a, b, out, bits);
    }
}

/* ---- floats: npy_divmod, npy_remainder ---- */

static double remainder_of(double x, double y)
{
    if (y == 0 || isnan(x) || isnan(y) || isinf(x)) {
        return fmod(x, y);
    }
    double rest = fmod(x, y);
    if (rest != 0) {
        return (y < 0) != (rest < 0) ? rest + y : rest;
    }
    return copysign(0.0, y);
}

static double floor_divide(double x, double y)
{
    if (y == 0) {
        return x / y;
    }
    double rest = fmod(x, y);
    double quotient = (x - rest) / y;
    if (rest != 0 && (y < 0) != (rest < 0)) {
        quotient -= 1.0;
    }
    if (quotient == 0) {
        return copysign(0.0, x / y);
    }
    double whole = floor(quotient);
    return quotient - whole > 0.5 ? whole + 1.0 : whole;
}

static float floor_divide_single(float x, float y)
{
    if (y == 0) {
        return x / y;
    }
    float rest = fmodf(x, y);
    float quotient = (x - rest) / y;
    if (rest != 0 && (y < 0) != (rest < 0)) {
        quotient -= 1.0F;
    }
    if (quotient == 0) {
        return copysignf(0.0F, x / y);
    }
    float whole = floorf(quotient);
    return quotient - whole > 0.5F ? whole + 1.0F : whole;
}

static float remainder_single(float x, float y)
{
    float rest = fmodf(x, y);
    if (y == 0 || isnan(x) || isnan(y) || isinf(x)) {
        return rest;
    }
    if (rest != 0) {
        return (y < 0) != (rest < 0) ? rest + y : rest;
    }
    return copysignf(0.0F, y);
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
        LOOP(double, double,
             is_single ? (double)floor_divide_single((float)x, (float)y) : floor_divide(x, y));
    case JS_MOD:
        LOOP(double, double, is_single ? (double)remainder_single((float)x, (float)y) : remainder_of(x, y));
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
    default:
        memset(out, 0, count * 8);
    }
}

/* ---- complex ---- */

typedef struct pair {
    double re, im;
} pair;

static pair narrow(pair z, bool is_single)
{
    return is_single ? (pair){(double)(float)z.re, (double)(float)z.im} : z;
}

static pair multiply(pair x, pair y, bool is_single)
{
    pair left = narrow((pair){x.re * y.re, x.re * y.im}, is_single);
    pair right = narrow((pair){x.im * y.im, x.im * y.re}, is_single);
    return narrow((pair){left.re - right.re, left.im + right.im}, is_single);
}

/* Smith's, as loops.c.src has it. */
static pair divide(pair x, pair y, bool is_single)
{
    double size_re = fabs(y.re), size_im = fabs(y.im);
    if (size_re >= size_im) {
        if (size_re == 0 && size_im == 0) {
            return (pair){x.re / size_re, x.im / size_re};
        }
        double ratio = narrow((pair){y.im / y.re, 0}, is_single).re;
        double term = narrow((pair){y.im * ratio, 0}, is_single).re;
        double scale = narrow((pair){y.re + term, 0}, is_single).re;
        scale = narrow((pair){1.0 / scale, 0}, is_single).re;
        pair terms = narrow((pair){x.im * ratio, x.re * ratio}, is_single);
        terms = narrow((pair){x.re + terms.re, x.im - terms.im}, is_single);
        return narrow((pair){terms.re * scale, terms.im * scale}, is_single);
    }
    double ratio = narrow((pair){y.re / y.im, 0}, is_single).re;
    double term = narrow((pair){y.re * ratio, 0}, is_single).re;
    double scale = narrow((pair){y.im + term, 0}, is_single).re;
    scale = narrow((pair){1.0 / scale, 0}, is_single).re;
    pair terms = narrow((pair){x.re * ratio, x.im * ratio}, is_single);
    terms = narrow((pair){terms.re + x.im, terms.im - x.re}, is_single);
    return narrow((pair){terms.re * scale, terms.im * scale}, is_single);
}

/* CLT, CLE of loops_utils.h: real parts decide where no imaginary one is NaN. */
static bool is_less(pair x, pair y)
{
    return x.re < y.re ? !isnan(x.im) && !isnan(y.im) : x.re == y.re && x.im < y.im;
}

static bool is_less_equal(pair x, pair y)
{
    return x.re < y.re ? !isnan(x.im) && !isnan(y.im) : x.re == y.re && x.im <= y.im;
}

static int64_t compare_complex(js_operator op, pair x, pair y)
{
    switch (op) {
    case JS_EQ:
        return x.re == y.re && x.im == y.im;
    case JS_NE:
        return x.re != y.re || x.im != y.im;
    case JS_LT:
        return is_less(x, y);
    case JS_LE:
        return is_less_equal(x, y);
    case JS_GT:
        return is_less(y, x);
    default:
        return is_less_equal(y, x);
    }
}

static void complexes(js_operator op, uint64_t count, const pair *a, const pair *b, void *out, bool is_single)
{
    for (uint64_t i = 0; i < count; i++) {
        pair x = a[i], y = b[i], z = {0, 0};
        if (op >= JS_LT && op <= JS_GT) {
            ((int64_t *)out)[i] = compare_complex(op, x, y);
            continue;
        }
        switch (op) {
        case JS_ADD:
            z = (pair){x.re + y.re, x.im + y.im};
            break;
        case JS_SUB:
            z = (pair){x.re - y.re, x.im - y.im};
            break;
        case JS_MUL:
            z = multiply(x, y, is_single);
            break;
        case JS_DIV:
            z = divide(x, y, is_single);
            break;
        default:
            break;
        }
        ((pair *)out)[i] = z;
    }
}

/* ---- one operand ---- */

static void unary_ints(js_operator op, uint64_t count, const void *a, void *out, bool is_bool)
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
    default:
        memmove(out, a, count * 8);
    }
}

static void unary_floats(js_operator op, uint64_t count, const void *a, void *out)
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
    default:
        memmove(out, a, count * 8);
    }
}

static void unary_complexes(js_operator op, uint64_t count, const pair *a, void *out, bool is_single)
{
    for (uint64_t i = 0; i < count; i++) {
        pair x = a[i];
        switch (op) {
        case JS_NEG:
            ((pair *)out)[i] = (pair){-x.re, -x.im};
            break;
        case JS_CONJ:
            ((pair *)out)[i] = (pair){x.re, -x.im};
            break;
        case JS_ABS:
            ((double *)out)[i] = is_single ? (double)hypotf((float)x.re, (float)x.im) : hypot(x.re, x.im);
            break;
        case JS_ISNAN:
            ((int64_t *)out)[i] = isnan(x.re) || isnan(x.im);
            break;
        case JS_ISINF:
            ((int64_t *)out)[i] = isinf(x.re) || isinf(x.im);
            break;
        case JS_ISFINITE:
            ((int64_t *)out)[i] = isfinite(x.re) && isfinite(x.im);
            break;
        case JS_REAL:
        case JS_IMAG:
            ((double *)out)[i] = op == JS_REAL ? x.re : x.im;
            break;
        default:
            ((pair *)out)[i] = x;
        }
    }
}

/* int64 with uint64 compares as numbers, not as one of the two types. */
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

/* NumPy computes float16 in float32, so each result is rounded once to float32's precision first: the same
 * for + - * /, where double has more than twice the digits and one. */
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
            unary_floats(op, count, a, out);
        } else if (lane == JS_LANE_COMPLEX) {
            unary_complexes(op, count, a, out, is_single);
        } else {
            unary_ints(op, count, a, out, type == JS_BOOL);
        }
    } else if (lane == JS_LANE_INT) {
        ints(op, count, a, b, out, (unsigned)js_number_size(type) * 8);
    } else if (lane == JS_LANE_UINT) {
        uints(op, count, a, b, out, (unsigned)js_number_size(type) * 8);
    } else if (lane == JS_LANE_FLOAT) {
        floats(op, count, a, b, out, is_single);
    } else {
        complexes(op, count, a, b, out, is_single);
    }
    if (result == JS_BOOL || js_number_lane(result) == JS_LANE_COMPLEX) {
        return;
    }
    /* what was made may have more digits than the result's type */
    made = js_number_lane(result) == JS_LANE_FLOAT  ? JS_FLOAT64
           : js_number_lane(result) == JS_LANE_UINT ? JS_UINT64
                                                    : JS_INT64;
    if (made != result) {
        js_lanes_cast(made, result, count, out, out);
    }
}
