"""A function that is cached as a part of its caller: in a second process its own dispatcher has no code."""

from numba import njit


@njit(cache=True)
def inner(x):
    y = 0.0
    for i in range(x):
        y = y / 3.0 + i  # at: inner
    return y


@njit(cache=True)
def outer(x):
    return inner(x) + 1


def main():
    outer(50)
    print("ready", flush=True)
    while True:
        outer(50)


main()
