import numpy as np
from numba import njit

from jitscope import attach, breakpoint_if


@njit(debug=True)
def walk(values):
    steps = 0
    for k in range(values.size):
        steps += 2
        breakpoint_if(values[k] < 0)  # at: if
    return steps


values = np.ones(100)
values[40] = -1
walk.compile("(float64[::1],)")
print("call", flush=True)
attach(stop=False)
print(f"result {walk(values)}", flush=True)
