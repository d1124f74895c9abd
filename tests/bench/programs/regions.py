"""What launches of parallel loops take, as one line of JSON, in seconds: the least of some."""

import json
import time

import numba
import numpy as np
from numba import njit, prange


@njit(parallel=True)
def scaled(a):
    for i in prange(a.shape[0]):
        a[i] = a[i] * 0.5 + 1.0


def least(a, calls, chunk):
    numba.set_parallel_chunksize(chunk)
    found = float("inf")
    for _ in range(calls):
        start = time.perf_counter()
        scaled(a)
        found = min(found, time.perf_counter() - start)
    numba.set_parallel_chunksize(0)
    return found


scaled(np.ones(10))
CHUNKS = 20_000
found = {
    "loop": least(np.ones(100_000), 2000, 0),
    "chunk": least(np.ones(CHUNKS), 100, 1) / CHUNKS,
}
print(json.dumps(found))
