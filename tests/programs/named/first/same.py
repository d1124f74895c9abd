from numba import njit


@njit(debug=True)
def shared(a):
    b = a + 1
    return b * 2  # at: result
