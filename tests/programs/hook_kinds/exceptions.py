"""Exceptions: raised, caught, passed through `finally`; `with` blocks."""

import contextlib

from numba import njit


class Refused(Exception):
    pass


@njit(debug=True)
def checked(n):
    limit = 3
    if n > limit:
        raise ValueError("too large")
    if n < 0:
        raise Refused(n)
    return n + limit


@njit(debug=True)
def caught(n):
    result = 0
    try:
        result = checked(n)
        result += 1
    except Exception:
        result = -1
    after = result * 2
    return after


@njit(debug=True)
def finally_(n):
    steps = 0
    try:
        steps += 1
        if n > 1:
            steps += 10
        else:
            steps += 20
    finally:
        steps += 100
    return steps


@njit(debug=True)
def alternatives(n):
    seen = 0
    for i in range(n):
        try:
            value = checked(i)
        except Exception:
            seen += 100
        else:
            seen += value
    return seen


def python_passes(call):
    with contextlib.suppress(ValueError, Refused):
        return call()
    return -1


CALLS = [
    lambda: caught(2),
    lambda: caught(5),
    lambda: caught(-1),
    lambda: finally_(1),
    lambda: finally_(2),
    lambda: alternatives(6),
    lambda: python_passes(lambda: checked(9)),
    lambda: python_passes(lambda: checked(-2)),
]
