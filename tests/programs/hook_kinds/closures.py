"""Functions in functions: put in line, escaping, recursive through a cell, lambdas."""

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
    lambda: python_adder(2)(6),
    lambda: python_adder(2.5)(6),
    lambda: apply(python_adder(4), 5),
    lambda: uses_lambda(3),
    lambda: square(4),
]
