"""Methods, generators, decorators and exceptions around compiled code, which a debugger steps through."""

import contextlib
import functools

from numba import njit


@njit
def squared(x):
    y = x * x  # at: compiled
    return y


@njit
def checked(x):
    if x < 0:
        raise ValueError("negative")
    return x + 1


class Base:
    def value(self):
        first = squared(self.size)
        return first + 1


class Derived(Base):
    def __init__(self, size):
        self.size = size

    def value(self):
        own = super().value()  # at: super
        return own * 2


def counted(n):
    for i in range(n):
        yield squared(i)
    return n


def chained(n):
    total = yield from counted(n)
    yield total


def firsts(values, n):
    for _ in range(n):
        yield next(values)


def doubling(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        found = function(*arguments)
        return found * 2

    return wrapper


@doubling
def added(x, y):
    z = squared(x) + y
    return z


def cleaned(log, x):
    try:
        found = checked(x)
        log.append(found)
    finally:
        log.append("end")
    return found


def main():
    a = squared(3)  # at: first
    box = Derived(a)
    b = box.value()  # at: method
    total = 0
    for v in chained(2):
        total += v
    several = [
        u
        for u in firsts(chained(3), 2)
    ]  # fmt: skip
    c = added(a, 1)  # at: decorated
    log = []
    with contextlib.suppress(ValueError):
        cleaned(log, -1)
        log.append("never")
    try:
        cleaned(log, 1)
        cleaned(log, -1)
    except ValueError as error:
        log.append(str(error))
    last = squared(2)
    return a, b, c, total, several, log, last


result = main()  # at: module
print(result)
