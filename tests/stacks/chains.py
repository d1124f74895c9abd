"""Makes programs whose threads are in chains of calls that are known by construction: interpreted functions, compiled
ones, object mode, callbacks from C, generators, methods of jitclasses, gufuncs and recursion, in any order."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

HEAD = """\
import ctypes
import json
import os
import sys
import threading
import time

import numpy as np
from numba import cfunc, guvectorize, int64, njit, objmode
from numba.experimental import jitclass

COMPARE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64))
libc = ctypes.CDLL(None)
libc.usleep.argtypes = [ctypes.c_uint]
usleep = libc.usleep


def stop(x):
    time.sleep(3600)  # @stop
    return x


@njit(nogil=True)
def nap(x):
    usleep(999999999)  # @nap
    return x

"""

TAIL = """

def main():
    threads = [threading.Thread(target=first, args=(1,), daemon=True) for first in FIRST]
    for thread in threads:
        thread.start()
    print("ready", json.dumps([thread.native_id for thread in threads]), flush=True)
    for line in sys.stdin:
        frames = sys._current_frames()
        own = []
        for thread in threads:
            frame, found = frames[thread.ident], []
            while frame is not None:
                code = frame.f_code
                found.append([getattr(code, "co_qualname", code.co_name), code.co_filename, frame.f_lineno])
                frame = frame.f_back
            own.append(found)
            del frame
        print(json.dumps(own), flush=True)


if __name__ == "__main__":
    main()
