"""Interpreted functions around compiled ones, which a debugger steps through after the first of these has returned."""

from numba import njit


@njit
def doubled(x):
    y = x * 2  # at: compiled
    return y


@njit
def later(x):
    z = x + 1  # at: later
    return z


def numbers(n):
    for i in range(n):
        yield i * 2


def raises(x):
    y = x + 1
    raise ValueError(y)


def passes(x):
    return raises(x)


def catches():
    try:
        passes(1)
    except ValueError as error:
        kept = str(error)
    return kept


def short(x): return x + 1  # fmt: skip  # noqa: E704


class Box:
    def __init__(self, n):
        self.n = n

    @property
    def size(self):
        return self.n * 2


def main():
    a = doubled(3)  # at: first
    text = catches()  # at: step
    total = 0
    for x in numbers(2):
        total += x
    with open("/dev/null", encoding="ascii") as file:
        total += len(file.name)
    ordered = sorted([3, 1, 2], key=lambda v: -v)  # at: sorted
    several = [  # at: several
        short(each) + 0
        for each in ordered
        if each > 1
    ]  # fmt: skip
    box = Box(total)  # at: box
    if box.size > 3:  # at: size
        total -= 1
    else:
        total += 1
    b = later(a)  # at: calls later
    while total > 8:
        total -= 1
    return a, b, text, total, several


result = main()  # at: module
print(result)
