import ctypes
import os

from numba import njit


@njit(debug=True)
def getsize(n):
    return n + 1  # at: compiled


one = ctypes.CDLL(os.environ["FIRST_LIBRARY"])
print(getsize(3))
two = ctypes.CDLL(os.environ["SECOND_LIBRARY"])
print(one.getsize(4), two.getsize(4))
