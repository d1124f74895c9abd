from numba import njit


@njit(debug=True)
def foo(n):
    x = 1
    y = x + n

    def more(t):  # inlined, after which Numba removes what nothing reads
        return t + 1

    for i in range(n):
        x = 2
        y += more(i)
    z = y
    return z  # at: end


print(foo(4))
