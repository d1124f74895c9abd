"""A loop whose variables a log point writes."""

import numpy as np
from numba import njit


@njit
def scan(values, k, name):
    total = 0.0
    for i in range(len(values)):
        part = values[i] * k
        total += part  # at: log
    return total


if __name__ == "__main__":
    print(scan(np.arange(12.0), 3, "däta"))
