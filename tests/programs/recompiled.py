"""Functions without debug information that Python calls in rounds, for a debugger that comes while they run.

Each round's results are compared with those of the interpreter. A line is added to the file JITSCOPE_TEST_REPORT for
each that differs, and whenever the code of `scan` changes."""

import os
import threading
import time

import numpy as np
from numba import njit, prange, vectorize

K = 3
TABLE = np.array([1.0, 2.0, 4.0])
RECORD = np.dtype([("a", np.int64), ("b", np.float64)])


@njit
def double(x, j):
    t = x * 2.0
    if j == 13:
        t += 100.0  # at: thirteen
    return t


@njit
def scan(a, n):
    total = 0.0
    for j in range(n):
        v = double(a[j % a.size], j)
        total += v  # at: sum
    return total


def scaled_by(scale):
    @njit
    def scaled(x):
        r = x * scale  # at: scale
        return r

    return scaled


scaled = scaled_by(2.5)


@njit("float64(float64)")
def signed(x):
    s = x + 0.5 + np.empty(0, RECORD).size  # at: signed
    return s


@njit(["float64(float64, float64)", "int64(int64, int64)"])
def several(a, b):
    c = a * b  # at: several
    return c


@njit
def omitted(x, y=4):
    z = x + y  # at: omitted
    return z


@njit(parallel=True)
def rows(a):
    total = 0.0
    for i in prange(a.size):
        w = a[i] * 2.0  # at: body
        total += w
    return total


@njit
def factorial(n):
    if n <= 1:
        return 1
    m = n * factorial(n - 1)  # at: itself
    return m


@njit
def rebound(x):
    y = x + K  # at: rebound
    return y


@njit
def looked_up(i):
    t = TABLE[i % 3]  # at: table
    return t


@njit
def counted(n):
    for i in range(n):
        k = i * 2  # at: counted
        yield k


@njit
def counts(n):
    s = 0
    for g in counted(n):
        s += g
    return s


@njit(fastmath=True)
def fast(a):
    s = 0.0
    for x in a:
        s += x  # at: fast
    return s


@vectorize
def tripled(x):
    d = x * 3  # at: ufunc
    return d


@njit(nogil=True)
def busy(n):
    s = 0
    for i in range(n):
        s += i % 7  # at: busy
    return s


A = np.arange(11.0)


def results():
    return {
        "scan": scan(A, 20),
        "scaled": scaled(4),
        "signed": signed(3),
        "several": (several(2, 3), several(2.0, 3.0), several(np.float32(2), 3)),
        "omitted": (omitted(1), omitted(1, 2), omitted(x=5)),
        "rows": rows(A),
        "factorial": factorial(10),
        "rebound": rebound(5),
        "looked_up": looked_up(2),
        "counts": counts(6),
        "fast": fast(A),
        "tripled": float(tripled(2.0)),
    }


def interpreted():
    """Return the results of the interpreter, which calls no compiled function."""
    compiled = {name: value for name, value in globals().items() if hasattr(value, "py_func")}
    globals().update({name: value.py_func for name, value in compiled.items()})
    try:
        found = results()
    finally:
        globals().update(compiled)
    return {**found, "several": (6, 6.0, 6.0)}  # the interpreter does not convert arguments


def report(text):
    with open(os.environ["JITSCOPE_TEST_REPORT"], "a") as file:
        file.write(text + "\n")


def code_of_scan():
    return next(iter(scan.overloads.values())).entry_point


def main():
    global K
    expected = interpreted()
    found = results()
    assert found == expected, (found, expected)
    K = 10  # what was compiled keeps the first value
    TABLE[2] = 9.0
    threading.Thread(target=lambda: [busy(10**7) for _ in iter(int, 1)], daemon=True).start()
    first = before = code_of_scan()
    while busy.signatures == []:
        time.sleep(0.01)
    print("ready", flush=True)
    while True:
        found = results()
        for name in expected:
            if found[name] != expected[name]:
                report(f"{name}: {found[name]} is not {expected[name]}")
        if code_of_scan() is not before:
            before = code_of_scan()
            report("first" if before is first else "other")
        time.sleep(0.02)


if __name__ == "__main__":
    main()
