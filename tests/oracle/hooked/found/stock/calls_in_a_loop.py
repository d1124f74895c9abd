# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)
"""A loop that LLVM has unrolled: tests of the loop inside have the line of the call behind it. The calls of the
first iteration come before such a test, and had the line of the statement above."""

from numba import njit


@njit(debug=True)
def small(count, step):
    return -7 + count


@njit(debug=True)
def grown(count):
    items = [4, 7]
    reals = [0.5]
    if count % 3 == 0:
        f1 = 2
    else:
        while True:
            items.append(len(items))
            break
    w = (count + 0) // 3
    for k in range(3):
        for i in range(count % 2):
            reals.append(reals[0] * 0.5)
        best = (small(4 % 7, 0.75) % 97, count + count, count + count)
    return max(count, 8) + w


CALLS = [lambda: grown(0), lambda: grown(-2)]
FAULT = None
