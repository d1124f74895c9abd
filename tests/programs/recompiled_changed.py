"""Functions whose parts change after they were compiled, for a debugger that has them compiled anew.

Each round's results are compared with the first ones. A line is added to the file JITSCOPE_TEST_REPORT for each that
differs, and for each round whose signal handler's exception did not arrive."""

import os
import signal
import sys
import time
from collections import namedtuple

from numba import njit
from numba.extending import overload

K = 3
FACTOR = 4


@njit
def callee(x):
    return x + K  # at: callee


@njit
def caller(x):
    y = callee(x) * 2  # at: caller
    return y


@njit(inline="always")
def inlined(x):
    return x - K


@njit
def around(x):
    y = inlined(x) * 5  # at: around
    return y


def overloaded(x):
    raise NotImplementedError


@overload(overloaded, inline="always")
def for_overloaded(x):
    return lambda x: x * K


@njit
def beyond(x):
    y = overloaded(x) + 1  # at: beyond
    return y


@njit
def again(x):
    y = x * FACTOR  # at: again
    return y


@njit
def shared(x):
    return x + 0.25  # at: shared


@njit
def good(x):
    return shared(x) * 2.0


@njit(fastmath=True)
def bad(x):
    return shared(x) * 3.0


@njit(fastmath=True)
def worse(x):
    return shared(x) * 5.0


@njit
def unrelated(x):
    z = x * 7.0  # at: unrelated
    return z


def adding(k):
    @njit
    def added(x):
        return x + k  # at: added

    return added


@njit
def slow(x):
    a, b = [x], {1: x}
    a.append(x + 1.0)
    b[2] = a[1] * 2.0
    s = 0.0  # at: slow
    for v in sorted(a):
        s += v + b[2]
    return s


@njit
def last(x):
    r = x * 11  # at: last
    return r


class Late(Exception):
    pass


LISTED = []
LISTED.append(LISTED)


class Awkward:
    def __repr__(self):
        raise RuntimeError("no text")


TEXTLESS = {Awkward(): 1}


@njit
def named_like_globals(p):
    return p.LISTED + p.TEXTLESS


def results():
    return {
        "caller": caller(1),
        "around": around(1),
        "beyond": beyond(2),
        "again": again(2),
        "bad": bad(1.0),
        "good": good(1.0),
        "worse": worse(1.0),
        "unrelated": unrelated(1.0),
        "last": last(2),
    }


def report(text):
    with open(os.environ["JITSCOPE_TEST_REPORT"], "a") as file:
        file.write(text + "\n")


def profiled(frame, event, argument):
    """Report that the program's profiler sees the compiler at work."""
    if event == "call" and f"{os.sep}numba{os.sep}" in frame.f_code.co_filename:
        sys.setprofile(None)
        report(f"profiled: {frame.f_code.co_name}")


def came(number, frame):
    raise Late("in time")


def call_slow():
    """Call `slow` with a signal that comes during the call: its handler's exception reaches this function."""
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    value = None
    try:
        value = slow(1.0)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            time.sleep(0.01)
        report("slow: no exception came")
    except Late:
        if value not in (None, EXPECTED_SLOW):
            report(f"slow: {value} is not {EXPECTED_SLOW}")


EXPECTED_SLOW = slow.py_func(1.0)


def main():
    global FACTOR, K
    assert named_like_globals(namedtuple("P", "LISTED TEXTLESS")(1, 2)) == 3
    slow(1.0)
    expected = results()
    assert adding(3)(1.0) == 4.0
    K = 10
    callee.recompile()  # caller keeps the code that it was compiled with
    signal.signal(signal.SIGALRM, came)
    print("ready", flush=True)
    while True:
        if os.path.exists(os.environ["JITSCOPE_TEST_REPORT"] + ".again"):
            os.remove(os.environ["JITSCOPE_TEST_REPORT"] + ".again")
            FACTOR = 5
            again.recompile()
            expected["again"] = again(2)
            report(f"recompiled: {expected['again']}")
        sys.setprofile(profiled)
        found = results()
        sys.setprofile(None)
        for name in expected:
            if found[name] != expected[name]:
                report(f"{name}: {found[name]} is not {expected[name]}")
        if adding(3)(1.0) != 4.0:  # gone when a debugger comes
            report("added differs")
        call_slow()
        time.sleep(0.02)


if __name__ == "__main__":
    main()
