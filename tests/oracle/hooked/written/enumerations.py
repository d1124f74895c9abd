"""Enum and IntEnum, constants of modules, literals, booleans as numbers, None."""

import enum

import numpy as np
from numba import njit

LIMIT = 7
TABLE = np.array([3, 1, 2])
NAMES = ("red", "green")


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class State(enum.IntEnum):
    OFF = 0
    ON = 1
    BROKEN = 5


@njit(debug=True)
def count(n):
    state = State.OFF
    ons = 0
    for i in range(n):
        if state == State.OFF:
            state = State.ON
        elif i > LIMIT:
            state = State.BROKEN
        else:
            state = State.OFF
        ons += state == State.ON
    return ons, int(state), TABLE[i % 3]


@njit(debug=True)
def name(c):
    if c is Color.RED:
        found = NAMES[0]
    else:
        found = NAMES[1]
    t = True + True
    nothing = None
    return found, t, nothing


CALLS = [lambda: count(5), lambda: count(12), lambda: name(Color.RED), lambda: name(Color.GREEN)]
