import numpy as np
import numba
from numba import njit


@njit(debug=True)
def solve(m, v):
    numba.gdb("-ex", "break dgesv_", "-ex", "continue", "-ex", "bt 8")
    return np.linalg.solve(m, v)  # at: calls


def run():
    return solve(np.eye(3), np.ones(3))  # at: call


solve.compile("(float64[:, ::1], float64[::1])")
print("call", flush=True)
print(run())
