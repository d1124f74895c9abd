"""Escape times, in parallel over rows."""

import numpy as np
from numba import njit, prange


@njit(debug=True)
def escape(c, limit):
    z = 0j
    for turn in range(limit):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag > 4.0:
            return turn
    return limit


@njit(debug=True, parallel=True)
def mandelbrot(width, height, limit):
    image = np.zeros((height, width), dtype=np.int32)
    for y in prange(height):
        im = -1.0 + 2.0 * y / height
        for x in range(width):
            re = -2.0 + 3.0 * x / width
            image[y, x] = escape(complex(re, im), limit)
    return image.sum()


CALLS = [lambda: mandelbrot(3, 4, 6)]
