r"""
report: starsimhub/starsim#476
what: A forked child starts a parallel loop after the parent has started one on OpenMP, and is ended.
before: set detach-on-fork off
before: set follow-fork-mode child
before: run
cause: double starts a parallel loop .* forked after its parent had started one on OpenMP
"""

import multiprocessing

import numba
import numpy as np
from numba import njit, prange

numba.config.THREADING_LAYER = "omp"


@njit(parallel=True)
def double(x):
    for i in prange(len(x)):
        x[i] *= 2
    return x


if __name__ == "__main__":
    double(np.ones(1000))
    child = multiprocessing.get_context("fork").Process(target=double, args=(np.ones(1000),))
    child.start()
    child.join()
