/* Computes functions of floats by the C library. NumPy's own results may differ by a unit in the last place.
 */
#include <math.h>

#include "expressions/numbers/loops.h"

static const struct {
    double (*of_double)(double);
    float (*of_float)(float);
} functions[JS_OPERATORS] = {
    [JS_SQRT] = {sqrt, sqrtf},    [JS_EXP] = {exp, expf},       [JS_EXP2] = {exp2, exp2f},
    [JS_EXPM1] = {expm1, expm1f}, [JS_LOG] = {log, logf},       [JS_LOG2] = {log2, log2f},
    [JS_LOG10] = {log10, log10f}, [JS_LOG1P] = {log1p, log1pf}, [JS_SIN] = {sin, sinf},
    [JS_COS] = {cos, cosf},       [JS_TAN] = {tan, tanf},       [JS_ARCSIN] = {asin, asinf},
    [JS_ARCCOS] = {acos, acosf},  [JS_ARCTAN] = {atan, atanf},  [JS_SINH] = {sinh, sinhf},
    [JS_COSH] = {cosh, coshf},    [JS_TANH] = {tanh, tanhf},    [JS_CBRT] = {cbrt, cbrtf},
    [JS_FLOOR] = {floor, floorf}, [JS_CEIL] = {ceil, ceilf},    [JS_TRUNC] = {trunc, truncf},
};

static const struct {
    double (*of_double)(double, double);
    float (*of_float)(float, float);
} of_two[JS_OPERATORS] = {
    [JS_HYPOT] = {hypot, hypotf},
    [JS_ARCTAN2] = {atan2, atan2f},
    [JS_FMOD] = {fmod, fmodf},
    [JS_COPYSIGN] = {copysign, copysignf},
};

bool js_loop_mathematics(js_operator op, uint64_t count, const double *a, const double *b, double *out,
                         bool is_single)
{
    if (b ? !of_two[op].of_double : !functions[op].of_double) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (b) {
            out[i] = is_single ? (double)of_two[op].of_float((float)a[i], (float)b[i])
                               : of_two[op].of_double(a[i], b[i]);
        } else {
            out[i] = is_single ? (double)functions[op].of_float((float)a[i]) : functions[op].of_double(a[i]);
        }
    }
    return true;
}
