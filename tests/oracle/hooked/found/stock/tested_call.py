"""Found at seeds 71001 and 82001: LLVM makes a call that is the same in each iteration ahead of its loop; its status is
tested where the statement is."""

# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)

from numba import njit


@njit(debug=True)
def walk(n, k):
    total = 0
    for i in range(1):
        total += i
    return total + k - 6


@njit(debug=True)
def calls(arg, brg):
    if brg % 3 == 0:
        for i in range(brg % 4):
            index = walk(brg % 4, 0 % 4) % 97
    for i in range(arg % 4):
        size = walk(arg % 4, arg % 4) % 97
    return 6 + arg


CALLS = [
    lambda: calls(5, 2),
    lambda: calls(3, -2),
    lambda: calls(2, 3),
]
