"""A generator that waits at each of its yields; Python says where, and what its variables are."""

import numpy as np
from numba import njit


@njit(debug=True)
def look(v):
    seen = v
    return 0  # at: look


@njit(debug=True)
def stages(a, k, flag=2):
    total = a.sum()
    yield total
    k = k * 2
    name = "x" + str(k)
    if flag > 5:
        yield -1.0
    yield total + k
    for value in a[:2]:
        half = value * 0.5
        yield half + len(name)
        total += half
    yield total


@njit(debug=True)
def main(n):
    waiting = stages(np.arange(3.0), n)
    look(waiting)
    for _ in waiting:
        look(waiting)
    look(waiting)


if __name__ == "__main__":
    python = stages.py_func(np.arange(3.0), 4)
    for _ in python:
        assert python.gi_frame
        print("EXPECT", (python.gi_frame.f_lineno, {k: repr(v) for k, v in python.gi_frame.f_locals.items()}))
    main(4)
