"""What a program found wrong once at NUMBA_OPT=3: a test that LLVM makes differently on two ways. The register that it
names for the variable on one of them has something else on the other, and does behind both."""

from numba import njit


@njit(debug=True)
def flags(p, q, n):
    a = p + q
    b = p * n
    c = p and q
    d = p or n > 2
    f = p == q
    g = n if p else -n
    k = a + b
    j = p > q
    o = k + g
    o += c
    o += d
    o += f
    o += j
    return o


CALLS = [lambda: flags(True, True, 0), lambda: flags(True, False, 3), lambda: flags(False, True, -1)]
