"""Loops whose iterations nothing counts: Collatz, digits, perfect powers, a random generator's period."""

from numba import njit


@njit(debug=True)
def collatz(n):
    steps = 0
    top = n
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        top = max(top, n)
        steps += 1
    return steps, top


@njit(debug=True)
def longest(limit):
    best = 0
    at = 0
    for n in range(1, limit):
        s, t = collatz(n)
        if s > best:
            best, at = s, n
    return best, at


@njit(debug=True)
def digits(n, base):
    total = 0
    back = 0
    while n > 0:
        n, d = divmod(n, base)
        total += d
        back = back * base + d
    return total, back


@njit(debug=True)
def period(x, a, m):
    tortoise = hare = x
    turns = 0
    while True:
        tortoise = (a * tortoise + 1) % m
        hare = (a * ((a * hare + 1) % m) + 1) % m
        turns += 1
        if tortoise == hare:
            break
    return turns


@njit(debug=True)
def isqrt(n):
    x = n
    y = (x + 1) // 2
    while y < x:
        x = y
        y = (x + n // x) // 2
    return x


CALLS = [
    lambda: collatz(27),
    lambda: longest(3000),
    lambda: (digits(9876543210, 10), digits(255, 2), digits(0, 7)),
    lambda: period(1, 5, 1024),
    lambda: [isqrt(n) for n in (1, 15, 16, 10**14 + 1)],
]
