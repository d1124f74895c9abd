r"""
report: numba/numba#9299
what: A try around candles[i + 2000, 0] catches nothing, and the function goes on with what it has read.
cause: index \d+ \(`i \+ 200000000`\) is outside axis 0 of `candles` \(300 elements\)
"""

import numpy as np
from numba import njit


@njit
def orders(candles):
    filled = 0
    for i in range(299):
        try:
            price = candles[i + 200000000, 0]
            if price > candles[i, 0]:
                filled += 1
        except Exception:
            filled -= 1
    return filled


print(orders(np.ones((300, 5))))
