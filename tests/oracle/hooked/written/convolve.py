"""A picture that is blurred, with borders; two parallel axes."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def blur(image, kernel):
    h, w = image.shape
    k = kernel.shape[0] // 2
    out = np.zeros((h, w))
    for y in prange(h):
        for x in prange(w):
            total = 0.0
            weight = 0.0
            for dy in range(-k, k + 1):
                yy = y + dy
                if yy < 0 or yy >= h:
                    continue
                for dx in range(-k, k + 1):
                    xx = x + dx
                    if 0 <= xx < w:
                        total += image[yy, xx] * kernel[dy + k, dx + k]
                        weight += kernel[dy + k, dx + k]
            out[y, x] = total / weight
    return out.sum()


CALLS = [lambda: blur(np.arange(6.0).reshape(2, 3), np.ones((3, 3)))]
