"""A distribution function that compiled code calls."""

import numpy as np
from numba_stats import uniform

SOURCE = uniform.__file__
INTERPRETED = [uniform]
INLINED = True
X = np.array([-0.5, 0.25, 1.0, 3.5])

CALLS = [lambda: uniform.cdf(X, 0.25, 2.0), lambda: uniform.pdf(X, 0.25, 2.0)]
