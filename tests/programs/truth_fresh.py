"""Truth programs of algorithms: written after the analysis, to see whether it holds on what it was not tuned to."""

import numpy as np
from numba import njit


@njit(debug=True)
def bisect(a, x):
    lo = 0
    hi = a.shape[0]
    steps = 0
    while lo < hi:
        mid = (lo + hi) // 2
        steps += 1
        if a[mid] < x:
            lo = mid + 1
        else:
            hi = mid
    found = lo < a.shape[0] and a[lo] == x
    return lo, found, steps


@njit(debug=True)
def gcd(p, q):
    while q:
        p, q = q, p % q
    result = p
    return result


@njit(debug=True)
def matmul(a, b):
    n, m = a.shape
    k = b.shape[1]
    out = np.zeros((n, k))
    for i in range(n):
        for j in range(k):
            acc = 0.0
            for t in range(m):
                acc += a[i, t] * b[t, j]
            out[i, j] = acc
    total = out.sum()
    return total


@njit(debug=True)
def primes(limit):
    sieve = np.ones(limit + 1, np.bool_)
    count = 0
    last = -1
    for p in range(2, limit + 1):
        if not sieve[p]:
            continue
        count += 1
        last = p
        for multiple in range(p * p, limit + 1, p):
            sieve[multiple] = False
    return count, last


@njit(debug=True)
def newton(x, tolerance):
    guess = x if x > 1.0 else 1.0
    rounds = 0
    while True:
        better = 0.5 * (guess + x / guess)
        change = abs(better - guess)
        guess = better
        rounds += 1
        if change < tolerance or rounds > 50:
            break
    error = guess * guess - x
    return guess, rounds, error


@njit(debug=True)
def histogram(values, bins):
    counts = np.zeros(bins, np.int64)
    low, high = values[0], values[0]
    for v in values:
        if v < low:
            low = v
        elif v > high:
            high = v
    width = (high - low) / bins
    for v in values:
        slot = int((v - low) / width)
        if slot == bins:
            slot -= 1
        counts[slot] += 1
    peak = counts.max()
    return peak, width


@njit(debug=True)
def classify(word, flag):
    size = len(word)
    kind = 0
    if size == 0:
        kind = -1
    elif flag:
        kind = size * 2
    label = word + "!"
    both = (kind, label)
    if kind > 5:
        note = both[0] + 1
    else:
        note = 0
    return note


CASES = {
    "bisect": lambda: bisect(np.array([1.0, 3.0, 5.0, 7.0, 9.0]), 7.0),
    "gcd": lambda: gcd(84, 36),
    "matmul": lambda: matmul(np.arange(4.0).reshape(2, 2), np.ones((2, 3))),
    "primes": lambda: primes(20),
    "newton": lambda: newton(9.0, 1e-9),
    "histogram": lambda: histogram(np.array([1.0, 2.5, 2.75, 4.0, 9.0]), 4),
    "classify": lambda: (classify("abc", True), classify("", False)),
}
