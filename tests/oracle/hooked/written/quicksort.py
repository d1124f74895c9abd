"""Sorting in place, by recursion."""

import numpy as np
from numba import njit


@njit(debug=True)
def partition(a, low, high):
    pivot = a[high]
    i = low - 1
    for j in range(low, high):
        if a[j] <= pivot:
            i += 1
            a[i], a[j] = a[j], a[i]
    a[i + 1], a[high] = a[high], a[i + 1]
    return i + 1


@njit(debug=True)
def quicksort(a, low, high):
    if low < high:
        middle = partition(a, low, high)
        quicksort(a, low, middle - 1)
        quicksort(a, middle + 1, high)
    return a


CALLS = [lambda: list(quicksort(np.array([5, 2, 9, 1, 7, 3]), 0, 5))]
