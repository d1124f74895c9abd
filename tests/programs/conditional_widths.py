"""A loop with a name of each type of number, and of what holds them, for generated conditions."""

import numpy as np
from numba import njit


@njit(debug=True)
def wide(n, i8, i16, u8, u16, u32, u64, f4, f8, b, a, m, t, text):  # at: def
    s = 0
    for i in range(n):
        k = i % 7 - 3
        x = f8 * k
        s += k * u8
        s = s  # at: line
    return s


ARGUMENTS = (
    40, np.int8(-7), np.int16(300), np.uint8(200), np.uint16(65000), np.uint32(4000000000), np.uint64(2**63 + 5),
    np.float32(0.1), 2.5, True, np.arange(-3, 9), np.arange(12.0).reshape(3, 4) / 8, (4, 2.5, -1), "abc",
)  # fmt: skip

if __name__ == "__main__":
    print(wide(*ARGUMENTS))
