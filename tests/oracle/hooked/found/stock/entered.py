"""Found at seed 91001 and NUMBA_OPT=0: what clears variables ahead of a `while True` has the line of its first
statement, which stopped in its midst in each later iteration."""

# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)

from numba import njit


@njit(debug=True)
def work(arg, brg):
    seen = {5}
    items = [4, 7]
    q = 0.5
    for j in range(1, brg):
        s = 0
        for i in range(brg % 4):
            seen.add(len(seen) * 3)
            s += 3
    for k in range(3):
        n = 0
        while True:
            seen.add(len(seen) * 3)
            n += 1
            if n > 3:
                break
            q += 5.0
            items.append(len(items))
    return len(seen) + q + arg


CALLS = [lambda: work(-2, 0), lambda: work(-1, 3)]
