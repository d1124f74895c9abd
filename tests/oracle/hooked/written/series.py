"""Prices: returns, a drawdown, an exponential mean, NaN for missing prices."""

import numpy as np
from numba import njit


@njit(debug=True)
def clean(prices):
    last = np.nan
    out = np.empty_like(prices)
    for i in range(len(prices)):
        p = prices[i]
        if np.isnan(p):
            p = last
        out[i] = p
        last = p
    return out


@njit(debug=True)
def drawdown(prices):
    peak = -np.inf
    worst = 0.0
    where = -1
    for i, p in enumerate(prices):
        peak = max(peak, p)
        down = (peak - p) / peak if peak > 0 else 0.0
        if down > worst:
            worst, where = down, i
    return worst, where


@njit(debug=True)
def report(prices, span):
    prices = clean(prices)
    alpha = 2.0 / (span + 1)
    mean = prices[0]
    for p in prices[1:]:
        mean += alpha * (p - mean)
    steps = np.diff(prices) / prices[:-1]
    up = (steps > 0).sum()
    worst, where = drawdown(prices)
    return mean, up, worst, where


CALLS = [lambda: report(np.array([10.0, 12.0, np.nan, 9.0, 11.0]), 3)]
