"""A recursive function, which LLVM inlines once into its caller, and one that is inlined and calls nothing."""

from numba import njit


@njit(debug=True)
def factorial(n):
    if n <= 1:  # at: test
        return 1
    return n * factorial(n - 1)  # at: call


@njit(debug=True)
def top(n):
    a = factorial(n)  # at: outer
    b = a + 1  # at: next
    return b


print(top(5))
