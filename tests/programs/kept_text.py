import numpy as np
from numba import njit


@njit(debug=True)
def fill(name, n):
    k = 0
    for i in range(n):
        made = np.zeros(n)
        for j in range(n):
            made[j] = j * n  # at: body
        k += int(made[n - 1])
        if k > 50:
            raise ValueError("k")
    return k + len(name)


try:
    print(fill("hello", 9))
except ValueError as error:
    print(error)
