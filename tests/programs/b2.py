import numpy as np
from numba import gdb, njit


@njit(debug=True)
def foo(a):
    gdb("-ex", "break dgesdd_", "-ex", "c", "-ex", "bt")
    return np.linalg.svd(a)[1]  # at: calls


a = np.arange(70.0).reshape(10, 7)
foo.compile("(float64[:, ::1],)")
print("call", flush=True)
print(foo(a).size)  # at: call
