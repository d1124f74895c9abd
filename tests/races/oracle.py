"""Random loops, checked by race_check, by the records at `steps` (`jit region -writes`), and by Python itself, which
knows the reads and writes of each iteration."""

import random

import numba
import numpy as np
from numba import njit, prange

import jitscope
from tests.races import recorded


@njit(parallel=True)
def loop(a, b, how):
    w, wc, wm, r, rc, rm, t, tc, tm, every = how
    for i in prange(every[0], every[1]):
        b[(w * i + wc) % wm] = a[(r * i + rc) % rm]
        if i % every[2] == 0:
            a[(t * i + tc) % tm] += b[(w * i + wc) % wm]


stepped = jitscope.steps(njit(debug=True, parallel=True)(loop.py_func))


@njit(parallel=True)
def dealt(begin, end):
    workers = np.empty(end - begin, np.int64)
    for i in prange(begin, end):
        workers[i - begin] = numba.get_thread_id()
    return workers


def shares(begin, end):
    """Return the worker of each iteration."""
    with jitscope.schedule("serial"):
        return dealt(begin, end).tolist()


def truth(begin, end, worker_of, how, same):
    """Return the elements that two workers access, and one of them writes: arrays' names and indices."""
    w, wc, wm, r, rc, rm, t, tc, tm, every = how
    had = {}
    for i in range(begin, end):
        accesses = [("b", (w * i + wc) % wm, True), ("a", (r * i + rc) % rm, False)]
        if i % every[2] == 0:
            at = (t * i + tc) % tm
            accesses += [("a", at, True), ("a", at, False), ("b", (w * i + wc) % wm, False)]
        for name, index, writes in accesses:
            had.setdefault(("a" if same else name, index), set()).add((worker_of[i - begin], writes))
    return {
        place for place, by in had.items() if any(writes for _, writes in by) and len({worker for worker, _ in by}) > 1
    }


def one(draw):
    n, kind = draw.randrange(8, 40), draw.choice([np.int8, np.float32])
    begin = draw.randrange(0, 3)
    end = begin + draw.randrange(1, 40)
    same = draw.random() < 0.2

    def index():
        return draw.choice([1, 1, 1, 2, 3, n - 1]), draw.choice([0, 0, 1, n - 1]), draw.choice([n, n, n // 2 + 1])

    how = (*index(), *index(), *index(), (begin, end, draw.choice([1, 2, 5, 1000])))
    step = draw.choice([2, 3, -1])
    whole = np.arange(n * abs(step)).astype(kind)
    a = whole[::step][:n] if step > 0 else whole[::-1]
    b = a if same else np.zeros(2 * n, kind)[::2]
    worker_of = shares(begin, end)
    expected = truth(begin, end, worker_of, how, same)
    report = jitscope.race_check(loop, a, b, how)
    found = {("a" if same else race.array, *index) for race in report.races for index in race.indices}
    wrong = [] if found == expected else [repr((how, n, kind, step, same)), str(report), repr(sorted(found ^ expected))]
    with jitscope.record_writes():
        stepped(a, b, how)
    records = recorded.records()
    told = {("a" if same else each["array"], *index) for each in records["overlaps"] for index in each["indices"]}
    if told != expected or any(worker["lost"] or worker["late"] for worker in records["workers"]):
        wrong.append(repr((how, n, kind, step, same, records, sorted(told ^ expected))))
    if not expected and report.differences:
        wrong.append(str(report))
    return bool(expected), wrong


def check(seed, count):
    """Return the number of loops, how many of them race, and the errors."""
    draw = random.Random(seed)
    results = [one(draw) for _ in range(count)]
    return {"loops": count, "racy": sum(racy for racy, _ in results), "wrong": [w for _, w in results if w]}
