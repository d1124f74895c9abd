"""A pool of processes, started as multiprocessing starts them: farm.py [fork|spawn|forkserver]."""

import multiprocessing
import sys

from numba import njit


@njit(debug=True)
def share(total, count):
    part = total / count  # at: part
    return part


def work(task):
    return share(*task)


if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    with context.Pool(1) as pool:
        print(pool.map(work, [(10, 4), (10, 0)]))
