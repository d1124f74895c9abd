"""Found at seed 71001, at NUMBA_OPT=0: what makes an int a float where versions meet is no begin of a loop."""

from numba import njit


@njit(debug=True)
def work0(arg, brg):
    size = min(arg, 9)
    for _ in range(1):
        size += arg
        for i5 in range(0):
            size += i5
    if brg != brg:
        for i7 in range(0):
            size += i7
    for _ in range(arg % 3):
        for i in range(arg % 3):
            size += brg * i
    return size


CALLS = [
    lambda: work0(4, 2.75),
    lambda: work0(3, -0.75),
    lambda: work0(4, 0.75),
]
