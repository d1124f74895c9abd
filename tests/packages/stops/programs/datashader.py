"""Images at another size: parallel loops over the rows."""

import numpy as np
from datashader import resampling

SOURCE = resampling.__file__
INTERPRETED = [resampling]
SMALL = np.array([[1.0, 2.0, 4.0], [8.0, np.nan, 32.0]])
LARGE = np.arange(20.0).reshape(4, 5)

CALLS = [
    lambda: resampling.resample_2d(SMALL, 4, 3, us_method="nearest"),
    lambda: resampling.resample_2d(SMALL, 4, 3, us_method="linear"),
    lambda: resampling.resample_2d(LARGE, 2, 2, ds_method="mean"),
]
