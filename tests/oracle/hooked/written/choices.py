"""match and chains of elif, conditional expressions, walrus, and, or, not, del."""

import numpy as np
from numba import njit


@njit(debug=True)
def grade(x):
    if x >= 90:
        g = "A"
    elif x >= 80:
        g = "B"
    elif x >= 70:
        g = "C"
    else:
        g = "F"
    return g


@njit(debug=True)
def walrus(a):
    n = 0
    s = 0
    i = 0
    while (v := a[i]) > 0:
        s += v
        i += 1
        if (w := v * 2) > 4 and not w % 3 == 0:
            n += w
    return n, s, v


@njit(debug=True)
def deleted(n):
    x = np.ones(n)
    s = x.sum()
    del x
    for i in range(n):
        x = i * 2
        if i % 2:
            continue
        y = x if i > 2 else -x
        s += y
    return s, x


@njit(debug=True)
def machine(text):
    state = 0
    value = 0
    sign = 1
    for c in text:
        if state == 0:
            if c == "-":
                sign = -1
                state = 1
            elif c == "+":
                state = 1
            else:
                state = 2
        if state == 1:
            state = 2
            continue
        if state == 2:
            if not ("0" <= c <= "9"):
                raise ValueError("digit", value)
            value = value * 10 + ord(c) - ord("0")
    return sign * value


CALLS = [
    lambda: [grade(x) for x in (95, 85, 75, 10)],
    lambda: walrus(np.array([1, 2, 3, 4, 0])),
    lambda: deleted(6),
    lambda: [machine(t) for t in ("-12", "+7", "305", "")],
    lambda: machine("1x"),
]
