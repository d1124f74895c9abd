"""Images at another size: parallel loops over the rows."""

import numpy as np
from datashader import resampling

SOURCE = resampling.__file__
INTERPRETED = [resampling]
SMALL = np.array([[1.0, 2.0, 4.0], [8.0, np.nan, 32.0]])


def resized(name, source):
    function, mask = getattr(resampling, name), np.zeros(source.shape, bool)
    return function(source, mask, False, -1.0, (0.0, 0.0), (0.0, 0.0), np.zeros((2, 4)))


CALLS = [
    lambda: resized("_upsample_2d_nearest", SMALL),
    lambda: resized("_upsample_2d_linear", SMALL),
]