"""

# Functions that call `g`, as `f`: their source, and their frames (kind, name, mark of the line), the outermost first;
# a native one stands for all of C, and its name is part of theirs.
# Those of `compiled` can be called by compiled code; those of `calls_any` can call interpreted functions.
KINDS: dict[str, tuple[str, list[tuple[str, str, str]]]] = {
    "function": (
        "def {f}(x):\n    y = {g}(x)  # @{f}\n    return y + 1\n",
        [("python", "{f}", "{f}")],
    ),
    "key": (
        "def {f}(x):\n    y = sorted([x, x], key={g})  # @{f}\n    return y[0]\n",
        [("python", "{f}", "{f}")],
    ),
    "generator": (
        "def {f}_items(x):\n    yield {g}(x)  # @{f}_items\n\n\n"
        "def {f}(x):\n    for y in {f}_items(x):  # @{f}\n        return y\n",
        [("python", "{f}", "{f}"), ("python", "{f}_items", "{f}_items")],
    ),
    "qsort": (
        "def {f}_compare(a, b):\n    {g}(a[0])  # @{f}_compare\n    return 0\n\n\n"
        "{f}_pointer = COMPARE({f}_compare)\n\n\n"
        "def {f}(x):\n    two = (ctypes.c_int64 * 2)(x, x)\n    libc.qsort(two, 2, 8, {f}_pointer)  # @{f}\n"
        "    return x\n",
        [("python", "{f}", "{f}"), ("native", "qsort", ""), ("python", "{f}_compare", "{f}_compare")],
    ),
    "object mode": (
        '@njit(nogil=True)\ndef {f}(x):\n    with objmode(y="int64"):  # @{f}\n        y = {g}(x)  # @{f}_inside\n'
        "    return y + 1\n",
        [("jit", "{f}", "{f}"), ("jit", "{f}", "{f}_inside")],
    ),
    "compiled": (
        "@njit(nogil=True)\ndef {f}(x):\n    y = {g}(x)  # @{f}\n    return y + 1\n",
        [("jit", "{f}", "{f}")],
    ),
    "recursive": (
        "@njit(nogil=True)\ndef {f}_deep(x):\n    if x < 100:\n        y = {g}(x)  # @{f}_deep\n        return y\n"
        "    y = {f}_deep(x - 100)  # @{f}_again\n    return y + 1\n\n\n"
        "@njit(nogil=True)\ndef {f}(x):\n    y = {f}_deep(x + 300)  # @{f}\n    return y\n",
        [("jit", "{f}", "{f}"), *[("jit", "{f}_deep", "{f}_again")] * 3, ("jit", "{f}_deep", "{f}_deep")],
    ),
    "compiled generator": (
        "@njit(nogil=True)\ndef {f}_items(x):\n    for i in range(2):\n        y = {g}(x)  # @{f}_items\n"
        "        yield y\n\n\n"
        "@njit(nogil=True)\ndef {f}(x):\n    total = 0\n    for y in {f}_items(x):  # @{f}\n        total += y\n"
        "    return total\n",
        [("jit", "{f}", "{f}"), ("jit", "{f}_items", "{f}_items")],
    ),
    "method": (
        '@jitclass([("v", int64)])\nclass {f}_K:\n    def __init__(self, v):\n        self.v = v\n\n'
        "    def method(self, x):\n        y = {g}(x)  # @{f}_K\n        return y + self.v\n\n\n"
        "@njit(nogil=True)\ndef {f}(x):\n    k = {f}_K(x)\n    y = k.method(x)  # @{f}\n    return y\n",
        [("jit", "{f}", "{f}"), ("jit", "{f}_K.method", "{f}_K")],
    ),
    "inlined": (
        '@njit(nogil=True, inline="always")\ndef {f}_in(x):\n    y = {g}(x)  # @{f}_in\n    return y + 2\n\n\n'
        "@njit(nogil=True)\ndef {f}(x):\n    y = {f}_in(x)  # @{f}\n    return y + 1\n",
        [("jit", "{f}", "{f}_in")],  # Numba itself has put the statements into `f`
    ),
    "C callback": (
        '@cfunc("int64(int64)")\ndef {f}_c(x):\n    y = {g}(x)  # @{f}_c\n    return y + 1\n\n\n'
        "def {f}(x):\n    return {f}_c.ctypes(x)  # @{f}\n",
        [("python", "{f}", "{f}"), ("jit", "{f}_c", "{f}_c")],
    ),
    "gufunc": (
        '@guvectorize([(int64[:], int64[:])], "(n)->()")\ndef {f}_gu(x, out):\n    y = {g}(x[0])  # @{f}_gu\n'
        "    out[0] = y\n\n\ndef {f}(x):\n    {f}_gu(np.array([x, x]))  # @{f}\n    return x\n",
        [("python", "{f}", "{f}"), ("python", "GUFunc.__call__", ""), ("native", "ufunc", ""),
         ("jit", "{f}_gu", "{f}_gu")],
    ),
}  # fmt: skip
INTERPRETED = ("function", "key", "generator", "qsort", "C callback", "gufunc")
CALLS_ANY = ("function", "key", "generator", "qsort", "object mode")
ENDS = {
    "stop": [("python", "stop", "stop"), ("native", "sleep", "")],
    "nap": [("jit", "nap", "nap"), ("native", "sleep", "")],
}


@dataclass
class Chain:
    """The calls of one thread: its functions, and its frames with the innermost first."""

    source: str
    first: str
    frames: list[tuple[str, str, str]]
    kinds: list[str] = field(default_factory=list)


@dataclass
class Program:
    source: str
    chains: list[Chain]

    def line(self, mark: str) -> int:
        """Return the line of a mark; 0: the line is not known by construction."""
        return self._lines()[mark] if mark else 0

    def _lines(self) -> dict[str, int]:
        lines = enumerate(self.source.splitlines(), 1)
        return {line.rsplit("# @", 1)[1]: number for number, line in lines if "# @" in line}


def make(seed: int, threads: int, longest: int) -> Program:
    """Return a program of `threads` chains of up to `longest` functions each."""
    rng = random.Random(seed)
    chains = [_chain(rng, f"t{number}", rng.randint(2, longest)) for number in range(threads)]
    body = "\n\n".join(chain.source for chain in chains)
    first = f"\n\nFIRST = [{', '.join(chain.first for chain in chains)}]\n"
    return Program(HEAD + "\n" + body + first + TAIL, chains)


def _chain(rng: random.Random, prefix: str, length: int) -> Chain:
    kinds = _kinds(rng, length)
    end = "nap" if kinds[-1] not in CALLS_ANY else rng.choice([*ENDS])
    frames, texts = [], []
    for index, kind in enumerate(kinds):
        names = {"f": f"{prefix}_{index}", "g": f"{prefix}_{index + 1}" if index + 1 < len(kinds) else end}
        source, own = KINDS[kind]
        texts.append(source.format(**names))
        frames += [(what, name.format(**names), mark.format(**names)) for what, name, mark in own]
    frames += ENDS[end]
    return Chain("\n\n".join(reversed(texts)), f"{prefix}_0", frames[::-1], [*kinds, end])


def _kinds(rng: random.Random, length: int) -> list[str]:
    """Return kinds from the outermost to the innermost, so that each can call the next. Compiled code that a gufunc
    calls holds the GIL, so that the chain goes on to an interpreted function, which sleeps without it."""
    kinds: list[str] = []
    calls_any, holds_gil = True, False
    while len(kinds) < length or holds_gil:
        choice = [kind for kind in KINDS if calls_any or kind not in INTERPRETED]
        kind = rng.choice(choice if len(kinds) < length else ["object mode"])
        kinds.append(kind)
        calls_any = kind in CALLS_ANY
        holds_gil = (holds_gil or kind == "gufunc") and not calls_any
    return kinds
