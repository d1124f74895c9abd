"""Values that try, except, else and finally leave, in a loop."""

import numpy as np
from numba import njit


@njit(debug=True)
def check(x):
    if x < 0:
        raise ValueError("negative")
    return x**0.5


@njit(debug=True)
def tidy(values):
    good = 0.0
    bad = 0
    ended = 0
    for v in values:
        try:
            root = check(v)
        except Exception:
            bad += 1
        else:
            good += root
        finally:
            ended += 1
    return good, bad, ended


CALLS = [lambda: tidy(np.array([4.0, -1.0, 9.0]))]
