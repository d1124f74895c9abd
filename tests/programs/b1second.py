import numpy as np
import numba
from numba import njit


@njit(debug=True)
def scan(values, limit):
    numba.gdb_init()
    hits = 0
    for i in range(values.size):
        if values[i] > limit:
            hits += 1
            numba.gdb_breakpoint()  # at: gdb
    return hits  # at: after


def start():
    print("call", flush=True)
    return scan(np.arange(5.0), 2.5)  # at: call


scan.compile("(float64[::1], float64)")
print(start())
