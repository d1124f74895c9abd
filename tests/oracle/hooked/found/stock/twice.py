"""What a program found wrong once at NUMBA_OPT=0: the code of one statement that lies in pieces, with another line's
between them, so that its line stopped again where its items were added already."""

from numba import njit


@njit(debug=True)
def added(n, x):
    seen = {5}
    seen.add(len(seen) * 3)
    most = max(n, 2)
    for i in range(n):
        seen.discard(5)
        x += i
    seen.add(len(seen) * 7)
    pair = (min(n, most), n + n, n % 3)
    return x + pair[0]


@njit(debug=True)
def in_a_try(n):
    seen = {n, 2}
    seen.add(len(seen) * 3)
    extra = 4.5
    try:
        seen.add(len(seen) + 9)
        if n > 2:
            raise IndexError("no")
        extra = min(n, 2) * 0.5
    except Exception:
        seen.add(n * 4)
    return extra


@njit(debug=True)
def one_line(n):
    seen = {1}
    while len(seen) < n: seen.add(len(seen) * 2)  # fmt: skip  # noqa: E701
    for i in range(n): seen.add(i)  # fmt: skip  # noqa: E701
    return len(seen)


@njit(debug=True)
def put(n):
    table = {1: 0.5}
    table[len(table)] = 2.5
    names = [n]
    names.append(len(names))
    table[n] = 0.25
    return table[1] + names[0]


CALLS = [
    lambda: added(3, 0.5),
    lambda: added(0, 1.0),
    lambda: in_a_try(1),
    lambda: in_a_try(5),
    lambda: one_line(5),
    lambda: put(4),
    lambda: put(1),
]
