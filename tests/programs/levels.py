"""Functions whose level nobody has asked for, and some whose level somebody has: each says what it was compiled at.
With COME_AND_GO in the environment, a file: one is compiled before a debugger comes, one while it is there, one when it has gone."""

import os
import re
import sys
import time

from numba import njit

import jitscope
from jitscope.stops import tracer


def make():
    @njit(debug=True)
    def spin(n):
        total = 7
        for i in range(n):
            k = total % 13  # at: other
            total = (total * 31 + k) % 1009  # at: body
        return total  # at: behind

    return spin


@njit(debug=True)
def during(n):
    total = 4
    for i in range(n):
        total += i * i  # at: during
    return total


@njit(debug=True, fastmath=True)
def fast(n):
    total = 0.0
    for i in range(n):
        total += i * 0.5  # at: fast-body
    return total  # at: fast


@jitscope.exact
@njit(debug=True)
def kept_exact(n):
    total = 1
    for i in range(n):
        k = total % 13
        total += i + k  # at: kept-body
    return total


@njit(debug=True, cache=True)
def cached(n):
    total = 2
    for i in range(n):
        total += i
    return total


@njit(cache=True)
def cached_without(n):
    total = 3
    for i in range(n):
        total += i
    return total


def say(name, function, argument=40):
    result = function(argument)
    assert result == function.py_func(argument)
    (overload,) = function.overloads.values()
    if function.stats.cache_hits:
        how = "cached"
    else:
        made = re.search(rb"jitscope/\d+ (\w+) ([\w-]+)", overload.library._get_compiled_object())
        how = b" ".join(made.groups()).decode() if made else "compiled"
    print(name, how, flush=True)


def come_and_go():
    before, after = make(), make()
    kept_exact(40)
    say("before", before)
    print("ready", flush=True)
    while not tracer():
        before(10_000)
    before(10_000)  # the debugger may have come outside of the first
    say("during", during)
    kept_exact(40)
    while tracer():
        time.sleep(0.01)
    with open(os.environ["COME_AND_GO"], "w") as file:
        sys.stdout = file
        say("after", after)


if "COME_AND_GO" in os.environ:
    come_and_go()
else:
    say("spin", make())
    say("fast", fast)
    say("kept_exact", kept_exact)
    if "cached" in sys.argv:
        say("cached", cached)
        say("cached_without", cached_without)
