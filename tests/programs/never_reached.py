"""Lines that a function never comes to with the types and constants that it was compiled for."""

from numba import njit

VERBOSE = False


@njit(debug=True)
def scaled(n, by=None):
    if VERBOSE:
        n += 100  # at: constant
    if by is None:
        total = n  # at: none
    else:
        total = n * by  # at: given
    return total


if __name__ == "__main__":
    print(scaled(2), scaled(3), scaled(4, 2.5), scaled(5, 1))
