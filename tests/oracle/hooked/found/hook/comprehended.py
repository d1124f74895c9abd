"""What generated programs found wrong once: lines that do nothing by themselves, in a function with a comprehension."""

import numpy as np
from numba import njit


@njit(debug=True)
def work0(n, a):
    turn = 0
    while True:
        turn += 1
        if turn > 3:
            break
    for item in a:
        try:
            first = turn + item
            if first > n:
                raise ValueError("no")
        except Exception:
            other = np.array([q * 2 for q in range(3)])
            turn += other[1]
    if n > 2:
        pass
    else:
        n += 1
    listed = np.array([i + n for i in range(2)])
    while n > 0:
        n -= 1
        if n == 1:
            continue
        turn += 1
    return turn + n + len(listed)


@njit(debug=True)
def left(n):
    total = 0.0
    for i in range(n):
        if i == 2:
            continue
        if i == 4:
            pass
        else:
            total += 1.0
        if i == 5:
            break
    while True:
        n -= 1
        if n < 0:
            break
    try:
        listed = np.array([q * 0.5 for q in range(3)])
        total += listed[2]
    except Exception:
        total = 0.0
    return total


CALLS = [lambda: work0(4, np.arange(3)), lambda: work0(1, np.arange(2)), lambda: left(2), lambda: left(9)]
