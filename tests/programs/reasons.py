"""Variables without a value, each for a reason of its own."""

import numpy as np
from numba import jit, njit, stencil
from numba.extending import overload


@jit(forceobj=True, looplift=True, debug=True)
def lifted(n, a):
    o = object()
    for i in range(n):
        for j in range(3):
            t = i * j
            a[i] += t  # at: lifted
    return o


@stencil
def around(x):
    y = x[0] + x[1]
    return y - x[-1]  # at: stencil


@njit(debug=True)
def smooth(a):
    return around(a)


def thing(x, k):
    raise NotImplementedError


@overload(thing, jit_options={"debug": True})
def of_thing(x, k):
    def impl(x, k):
        c = k + 1
        return c + x[k * 10**13]  # at: overload

    return impl


@njit(debug=True, parallel=True)
def uses(x, n):
    p = n + 1  # noqa: F841
    s = 0
    for q in range(n):
        s += q * x[q]  # at: loop
    x += s
    return thing(x, 3)


@njit(debug=True)
def waits(n):
    w = np.ones(n)
    k = w.size
    yield k
    k = 2
    yield k  # at: again


@njit(debug=True)
def taking(n):
    s = 0
    for k in waits(n):
        s += k
    return s


if __name__ == "__main__":
    a = np.arange(6.0)
    lifted(3, a)
    smooth(a)
    taking(2)
    uses(a, 4)
