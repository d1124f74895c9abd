r"""
report: pymc-devs/pytensor#1145
what: A mask of NaNs has no True in it, because the function is compiled with fastmath=True.
before: break {stop}
before: run
then: jit print values
cause: has fastmath=True, for which there are no NaNs and infinities, so that np\.isnan
"""

import numpy as np
from numba import njit


@njit(fastmath=True)
def mask_of(values):
    mask = np.isnan(values)
    return mask  # at: stop


print(mask_of(np.array([np.nan, 1.0, 2.0, 3.0])))
