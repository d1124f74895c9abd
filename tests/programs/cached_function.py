from numba import njit


@njit(debug=True, cache=True)
def foo(a):
    b = a + 1
    return b * 2
