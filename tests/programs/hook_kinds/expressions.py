"""What is more than one step on a line: comprehensions, f-strings, unrolled tuples, conditional expressions."""

from numba import literal_unroll, njit


@njit(debug=True)
def listed(n):
    squares = [i * i for i in range(n)]
    total = 0
    for value in squares:
        total += value
    return total


@njit(debug=True)
def nested_lists(n):
    rows = [[i * j for j in range(2)] for i in range(n)]
    last = rows[n - 1][1]
    return last


@njit(debug=True)
def gathered(n):
    found = set([i % 3 for i in range(n)])
    table = {k: k * 2 for k in range(n)}
    size = len(found) + len(table)
    return size


@njit(debug=True)
def formatted(n):
    text = f"n={n}!"
    more = text + f" twice: {n * 2}"
    return len(more)


@njit(debug=True)
def unrolled(x):
    total = 0.0
    for item in literal_unroll((1, 2.5, 3)):
        part = item * x
        total += part
    return total


@njit(debug=True)
def conditional(n):
    sign = 1 if n > 0 else -1
    both = n > 0 and n < 10 or sign == 1
    a, (b, c) = n, (n + 1, sign)
    a, b = b, a
    return a + b * c + both


CALLS = [
    lambda: listed(3),
    lambda: nested_lists(2),
    lambda: gathered(4),
    lambda: formatted(12),
    lambda: unrolled(2.0),
    lambda: conditional(4),
    lambda: conditional(-4),
]
