"""Long calls, one a thread, that somebody attaches to. Prints "ready" when all are in their loops.

Each function's loop begins behind its first comment and ends at the line before its `return`."""

import threading

import numpy as np
from numba import njit


@njit(debug=True, nogil=True)
def plain(n):
    x = 1
    s = 0
    for i in range(n):  # at: plain
        x = (x * 5 + 3) % 1000003
        if x & 1:
            s += x
        else:
            s -= i & 7
    return s  # at: behind plain


@njit(debug=True, nogil=True)
def bits(n):
    x = 1
    for i in range(n):  # at: bits
        x ^= x << 13
        x ^= x >> 7
        y = x << 17
        x ^= y + i
    return x  # at: behind bits


@njit(debug=True, nogil=True)
def nested(n):
    s = 0.0
    for i in range(n):  # at: nested
        t = i * 0.5
        for j in range(1000000):
            t = t * 0.999 + j
            s += t
    return s  # at: behind nested


@njit(debug=True, nogil=True)
def counted(n):
    x = 1
    k = 0
    while k < n:  # at: counted
        if x & 1:
            x = (x * 5 + 3) % 1000003
        else:
            x = x + 7 - (x >> 1)
        k += 1
    return x  # at: behind counted


@njit(debug=True, nogil=True)
def walked(a, n):
    k = 0
    s = 0
    while s >= 0:  # at: walked
        k = a[k]
        s = (s + k) & n
    return s  # at: behind walked


@njit(debug=True, nogil=True)
def part(x, y):
    z = x * 0.5 + y  # at: part
    return z - y * 0.25


@njit(debug=True, nogil=True)
def calls(n):
    s = 0.0
    for i in range(n):  # at: calls
        s = part(s, i & 15)
    return s  # at: behind calls


@njit(debug=True, nogil=True)
def updates(a, n):
    for _ in range(n):  # at: updates
        for i in range(1, a.size - 1):
            a[i] = (a[i - 1] + a[i + 1]) * 0.5
    return a.sum()  # at: behind updates


@njit(debug=True, nogil=True)
def plane(a, n):
    r = 0
    while r < n:  # at: plane
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                a[i, j] = a[i, j] * 0.5 + i - j
        r += 1
    return a[0, 0]  # at: behind plane


BIG = 1 << 62
CALLS = {
    plain: (),
    bits: (),
    nested: (),
    counted: (),
    walked: (np.roll(np.arange(1000), 1),),
    calls: (),
    updates: (np.arange(100000.0),),
    plane: (np.ones((300, 300)),),
}

if __name__ == "__main__":
    for function, arguments in CALLS.items():
        if function is not walked:
            function(*arguments, 1)
        else:
            function.compile("(int64[::1], int64)")
    for function, arguments in CALLS.items():
        threading.Thread(target=function, args=(*arguments, BIG - 1), name=function.__name__, daemon=True).start()
    threading.Event().wait(0.5)
    print("ready", flush=True)
    threading.Event().wait()
