"""Extensions of Numba: overloads, jitable functions, objmode, vectorized functions, a loop that is unrolled."""

import numpy as np
from numba import guvectorize, literal_unroll, njit, objmode, types, vectorize
from numba.extending import overload, register_jitable


def python_clamp(x, lo, hi):
    return lo if x < lo else hi if x > hi else x


@overload(python_clamp)
def ov_clamp(x, lo, hi):
    if isinstance(x, types.Integer):

        def impl_int(x, lo, hi):
            y = x
            if y < lo:
                y = lo
            return min(y, hi)

        return impl_int

    def impl_float(x, lo, hi):
        z = max(x, lo)
        return min(z, hi)

    return impl_float


@register_jitable
def halve(x):
    h = x // 2
    return h


@vectorize(["float64(float64, float64)"])
def soft(x, t):
    a = abs(x) - t
    return a if a > 0 else 0.0


@guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")
def running(x, out):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i]
        out[i] = s


@njit(debug=True)
def mixed(values, times):
    total = 0
    for i in range(times):
        a = python_clamp(i, 1, 2)
        b = python_clamp(i * 0.75, 0.5, 1.5)
        total += a * halve(i + 3)
        values[i] += b
    shrunk = soft(values, 0.5)
    ran = np.zeros_like(values)
    running(shrunk, ran)
    return total, ran


@njit(debug=True)
def asked(n):
    label = 0
    for k in range(n):
        m = k * 3
        with objmode(label="int64"):
            label = int(str(m) + "1")
        m = label + k
    return label, m


@njit(debug=True)
def several(given):
    n = 0
    s = 0.0
    for item in literal_unroll(given):
        n += 1
        s += item
    return n, s


CALLS = [lambda: mixed(np.linspace(-1, 1, 4), 3), lambda: asked(2), lambda: several((1, 2.5, np.float32(0.5)))]
