"""What generated programs found wrong once: branches that a constant decides, and statements of `try`."""

import numpy as np
from numba import njit


@njit(debug=True)
def pruned(arg, brg):
    view = brg[-2:]
    turn = 0
    while turn < 0:
        turn += 1
        arg += turn
    turn = -0.5 if turn > -3 else -0.5
    return len(view) + arg + turn


@njit(debug=True)
def raising(arg, brg):
    text = "été"
    left, right = brg // 2, 4.0
    for i in range(arg):
        left += i
        if left == 5:
            break
        try:
            wide = arg
            if wide != left:
                raise IndexError("no")
            right = right if len(text) > 3 else -right
        except Exception:
            right = float(len(text))
    return arg * left % 97 + brg + right


@njit(debug=True)
def tried(arg, brg):
    found = 1.0
    try:
        brg = brg
        if arg != arg:
            raise ValueError("no")
        found = brg[0]
    except Exception:
        found = 3.0
    return found


CALLS = [
    lambda: pruned(5, np.array([1.5, -2.0, 0.25])),
    lambda: raising(1, 4),
    lambda: raising(4, -1),
    lambda: raising(4, 4),
    lambda: tried(5, np.ones(3)),
]
