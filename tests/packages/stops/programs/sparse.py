"""Products of compressed arrays."""

import numpy as np
import sparse
from sparse.numba_backend import _common

SOURCE = _common.__file__
INTERPRETED = [_common]
A = sparse.GCXS.from_numpy(np.array([[1.0, 0, 2], [0, 3, 0], [4, 0, 5]]))
B = sparse.GCXS.from_numpy(np.array([[0.0, 6], [7, 0], [0, 8]]))

CALLS = [lambda: (A @ B).todense()]
