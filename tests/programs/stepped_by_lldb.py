"""Assigned variables, loops of plain arithmetic and others, a branch that is not taken: each line, as LLDB sees it."""

from numba import njit


@njit(debug=True)
def count(n):
    s = 0
    last = 0.5
    for i in range(n):  # at: loop
        k = i % 7  # at: item
        s += k  # at: sum
        last = s * 0.5  # at: last
    return s, last  # at: count-end


@njit(debug=True)
def nested(n):
    total = 0
    for i in range(n):
        for j in range(i):
            total += j
        half = total * 0.5  # at: half
    if n > 1000:
        never = 3
        total += never
    return total + half  # at: nested-end


if __name__ == "__main__":
    print(count(20))
    print(nested(5))
