"""A small function, which is inlined in its caller, and names that it alone takes from the module."""

from numba import njit

limit = 40
step = 3


@njit(debug=True)
def moved(v):
    v = v * step + limit
    return v  # at: moved


@njit(debug=True)
def outer(n):
    s = 0
    for i in range(n):
        s += moved(i)  # at: call
    return s


print(outer(6))
