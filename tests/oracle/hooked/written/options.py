"""A price by a tree, backwards, in place, with a nested function call in a range."""

import math

from numba import njit
import numpy as np


@njit(debug=True)
def binomial(spot, strike, rate, sigma, years, turns, put=False):
    dt = years / turns
    up = math.exp(sigma * math.sqrt(dt))
    down = 1.0 / up
    grow = math.exp(rate * dt)
    p = (grow - down) / (up - down)
    values = np.empty(turns + 1)
    for i in range(turns + 1):
        price = spot * up**i * down ** (turns - i)
        values[i] = max(strike - price, 0.0) if put else max(price - strike, 0.0)
    for turn in range(turns - 1, -1, -1):
        for i in range(turn + 1):
            hold = (p * values[i + 1] + (1 - p) * values[i]) / grow
            price = spot * up**i * down ** (turn - i)
            early = strike - price if put else price - strike
            values[i] = early if early > hold else hold
    return values[0]


CALLS = [lambda: binomial(100.0, 100.0, 0.05, 0.2, 1.0, 3), lambda: binomial(100.0, 110.0, 0.05, 0.2, 1.0, 2, put=True)]
