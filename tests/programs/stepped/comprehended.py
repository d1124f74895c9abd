"""Statements without code of their own behind a comprehension, which Numba inlines: `try:`, `while True:`, `pass`."""

from numba import njit


@njit(debug=True)
def tried(x):
    squares = [i * i for i in range(4)]
    try:
        x = 10 // x
    except Exception:
        x = -x
    return x + len(squares)


@njit(debug=True)
def endless(x):
    squares = [i * i for i in range(4)]
    while True:
        x -= 1
        if x < 0:
            break
    return x + len(squares)


@njit(debug=True)
def passed(x):
    x = [x * 2 for i in range(2)][0]
    pass
    while True:
        x -= 1
        try:
            pass
        finally:
            x -= 1
        if x < 0:
            break
    again = [i for i in range(3) if i]
    pass
    return x + len(again)


@njit(debug=True)
def top(x):
    first = tried(x)
    second = endless(x)
    third = passed(x)
    return first + second + third


print(top(2))
