"""Print, as JSON, the results of parallel loops in each order, and the reports of race_check about others; argv: a
folder for Numba's cache, how many random loops are checked, and names of programs.py."""

import json
import os
import sys
import threading

os.environ["NUMBA_CACHE_DIR"] = sys.argv[1]

import numba
import numpy as np
from numba import njit, prange

import jitscope
from tests.races import oracle, programs

ORDERS = ("parallel", "dealt", "serial", "reverse", "shuffle")


@njit(parallel=True, cache=True)
def total(a):
    found = 0.0
    for i in prange(a.shape[0]):
        found += a[i] * 0.1
    return found


@njit(parallel=True, cache=True)
def turns(n):
    """Return the place of each iteration in the order of all, in one thread."""
    count, places, ids = np.zeros(1, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    for i in prange(n):
        places[i] = count[0]
        count[0] += 1
        ids[i] = numba.get_thread_id()
    return places, ids


@njit(parallel=True, cache=True)
def inner(a):
    for i in prange(a.shape[0]):
        a[i] += 1
    return a[0] + a[-1]


@njit(parallel=True, cache=True)
def outer(a, found):
    for i in prange(a.shape[0]):
        found[i] = inner(a[i])
    return found


@njit(cache=True)
def refused(i, n):
    if i == n:
        raise ValueError(i)
    return i + 1


@njit(parallel=True, cache=True)
def raising(a, n):
    for i in prange(a.shape[0]):
        a[i] = refused(i, n)
    return a


def said(call):
    try:
        return str(call())
    except (TypeError, ValueError, RuntimeError) as error:
        return f"{type(error).__name__}: {error}"


def orders(n):
    found = {}
    for order in ORDERS[2:]:
        with jitscope.schedule(order, seed=3):
            places, ids = turns(n)
        found[order] = [np.argsort(places).tolist(), ids.tolist()]
    return found


def raised(n):
    try:
        return raising(np.zeros(8, np.int64), n).tolist()
    except BaseException as error:
        return type(error).__name__


a = np.random.RandomState(1).rand(100_003)
before = total(a)
found = {"layer": numba.threading_layer(), "cached": sum(total.stats.cache_hits.values()), "total": before.hex()}
for name in sys.argv[3:]:
    function, arguments = (programs.CORRECT | programs.RACY)[name]
    report = jitscope.race_check(function, *arguments())
    found.setdefault("checked", {})[name] = str(report), report.as_dict()
found["random"] = oracle.check(7, int(sys.argv[2]))
found["said"] = [
    said(lambda: jitscope.race_check(refused, 1, 2)),
    said(lambda: jitscope.schedule("sideways")),
    said(lambda: jitscope.race_check(raising, (each for each in ()))),
]
found["totals"] = {}
for order in ORDERS:
    with jitscope.schedule(order):
        found["totals"][order] = total(a).hex()
found["after"] = total(a).hex()
found["orders"] = orders(8)
numba.set_num_threads(2)
found["masked"] = orders(8)
found["masked total"] = [total(a).hex(), *(jitscope.schedule(order) and total(a).hex() for order in ORDERS)]
jitscope.schedule("parallel")
numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
if found["layer"] != "workqueue":  # workqueue ends the process at the second launch
    found["nested"] = [outer(np.zeros((5, 100)), np.zeros(5)).tolist()]
for order in ORDERS[2:]:
    with jitscope.schedule(order):
        found.setdefault("nested", []).append(outer(np.zeros((5, 100)), np.zeros(5)).tolist())
found["raised"] = [raised(-1), raised(5), raised(0)]
if found["layer"] != "omp":  # GNU's library ends a child of fork
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os._exit(0 if total(a).hex() == found["total"] or found["layer"] == "tbb" else 1)
    found["forked"] = os.waitpid(child, 0)[1]
results = []
if found["layer"] != "workqueue":
    threads = [threading.Thread(target=lambda: results.append(total(a))) for _ in range(3)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    found["threads"] = max(abs(result - before) for result in results)
print(json.dumps(found))
