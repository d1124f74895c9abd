"""Functions for the compiler hook: branches, loops, a changing type, inlined code, arguments assigned again."""

import sys

import numpy as np
from numba import njit

if "newer" in sys.argv:
    import jitscope.compiler.debuginfo.dibuilder as dibuilder

    dibuilder.PRODUCER = "clang (Numba) jitscope/9"


@njit(debug=True, forceinline=True)
def leaf(v, w):
    u = v * 2  # at: leaf
    if w > 1:
        u = u + w
    return u  # at: leaf-end


@njit(debug=True)
def stroll(a, n):
    acc = 0.0  # at: begin
    if n > 100:
        never = n
        acc += never
    for i in range(n):  # at: loop
        acc += leaf(a[i], i)  # at: body
    acc = leaf(acc, 0)  # at: call
    kind = n  # at: behind
    kind = acc + kind  # at: changed
    n = n - 1
    return kind + n  # at: end


if __name__ == "__main__":
    print(stroll(np.arange(4.0), 4))
    print(stroll(np.arange(3.0), 3))
