"""Values of several words in a compiled function, which prints them after its stop."""

from numba import njit


@njit(debug=True)
def look(n, t):
    kind = n
    z = n * 1j
    pair = (n, n + 1)
    kind = n * 2.5
    print(n, t[0], t[1], z, pair[0], kind)  # at: look
    return pair


print("result:", look(4, (8, 5.5))[0])
