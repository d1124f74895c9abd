"""Random numbers with a seed: of np.random, of a Generator, shuffled, chosen."""

import numpy as np
from numba import njit


@njit(debug=True)
def walk(seed, n):
    np.random.seed(seed)
    x = 0.0
    far = 0.0
    for i in range(n):
        step = np.random.normal(0.0, 1.0)
        x += step
        if abs(x) > far:
            far = abs(x)
    k = np.random.randint(0, 100)
    return x, far, k


@njit(debug=True)
def pi(seed, n):
    np.random.seed(seed)
    inside = 0
    for i in range(n):
        a = np.random.random()
        b = np.random.random()
        inside += a * a + b * b < 1
    return 4 * inside / n


@njit(debug=True)
def drawn(rng, n):
    total = 0.0
    for i in range(n):
        total += rng.random() + rng.integers(0, 5)
    a = rng.normal(0, 1, size=4)
    return total, a


@njit(debug=True)
def cards(seed):
    np.random.seed(seed)
    deck = np.arange(52)
    np.random.shuffle(deck)
    hand = np.random.choice(deck, 5)
    return deck, hand


CALLS = [
    lambda: walk(3, 500),
    lambda: pi(1, 2000),
    lambda: drawn(np.random.default_rng(7), 9),
    lambda: cards(5),
]
