"""Functions that are compiled in another order than they stand in; two have one name."""

import numba as nb


class A:
    @nb.njit(debug=True)
    def run(n):
        n += 2
        return n * 2  # at: a-run


class B:
    @nb.njit(debug=True)
    def run(n):
        m = n + 1
        return m  # at: b-run


@nb.njit(debug=True)
def looped(n):
    t = 0
    for i in range(n):  # at: looped
        t += i * i
    return t


@nb.njit(debug=True)
def last(n):
    return n - 1


print(last(3), B.run(4), A.run(5), A.run(6), looped(3))
