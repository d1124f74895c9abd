# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)
"""LLVM has unrolled the loop, and put its last store, which has no line, among the code of the `return`."""

import math

import numpy as np
from numba import njit


@njit(debug=True)
def stored(count, flag, cells):
    total = 0
    for i in range(4):
        total += 2 * i + 1
    row = cells[1]
    total += count
    for item in row:
        for k in range(3):
            part = item if total % 2 == 0 else 1.0
            pair, root = (count) % 97, math.sqrt(abs(part))
            try:
                last = row[-1]
                if total == total:
                    raise ValueError("no")
                root = 2.25 * (3.25 + last)
            except Exception:
                part = -4.25
        count = (count * count % 97) * 6 % 97
    zero = 1 if not flag else 3
    turn = 0
    while True:
        turn += 1
        if turn > 2:
            break
        inner = 0
        while inner < 3:
            inner += 1
            row[turn % len(row)] = 4.25 * -1.5
    return len(row) + zero


CALLS = [
    lambda: stored(4, False, np.ones((2, 3))),
    lambda: stored(5, True, np.arange(6.0).reshape(3, 2)),
]
FAULT = None
