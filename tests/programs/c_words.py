"""A function and variables with names that C has for its types."""

from numba import njit


@njit(debug=True)
def signed(short, unsigned, union):
    long = short * 2
    char = long + unsigned  # at: words
    return char * union


for count in range(5):
    signed(count, 2.5, 7 - count)
