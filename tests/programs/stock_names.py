"""Names and lines that stock Numba writes otherwise than the source: of a parallel kernel, of what it makes of
`a.sum()` and of functions in functions."""

import numpy as np
from numba import njit, prange


def passing(function):
    def call(*args, **kw):
        return function(*args, **kw)

    return call


@passing
@njit(debug=True, parallel=True)
def rows(in_arr, my_scale, off__set, _arr_3):
    out_arr = np.zeros(in_arr.shape[0])
    part_sum = 0.0
    for row_idx in prange(in_arr.shape[0]):
        out_arr[row_idx] = in_arr[row_idx] * my_scale + off__set + _arr_3  # at: body
        part_sum += out_arr[row_idx]
    return part_sum


@njit(debug=True, parallel=True)
def total(a):
    s = a.sum()
    b = a * 2
    return s + b.sum()  # at: sums


@njit(debug=True)
def outer(n):
    def inner(v, w_w):
        both = v + w_w
        return both * 2  # at: inner

    t = inner(n, 3)
    return t + 1  # at: outer


def main():
    given = (np.arange(1.0, 9.0), 2.0, 3.0, 4.0)
    named = {}
    print(rows(*given, **named))
    print(total(np.arange(10.0)))
    print(outer(4))


main()
