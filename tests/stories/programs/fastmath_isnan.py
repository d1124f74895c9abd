r"""
report: numba/numba#9383
what: np.isnan is False for every element, in a function with fastmath=True.
before: break {stop}
before: run
cause: has fastmath=True, for which there are no NaNs and infinities, so that np\.isnan
"""

import numpy as np
from numba import njit


@njit(fastmath=True)
def count(values):
    found = 0
    for value in values:
        if np.isnan(value):
            found += 1
    return found  # at: stop


print(count(np.array([np.nan, 1.0, np.nan])))
