"""Functions in functions: inlined, escaping, recursive through a cell, lambdas."""

import numpy as np
from numba import njit


@njit(debug=True)
def inlined(n):
    offset = n * 2

    def inner(v):
        w = v + offset
        return w * 2

    first = inner(n)
    second = inner(first)
    return first + second


@njit(debug=True)
def shadowed(n, w):
    def inside(n):
        w = n * 3
        return w + 1

    total = inside(w)
    total += inside(total) + n
    return total + w


@njit(debug=True)
def called_twice(n):
    """On one line, in a loop, one in another, with its own result."""

    def stepped(at):
        if at > 2:
            beyond = at - 2
            return beyond
        return at + n

    def around(of):
        half = of / 2
        whole = stepped(of) + half
        return whole

    def same(thing):
        other = thing
        return other

    total = stepped(1) + stepped(3) + stepped(2)
    for i in range(3):
        total += stepped(i)
    total += around(4) + around(1)
    return same(same(total))


@njit(debug=True)
def on_arrays(n):
    def filled(count):
        made = np.zeros(count)
        for j in range(count):
            made[j] = j * n
        size = made.size
        return made[:size]

    first = filled(2)
    for k in range(3):
        first = filled(k + 1)
    return first.sum()


def python_adder(k):
    @njit(debug=True)
    def adder(v):
        w = v + k
        return w

    return adder


@njit(debug=True)
def apply(f, v):
    result = f(v)
    return result


square = njit(debug=True)(lambda x: x * x)


@njit(debug=True)
def uses_lambda(n):
    twice = lambda v: v * 2  # noqa: E731
    a = twice(n)
    b = square(a)
    return a + b


CALLS = [
    lambda: inlined(3),
    lambda: shadowed(3, 4),
    lambda: called_twice(3),
    lambda: on_arrays(3),
    lambda: python_adder(2)(6),
    lambda: python_adder(2.5)(6),
    lambda: apply(python_adder(4), 5),
    lambda: uses_lambda(3),
    lambda: square(4),
]
