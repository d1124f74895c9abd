"""Number theory: powers modulo, sieves, primes by trial, Euler's phi, with numbers near the limit."""

import numpy as np
from numba import njit


@njit(debug=True)
def power(b, e, m):
    r = 1
    b %= m
    while e:
        if e & 1:
            r = r * b % m
        b = b * b % m
        e >>= 1
    return r


@njit(debug=True)
def is_prime(n):
    if n < 2:
        return False
    d = n - 1
    s = 0
    while d % 2 == 0:
        d //= 2
        s += 1
    for a in (2, 3, 5, 7):
        if a % n == 0:
            continue
        x = power(a, d, n)
        if x == 1 or x == n - 1:
            continue
        for r in range(s - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


@njit(debug=True)
def phi(n):
    values = np.arange(n + 1)
    for p in range(2, n + 1):
        if values[p] == p:
            for k in range(p, n + 1, p):
                values[k] -= values[k] // p
    return values.sum(), values[n]


@njit(debug=True)
def progression(a, b, n, m):
    total = 0
    for i in range(n):
        total += (a * i + b) % m
        total ^= (a * i + b) // m
    return total


@njit(debug=True)
def sums(n, m):
    s = 0
    for i in range(n):
        s = (s + i * (i + 1) // 2) % m
    t = 0
    for i in range(n):
        t += i * (i - 1) // 2
    return s, t


CALLS = [
    lambda: power(3, 10**9, 10**9 + 7),
    lambda: sum([is_prime(n) for n in range(500)]),
    lambda: phi(2000),
    lambda: progression(7, 3, 10000, 11),
    lambda: progression(-7, 3, 1000, -11),
    lambda: (sums(1000, 97), sums(10**6, 10**9 + 7), sums(0, 5)),
]
