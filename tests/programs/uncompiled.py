"""Lines that never stop: of no function, of functions that nothing compiles, or that have no debug information."""

from numba import njit
from packaged import packaged_kernels as kernels


@njit(debug=True)
def described(n):
    return n + 1  # at: described


class Account:
    rate = 3  # at: class

    def balance(self):
        return self.rate  # at: method


def main():
    first = kernels.bare(10) + described(1)  # at: main
    print(first, kernels.helper(2), kernels.compiled(3), Account().balance())


main()  # at: module
