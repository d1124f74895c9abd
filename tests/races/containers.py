"""Print, as JSON, what race_check() says of loops that change and read containers: those below, and random ones with
what Python knows about them; argv: a folder for the random loops' files, and how many there are."""

import ctypes
import importlib.util
import json
import pathlib
import random
import sys

import numpy as np
from numba import deferred_type, njit, objmode, prange, types
from numba.experimental import jitclass
from numba.typed import Dict, List

import jitscope
from tests.races import oracle


def numbers():
    made = Dict.empty(types.int64, types.int64)
    made[1] = 5
    return made


# -- loops that race


@njit
def extend(found, x):
    found.append(x)


@njit(parallel=True)
def appended(found, n):
    for i in prange(n):
        if i % 2:
            found.append(1.0)  # at: appended


@njit(parallel=True)
def several(items, counts, kinds, n):
    for i in prange(n):
        extend(items, 3)
        counts[i] = 2  # at: counts
        kinds.add(2.5)  # at: kinds


@jitclass([("items", types.ListType(types.int64)), ("sums", types.float64[:])])
class Box:
    def __init__(self, n):
        self.items = List.empty_list(types.int64)
        self.sums = np.zeros(n)

    def add(self, x):
        self.items.append(x)


@njit(parallel=True)
def boxed(n):
    box = Box(3)
    for i in prange(n):
        box.add(i)
        box.sums[0] += 1  # at: sums
    return box.sums[0]


BOX = Box.class_type.instance_type


@jitclass([("sums", types.float64[:]), ("tail", types.float64[:]), ("box", BOX)])
class Given:
    def __init__(self, n):
        self.sums = np.zeros(n)
        self.tail = self.sums[1:]
        self.box = Box(n)


@njit(parallel=True)
def given(whole, out):
    for i in prange(2, out.size):
        whole.sums[i] = whole.tail[i - 2] + 1  # at: given
        out[i] = whole.box.sums[i]


node = deferred_type()


@jitclass([("next", types.optional(node)), ("sums", types.float64[:])])
class Node:
    def __init__(self, n):
        self.next = None
        self.sums = np.zeros(n)


node.define(Node.class_type.instance_type)


@njit(parallel=True)
def circle(whole):
    for i in prange(whole.sums.size):
        whole.sums[i] = i


# -- loops that do not


@njit(parallel=True)
def own(items, counts, out):
    for i in prange(out.size):
        mine = [1.0]
        for k in range(3):
            mine.append(k * 1.0)
        out[i] = len(items) + items[i % 2] + counts[1] + len(mine)
        for item in items:
            out[i] += item


@njit(parallel=True)
def in_c(a, items):
    out = np.zeros(len(a))
    for i in prange(len(a)):
        out[i] = np.dot(a[i], a[i]).sum() + np.linalg.solve(a[i], a[i])[0, 0]
        with objmode():
            str(i)  # at: objmode
        items[i % 2] = 3  # at: items
    return out


sine = ctypes.CDLL("libm.so.6").sin
sine.argtypes, sine.restype = [ctypes.c_double], ctypes.c_double


@njit("float64(float64)")
def doubled(x):
    return x * 2


@njit("float64(float64)")
def halved(x):
    return x / 2


@njit(parallel=True)
def elsewhere(a, functions):
    for i in prange(a.size):
        a[i] = sine(a[i])  # at: c
        a[i] += functions[i % 2](a[i])  # at: address


# -- results that differ without parallel=True


@njit(parallel=True)
def carried(a):
    last = 0.0
    for i in prange(a.size):
        a[i] = last
        last = a[i] + 1
    return a.sum()


@njit(parallel=True)
def summed(a):
    total = 0.0
    for i in prange(a.size):
        total += a[i]
    return total


# -- random loops

STATEMENTS = {
    "found": ("found.append(1.0)", "found[i % 2] = 2.0", "t += len(found)", "t += found[0]", "found.pop()"),
    "items": ("items.append(i)", "items[1] = i", "t += items[i % 3]", "t += len(items)", "extend(items, i)"),
    "counts": ("counts[i] = 1", "t += counts[1]", "t += 1 if i in counts else 0", "t += len(counts)"),
    "kinds": ("kinds.add(i * 0.5)", "t += 1 if 1.5 in kinds else 0", "t += len(kinds)"),
    "": ("mine = List([1, 2])", "mine = [1.0, 2.0]", "mine = {1.5}", "a[i] += 1"),
}
CHANGES = ("append", "pop", "extend", "add(", "counts[i] =")


def random_loop(seed):
    """Return the text of a loop, and its statements: the container, what divides the iterations that run it, the rest
    of that division, and whether it changes the container."""
    chosen = random.Random(seed)
    statements, lines = [], []
    for _ in range(chosen.randint(2, 5)):
        name = chosen.choice(list(STATEMENTS))
        text, divisor = chosen.choice(STATEMENTS[name]), chosen.choice((1, 2, 3, 40))
        rest = chosen.randrange(divisor)
        lines += [f"        if i % {divisor} == {rest}:", f"            {text}"]
        statements.append((name, divisor, rest, any(change in text for change in CHANGES)))
    head = """from numba import njit, prange
from numba.typed import List

@njit
def extend(items, x):
    items.append(x)

@njit(parallel=True)
def loop(found, items, counts, kinds, a):
    t = 0.0
    for i in prange(a.shape[0]):
"""
    return head + "\n".join(lines) + "\n        t += a[i]\n    return t\n", statements


def raced(statements, worker_of):
    """Return the containers that one worker changes and another one uses."""
    uses = {}
    for name, divisor, rest, changes in statements:
        for i, worker in enumerate(worker_of):
            if name and i % divisor == rest:
                uses.setdefault(name, set()).add((worker, changes))
    return sorted(
        name
        for name, each in uses.items()
        if any(one != other and changes for one, changes in each for other, _ in each)
    )


def check_random(folder, count):
    worker_of = oracle.shares(0, 40)
    wrong, racy = [], 0
    for seed in range(count):
        text, statements = random_loop(seed)
        file = folder / f"loop_{seed}.py"
        file.write_text(text)
        spec = importlib.util.spec_from_file_location(file.stem, file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        arguments = ([1.0] * 50, List([1, 2, 3]), numbers(), {1.5, 2.5}, np.ones(40))
        report = jitscope.race_check(module.loop, *arguments)
        expected = raced(statements, worker_of)
        racy += bool(expected)
        if sorted({race.array for race in report.races}) != expected or bool(report) == bool(expected):
            wrong.append([text, expected, str(report)])
    return {"loops": count, "racy": racy, "wrong": wrong}


if __name__ == "__main__":
    whole, ring = Given(30), Node(9)
    ring.next = ring
    cases = {
        "appended": (appended, [1.0], 20),
        "several": (several, List([1, 2]), numbers(), {1.5, 2.5}, 20),
        "boxed": (boxed, 20),
        "given": (given, whole, np.ones(30)),
        "circle": (circle, ring),
        "own": (own, List([1, 2]), numbers(), np.zeros(30)),
        "in_c": (in_c, np.random.RandomState(1).rand(5, 3, 3), List([1, 3])),
        "elsewhere": (elsewhere, np.ones(9), (doubled, halved)),
        "carried": (carried, np.ones(10)),
        "summed": (summed, np.random.RandomState(1).rand(1000) - 0.5),
    }
    said = {name: str(jitscope.race_check(*case)) for name, case in cases.items()}
    said["changed"] = str(whole.sums.any() or whole.tail.any())
    print(json.dumps({"said": said, "random": check_random(pathlib.Path(sys.argv[1]), int(sys.argv[2]))}))
