"""What generated programs found wrong once: assignments of a name to itself or another, whose digits Numba puts before
a place, and jumps that it joins."""

import numpy as np
from numba import njit


@njit(debug=True)
def swapped(arg):
    s5 = 0
    for i6 in range(1):
        s5 += 3 + i6
    arg, s5 = s5, arg
    turn7 = 0
    while True:
        turn7 += 1
        if turn7 > 2:
            break
    return arg + s5


@njit(debug=True)
def itself(arg, brg):
    turn = 0
    while turn < 2:
        turn += 1
        for k in range(2):
            if arg % 2 == 1:
                brg[k] = turn
            else:
                if turn % 3 == 0:
                    continue
            brg[-1] += 8
    s5 = 0
    for i6 in range(2):
        s5 += i6
    more = brg.copy()
    s5 = s5
    return more[0] + s5


CALLS = [
    lambda: swapped(5),
    lambda: swapped(-1),
    lambda: itself(4, np.arange(5.0)),
    lambda: itself(3, np.arange(5.0)),
]
