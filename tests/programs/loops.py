"""Loops of all kinds, for going from turn to turn."""

import numpy as np
from numba import njit, prange


@njit(debug=True)
def nested(n):
    total = 0
    for i in range(n):  # at: outer
        total += 1  # at: outer-body
        for j in range(3):  # at: inner
            total += i * j  # at: inner-body
            if total > 1000:
                break
        total -= 1  # at: behind-inner
    return total  # at: end


@njit(debug=True)
def halve(n):
    count = 0
    while n > 1:  # at: while
        n //= 2
        count += 1  # at: while-body
    return count  # at: while-end


@njit(debug=True)
def climb(n):
    if n > 50:
        return 0
    total = 0
    for i in range(2):  # at: climb
        if n > 0:
            total += climb(n - 1)  # at: climb-call
        total += i  # at: climb-body
    return total


@njit(debug=True)
def search(a, wanted):
    for i in range(a.size):  # at: search
        if a[i] == wanted:  # at: search-body
            return i
    return -1


@njit(debug=True)
def up_to(n):
    for i in range(n):  # at: generator
        yield i  # at: yield


@njit(debug=True)
def take(n):
    total = 0
    for value in up_to(n):  # at: take
        total += value  # at: take-body
    return total  # at: take-end


@njit(debug=True, parallel=True)
def spread(a):
    for i in prange(a.size):  # at: prange
        a[i] = 2 * a[i]  # at: prange-body
    return a.sum()


if __name__ == "__main__":
    print(nested(2))
    print(halve(9))
    print(climb(1))
    print(search(np.arange(5.0), 2.0))
    print(take(3))
    print(spread(np.arange(8.0)))
