"""Statements on several lines, and several on one."""

from numba import njit


@njit(debug=True)
def added(a, b, c):
    d = a + b
    return d * c


@njit(debug=True)
def spread_out(n):
    first = added(
        n,
        n + 1,
        2,
    )
    second = first + n + added(n, n, n)
    if first > 3 and second > n:
        second = -second
    pair = (
        first,
        second,
    )
    return pair[0] + pair[1]


@njit(debug=True)
def on_one(n):
    a = n
    b = a + 1
    a = b  # noqa: E702
    if a > 3:
        b = 0  # noqa: E701
    for i in range(2):
        b += i  # noqa: E701
    while b > 2:
        b -= 1  # noqa: E701
    pass
    n
    return a + b


CALLS = [lambda: spread_out(3), lambda: spread_out(-2), lambda: on_one(3)]
