r"""
report: numba/numba#9423
what: A ufunc with contiguous arrays in its signature gets an array that is not, and reads beyond its elements.
before: break {body}
before: run
then: jit print arr
then: jit why arr
cause: arr is unknown: strides \(0,\) are not C order, which its type promises: compiled code reads its elements from
never: arr is exact
"""

import numba
import numpy as np


@numba.guvectorize(["void(int64[::1])"], "(n)")
def foo(arr):
    print("Array:", arr)
    print("Iterated:")
    for i in range(len(arr)):
        print(i, arr[i])  # at: body


foo(np.broadcast_to(np.array([4]), (3,)))
