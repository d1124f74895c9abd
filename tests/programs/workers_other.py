"""Another file's parallel loop, on the lines of those in workers.py."""

from numba import njit, prange


@njit(debug=True, parallel=True)
def elsewhere(who):
    for i in prange(who.shape[0]):
        t = i * 3
        u = t + 1
        who[i] = u + t
    return who
