"""Parallel loops: plain, nested, with a reduction, in a closure, over a tuple's parts; an array expression."""

import numba
import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def scaled(a, my_scale):
    my_sum = 0.0
    for i in prange(a.shape[0]):  # at: header
        t_1 = a[i] * my_scale
        my_sum += t_1  # at: body
        a[i] = t_1  # at: last
    return my_sum  # at: after


@njit(debug=True, parallel=True)
def grid(a):
    for row in prange(a.shape[0]):
        for col in prange(a.shape[1]):
            a[row, col] = row * 10 + col  # at: inner
        b = row * 2
        a[row, 0] = b  # at: outer
    return a


@njit(debug=True, parallel=True)
def negative(a):
    for k in prange(-3, 3):
        a[k + 3] = k  # at: negative
    return a


@njit(debug=True, parallel=True)
def expression(a, b):
    c = a + b * 2  # at: expression
    return c  # at: returned


@njit(debug=True, parallel=True)
def pairs(a):
    for index in numba.pndindex(a.shape):
        a[index] = index[0]  # at: pairs
    return a


def make():
    @njit(debug=True, parallel=True)
    def closure(x, pair):
        n, scale = pair
        for k in prange(n):
            x[k] += scale  # at: closure
        return x

    return closure


@njit(debug=True, parallel=True)
def outer(x):
    def fill(y, value):
        total = value + 1
        for j in prange(y.shape[0]):
            y[j] = total  # at: inlined
        return y

    total = 5
    return fill(x, total)


@njit(debug=True, parallel=True)
def in_turn(a):
    first = np.zeros(a.size)
    second = np.ones(a.size)
    for i in prange(a.size):
        first[i] = a[i] * 2  # at: first
    for j in prange(a.size):
        half = first[j] * 0.5
        second[j] += half  # at: second
    return second


def main():
    print("scaled", scaled(np.arange(20.0), 0.5))
    print("grid", grid(np.ones((6, 3))).tolist())
    print("negative", negative(np.zeros(6)).tolist())
    print("expression", expression(np.ones(8), np.arange(8.0)).tolist())
    print("pairs", pairs(np.zeros((2, 3))).tolist())
    print("closure", make()(np.ones(6), (6, 2.5)).tolist())
    print("outer", outer(np.zeros(4)).tolist())
    print("in_turn", in_turn(np.arange(6.0)).tolist())


if __name__ == "__main__":
    main()
