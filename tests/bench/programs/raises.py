"""Prints how long a call takes that raises through five compiled functions, and one that does not, in seconds. With an
argument: functions that are too large to be inlined, each with two calls of the next one."""

import pathlib
import sys
import tempfile
import time

from numba import njit

TIMES = 20000


@njit
def deepest(x):
    if x > 3:
        raise ValueError("too large")
    return x


@njit
def fourth(x):
    return deepest(x) + 1


@njit
def third(x):
    return fourth(x) + 1


@njit
def second(x):
    return third(x) + 1


@njit
def first(x):
    return second(x) + 1


def chained(folder):
    """Return the first of five functions, whose source is in the folder."""
    work = "".join(f"    t = (t * 31 + x // {k}) % {1009 + k}\n" for k in range(3, 83))
    ends = ["    if x > 3:\n        raise ValueError('too large')\n    return t\n"]
    ends += [f"    if x < -{k}:\n        t += f{k - 1}(1)\n    return t + f{k - 1}(x)\n" for k in range(1, 5)]
    names = {"njit": njit}
    for number, end in enumerate(ends):
        path = pathlib.Path(folder, f"f{number}.py")
        path.write_text(f"@njit\ndef f{number}(x):\n    t = x\n{work}{end}")
        exec(compile(path.read_text(), str(path), "exec"), names)
    return names["f4"]


def raises():
    started = time.perf_counter()
    for _ in range(TIMES):
        try:
            first(9)
        except ValueError:
            pass
    return (time.perf_counter() - started) / TIMES


def returns():
    started = time.perf_counter()
    for _ in range(TIMES):
        first(1)
    return (time.perf_counter() - started) / TIMES


with tempfile.TemporaryDirectory() as made:
    if len(sys.argv) > 1:
        first = chained(made)
    first(1)
    raises()
    print(raises(), returns())
