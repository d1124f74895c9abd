"""What generated programs found wrong once: assignments that nothing reads, on lines that some ways pass without code
of theirs; constants that Numba takes out of parallel loops; branches that it takes out behind inlined code."""

import numpy as np
from numba import njit, prange


@njit(debug=True)
def swapped(arg, brg, crg):
    turn = 0
    while turn < 3:
        turn += 1
        halves = np.array([q * 0.5 for q in range(3)])  # noqa: F841
    p, q5 = turn + turn, -1.75 / 2.0
    if not brg:
        unread = crg[-1]  # noqa: F841
        sevens = 0
        for _ in range(arg):
            sevens += 3
    else:
        if brg:
            total = 0.0
            for _c in range(2):
                total += arg
        else:
            q5 -= q5
        turn, p = p, turn
    return q5 + 1


@njit(debug=True)
def raised(arg, brg):
    first = 0
    for i2 in range(4):
        first = first * 0.5 + i2
    if arg == arg:
        try:
            halves = np.array([q * 0.5 for q in range(4)])  # noqa: F841
            if first <= first:
                raise IndexError("no")
            left = arg // 3, arg + 0, 4 + arg  # noqa: F841
        except Exception:
            first = -4.0
    for _i in range(1, 2):
        turn = 0
        while turn < 0:
            turn += 1
            if arg < turn:
                break
    view = brg[::2]  # noqa: F841
    best = min(arg, arg), 3 % 3, 4 + arg  # noqa: F841
    arg += 7
    last = 3
    for i8 in range(2):
        last = last * 0.5 + i8
    return 2 * 0.5 + first


@njit(debug=True, parallel=True)
def hoisted(rows, cells, scale):
    out = np.ones(len(rows))
    for i in prange(1, len(rows)):
        if i != 1:
            up = scale - 3.25  # noqa: F841
        else:
            down = i  # noqa: F841
        line = 0.0
        for j in range(cells.shape[1]):
            part = cells[i, j] * scale
            run = -3
            for n in range(1):
                run = run * 0.5 + n
            line += part
        out[i] = line
    return out[0]


@njit(debug=True, parallel=True)
def last(a, k):
    out = np.zeros(len(a))
    for i in prange(len(a)):
        t = a[i] + 1
        out[i] = t
        if i % 2 == 0:
            for j in range(k):
                out[i] += j
        else:
            out[i] -= 2
        t = 5.0
        out[i] = out[i] * 2
    return out.sum()


CALLS = [
    lambda: swapped(-3, True, np.arange(8)[::2]),
    lambda: swapped(4, True, np.arange(8)[::2]),
    lambda: raised(4, np.array([5, -7, 9, 2, 4])),
    lambda: raised(-2, np.array([5, -7, 9, 2, 4])),
    lambda: hoisted(np.arange(7) * 0.5, np.arange(21.0).reshape(7, 3), 1.5),
    lambda: last(np.arange(6.0), 3),
]
