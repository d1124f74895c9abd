"""Two compiled functions, one with a third inlined, that Python functions call through C functions, for stacks of profilers."""

import numpy as np
from numba import njit


@njit
def squared(x):
    return x * x + 0.5


@njit
def spin(values, rounds):
    """It calls itself, so that LLVM does not inline it as a whole."""
    if rounds == 0:
        return 0.0
    total = 0.0
    for value in values:
        total += squared(value) / (1.0 + total)
    return total + spin(values, rounds - 1) / 2.0


@njit
def outer(values, rounds):
    total = 0.0
    for step in range(3):
        total += spin(values, rounds + step) / 2.0
    return total


def deep(depth):
    """`map` calls `deep`, so that each call has native frames of its own."""
    return list(map(deep, [depth - 1])) if depth else outer(VALUES, 5)


VALUES = np.arange(10000.0)
outer(VALUES, 1)
print("ready", flush=True)
while True:
    deep(20)
