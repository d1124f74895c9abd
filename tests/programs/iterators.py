"""Iterators and generators that variables hold, a step on."""

import numpy as np
from numba import njit


@njit(debug=True)
def look(v):
    seen = v
    return 0  # at: look


@njit(debug=True)
def count(n, step):
    i = 0
    while i < n:
        yield i
        i += step


@njit(debug=True)
def main(n):
    a = np.arange(n)
    counted = enumerate(a)
    both = zip(a, range(n))
    numbers = iter(range(n))
    counting = count(n, 2)
    total = 0
    for _ in counted:
        total += 1
        break
    for _ in numbers:
        total += 1
        break
    for _ in counting:
        total += 1
        break
    total += look(counted) + look(both) + look(numbers) + look(iter([n, 2])) + look(iter((1, 2, n))) + look(iter("abc"))
    total += look(a.reshape(2, 2).flat) + look(np.ndenumerate(a.reshape(2, 2))) + look(np.ndindex(2, 3))
    total += look(np.nditer(a)) + look(np.nditer((a.reshape(2, 2), a[2:]))) + look(range(1, n, 2)) + look(counting)
    return total


if __name__ == "__main__":
    main(4)
