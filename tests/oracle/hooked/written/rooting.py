"""Roots by Newton's steps, with a function as an argument."""

from numba import njit


@njit(debug=True)
def f(x):
    return x * x - 2.0


@njit(debug=True)
def slope(x):
    return 2.0 * x


@njit(debug=True)
def newton(f, slope, x, most=20, tolerance=1e-9):
    for turn in range(most):
        y = f(x)
        if abs(y) < tolerance:
            return x, turn
        g = slope(x)
        if g == 0.0:
            return x, -1
        x -= y / g
    return x, most


CALLS = [lambda: newton(f, slope, 1.0), lambda: newton(f, slope, 0.0), lambda: newton(f, slope, 5.0, 2)]
