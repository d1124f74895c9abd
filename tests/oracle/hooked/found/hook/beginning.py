"""Rows of what is computed, before the arguments were stored, or beside the loop that it was of: functions that begin
with an addition, a loop that LLVM deletes, and such loops in others."""

from numba import njit


@njit(debug=True)
def adds(arg, brg, crg):
    arg += brg
    if crg:
        arg += 2
    s2 = 0
    for i3 in range(2):  # noqa: B007
        s2 += 3
    return arg * s2 % 97 + brg


@njit(debug=True)
def loops(x, flag, n):
    for i in range(n):  # noqa: B007
        if flag:
            x = n
    return x


@njit(debug=True)
def nests(arg, k):
    turn3 = 0
    while turn3 < 2:
        turn3 += 1
        f8 = 0
        for i9 in range(k % 4):
            f8 = f8 * 0.5 + i9
        if turn3 != arg:
            turn4 = 0
            while turn4 < 2:
                turn4 += 1
                arg = (turn4 + arg) % 97
    return arg


CALLS = [
    lambda: adds(-1, 5, False),
    lambda: adds(0, -3, True),
    lambda: loops(3, True, 4),
    lambda: loops(3, False, 2),
    lambda: nests(5, 2),
    lambda: nests(1, 3),
]
