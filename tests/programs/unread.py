"""Arguments that the function does not read, by each way into it."""

import numpy as np
from numba import njit


OUT = np.zeros(1, dtype=np.int64)


class Other(int):
    """An int that says otherwise when it is asked for its value."""

    def __int__(self):
        return 77

    __index__ = __int__


@njit(debug=True)
def unread(out, number, real, flag, text, pair, same, items, grid):
    out[0] += 1
    return out[0]  # at: here


@njit("int64(int64[::1], int64, float64)", debug=True)
def declared(out, number, real):
    out[0] += 2
    return out[0]  # at: declared


@njit(debug=True)
def between(out, number, real, items):
    return unread(
        out, number + 1, real * 2.0, number > 1, "inner", (number, real), (3, 4, number), items, np.ones((1, 2))
    )


@njit(debug=True)
def undescribed(number, text, real):
    if number == number:
        for turn in range(4):
            rest = number % 97
    elif number % 2 == 1:
        rest = 0
    else:
        rest = (number % 3) % 3
    made = np.zeros((2, 4))  # at: undescribed
    return made[0, 0]


@njit(debug=True)
def assigned(out, number, scale):
    out[0] += 3  # at: before
    number += 5
    total = 2
    for turn in range(number):
        total += scale
    out[0] += 4
    return out[0]  # at: assigned


def call(number, text, items):
    return unread(OUT, number, number / 4, number > 2, text, (number, -0.5), (1, 2, number), items, np.ones((2, 3)).T)


NUMBERS = (5, 0, -7, 2**30 - 1, 2**30, -(2**31), 2**59 + 12345, 2**60, -(2**60) - 1, 2**62 + 3, -(2**63), 2**63 - 1)
call(1, "compiled", np.arange(3))
between(OUT, 2, 0.5, np.arange(3))
declared(OUT, 1, 1.0)
print("ready", flush=True)
for value in NUMBERS:
    call(value, "x" * (abs(value) % 5) + ("é" if value < 0 else "") + ("日" if value % 2 else ""), np.arange(6)[::2])
declared(OUT, Other(12), 3)
declared(OUT, np.int64(12), np.float32(3.0))
declared(OUT, True, 1.5)
between(OUT, 4, 0.25, np.arange(2))
undescribed(1, "words", 2.5)
assigned(OUT, 4, 3)
