"""Variables that the source assigns and nothing reads: the compiler leaves nothing of them."""

import jitscope
import numpy as np
from numba import njit, prange


@njit(debug=True)
def small(v, f):
    d = v * 2
    e = d + f[0]
    return f[e]


@njit(debug=True)
def calls(n, f):
    s = 0
    for q in range(n):
        for r in range(4):
            s += small(q + r, f)
    return s


@njit(debug=True, parallel=True)
def unread(n, xs):
    p = 3
    z = n * p  # noqa: F841
    for q in range(n):
        w = q * 2  # noqa: F841
    xs[0] = n
    jitscope.breakpoint()
    for i in prange(3, 5):
        d = 5  # noqa: F841
        for j in range(2):  # noqa: B007
            for k, x in enumerate(xs):
                t = x + i * 0
                xs[k] = t
            jitscope.breakpoint()
    return n


@njit(debug=True, parallel=True)
def alone(n):
    for m in prange(2):  # noqa: B007
        jitscope.breakpoint()
    late = 7
    return late


@njit(debug=True, parallel=True)
def inlining(n):
    def double(u):
        g = u + 1
        jitscope.breakpoint()
        return g * 2

    s = 0
    for h in prange(n):
        s += double(h)
    return s


@njit(debug=True)
def resumed(n):
    a = n + 1  # noqa: F841
    for q in range(n):
        b = q * 2
        for w in range(n):
            c = w + b  # noqa: F841
        jitscope.breakpoint()
        yield b


@njit(debug=True)
def taking(n):
    s = 0
    for b in resumed(n):
        s += b
    return s


if __name__ == "__main__":
    unread(3, np.ones(4))
    alone(3)
    inlining(2)
    taking(3)
    calls(2, np.full(20, 10**14))
