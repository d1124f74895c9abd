/* Computes operators on complex lanes. */
#include <math.h>

#include "expressions/numbers/loops.h"

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

/* Divide by Smith's method, as loops.c.src does. */
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

/* Compare like CLT and CLE of loops_utils.h: real parts decide if no imaginary part is NaN. */
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

void js_loop_complex(js_operator op, uint64_t count, const void *left, const void *right, void *out,
                     bool is_single)
{
    const pair *a = left, *b = right;
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

void js_loop_complex_unary(js_operator op, uint64_t count, const void *operand, void *out, bool is_single)
{
    const pair *a = operand;
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
