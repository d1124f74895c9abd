from numba import njit


@njit(debug=True)
def foo(n):
    total = 0
    for i in range(n):
        twice = i * 2
        total += twice  # at: body
    return total


print(foo(5))
