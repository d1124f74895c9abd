"""Where the loop does not run, the prologue does not: rsp is not where LLVM counts from."""

import numpy as np
from numba import njit


@njit(debug=True)
def summed(n, text, out, far):
    total = 0
    count = 0
    while count < n:
        count += 1
        out[far] += 1.0
        total -= count
    return (total if total <= 6 else 0) + count


CALLS = [lambda: summed(-2, "né", np.ones(3), 0), lambda: summed(0, "日本語", np.ones(3), 1)]
