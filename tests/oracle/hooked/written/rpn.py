"""A small machine: codes on a stack, a chain of elif, an error behind a helper."""

import numpy as np
from numba import njit


@njit(debug=True)
def run(codes, stack):
    top = -1
    at = 0
    while at < len(codes):
        code = codes[at]
        at += 1
        if code >= 0:
            top += 1
            stack[top] = code
        elif code == -1:
            b = stack[top]
            a = stack[top - 1]
            top -= 1
            stack[top] = a + b
        elif code == -2:
            b = stack[top]
            top -= 1
            stack[top] *= b
        elif code == -3:
            if stack[top] == 0:
                raise ZeroDivisionError("at", at)
            stack[top] = 100 // stack[top]
        else:
            return -1.0
    return stack[top]


def by_zero():
    try:
        run(np.array([0, -3]), np.zeros(4))
    except ZeroDivisionError as error:
        return error.args


CALLS = [lambda: run(np.array([2, 3, -1, 4, -2]), np.zeros(4)), lambda: run(np.array([7, -9]), np.zeros(4)), by_zero]
