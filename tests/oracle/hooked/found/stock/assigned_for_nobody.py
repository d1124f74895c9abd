# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)
"""Numba removes an assignment that nothing reads, in a function with a comprehension. What joins the versions of
`text` has its line."""

import numpy as np
from numba import njit


@njit(debug=True)
def grown(count):
    text = "été"
    made = np.array([q * 0.5 for q in range(5)])
    for i in range(4):
        for k in range(count % 3, 0, -1):
            turn = 0
            while True:
                turn += 1
                if turn > 2:
                    break
                pair = (turn, 2.75)
                text = text + "été"
            made[0] += made[count % len(made)]
    return text.upper()


CALLS = [lambda: grown(0), lambda: grown(1)]
FAULT = None
