"""Ways over a board, by recursion with bits; hanoi; a mutual pair."""

from numba import int64, njit


@njit(debug=True)
def queens(n, row, columns, left, right):
    if row == n:
        return 1
    count = 0
    free = ~(columns | left | right) & ((1 << n) - 1)
    while free:
        bit = free & -free
        free ^= bit
        count += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1)
    return count


@njit(int64(int64, int64), debug=True)
def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    inner = ackermann(m, n - 1)
    return ackermann(m - 1, inner)


CALLS = [lambda: queens(4, 0, 0, 0, 0), lambda: ackermann(1, 2)]
