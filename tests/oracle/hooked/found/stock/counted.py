"""What unoptimised code clears after its last use, and tells by what a loop counts, by a constant or by a tuple's
items."""

# ruff: noqa: F841 (what is assigned need not be read to be shown)

from numba import njit


@njit(debug=True)
def turns(arg, brg):
    text = "été"
    nothing = None
    turn = 0
    while True:
        turn += 1
        if turn > 3:
            break
        left = arg % 2 == 1
        pair = (turn, arg, True)
        word = "ab"
        brg += 0.5
    step = arg
    while step > 0:
        step -= 2
        last = step
        seven = 7
    return brg + arg


@njit(debug=True)
def tuples(arg, brg):
    for i in range(2, 0, -1):
        down = i
    for j in range(3):
        both = (arg, j)
        mixed = (arg % 2, 0.5)
        brg += 0.5
    if arg > 3:
        chosen = (arg, 1)
    else:
        chosen = (1, arg)
    brg += 1.5
    return brg + arg


CALLS = [
    lambda: turns(1, 2.5),
    lambda: turns(6, -0.5),
    lambda: tuples(5, 1.0),
    lambda: tuples(-2, 0.0),
]
