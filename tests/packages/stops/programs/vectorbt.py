"""Rolling windows, whose loops call compiled functions for each column, and drawdowns, which are records."""

import numpy as np
from vectorbt.generic import nb

SOURCE = nb.__file__
INTERPRETED = [nb]
CLOSE = np.array([[1.0, 8.0], [np.nan, 6.0], [4.0, 7.0], [2.0, 9.0]])

CALLS = [
    lambda: nb.rolling_max_nb(CLOSE, 3, 1),
    lambda: nb.ffill_nb(CLOSE),
    lambda: nb.get_drawdowns_nb(CLOSE[:, 1:].copy()),
]
