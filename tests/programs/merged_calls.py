# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)
"""Two arms end with a call of one function: LLVM makes one call of both, which has no line, and lies behind the code of
the second arm. Its caller is at neither line."""

import numpy as np
from numba import njit


@njit(debug=True)
def small(weight, turn, marks, far):
    zero = -9  # at: small
    return 0 * 1 % 97 + zero


@njit(debug=True)
def armed(count, numbers, flag, weights, marks, far):
    made = np.array([q * 0.5 for q in range(5)])
    turn = 0
    if count == count:
        if count > -9:
            best = (count if turn <= count else count, small(-2.75, -3 % 7, marks, far), len(numbers))
            if not flag:
                index = small(-0.25, count % 4, marks, far) * 0.5
            elif not flag:
                left = "xyz"
        else:
            pair, other = (small(0.25, count % 4, marks, far), -4.25)
    elif turn <= turn:
        out = np.zeros(len(weights))
        for i in range(len(weights)):
            out[i] = weights[i] - 0.25
    return (6 if count % 3 == 1 else -4) + turn



armed(4, np.arange(4), True, np.arange(5) * 0.75, np.ones(3), 0)
armed(-1, np.arange(4), False, np.arange(5) * 0.75, np.ones(3), 0)
armed(-12, np.arange(4), False, np.arange(5) * 0.75, np.ones(3), 0)
