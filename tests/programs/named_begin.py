from numba import njit


@njit(debug=True)
def begin(a):
    b = a + 1
    return b


print(begin(3))
